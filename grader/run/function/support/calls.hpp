// What a generated main in C++ reports values with. It comes before the student's file, which may define macros, and
// includes little: what a program does not include itself, it must not meet.
#pragma GCC system_header
#include "grader_calls_write.h"
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

extern "C" void grader_caught_(void);

namespace grader_ {

template <class T_> void value_(const T_ &given_);

// The lower the rank, the earlier it is tried.
template <int n_> struct rank_ : rank_<n_ + 1> {};
template <> struct rank_<20> {};

template <class... T_> struct always_ { typedef void type; };

template <class T_, class = void> struct is_text_ : std::false_type {};
template <class T_> struct is_text_<T_, typename always_<typename T_::traits_type>::type> : std::true_type {};

template <class T_> auto write_(const T_ &given_, rank_<0>) ->
    typename std::enable_if<std::is_same<T_, bool>::value>::type { grader_truth_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<0>) ->
    typename std::enable_if<std::is_same<T_, char>::value>::type { grader_text_(&given_, 1); }

#ifdef __SIZEOF_INT128__
inline void wide_(unsigned __int128 given_, bool is_negative_) {
    char text_[48];
    char *place_ = text_ + sizeof text_ - 1;
    *place_ = 0;
    do *--place_ = (char) ('0' + (int) (given_ % 10));
    while (given_ /= 10);
    if (is_negative_) *--place_ = '-';
    grader_put_(place_);
}

template <class T_> auto write_(const T_ &given_, rank_<0>) ->
    typename std::enable_if<std::is_same<T_, __int128>::value>::type {
    wide_(given_ < 0 ? -(unsigned __int128) given_ : (unsigned __int128) given_, given_ < 0);
}

template <class T_> auto write_(const T_ &given_, rank_<0>) ->
    typename std::enable_if<std::is_same<T_, unsigned __int128>::value>::type { wide_(given_, false); }
#endif

template <class T_> auto write_(const T_ &given_, rank_<1>) ->
    typename std::enable_if<std::is_integral<T_>::value && std::is_signed<T_>::value>::type { grader_integer_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<1>) ->
    typename std::enable_if<std::is_integral<T_>::value && !std::is_signed<T_>::value>::type { grader_natural_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<1>) ->
    typename std::enable_if<std::is_same<T_, float>::value>::type { grader_single_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename std::enable_if<std::is_floating_point<T_>::value>::type { grader_real_((double) given_); }

inline void write_(const std::nullptr_t &, rank_<0>) { grader_null_(); }

template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename std::enable_if<std::is_convertible<T_, const char *>::value && !std::is_class<T_>::value>::type {
    const char *text_ = given_;
    if (text_) grader_text_(text_, __builtin_strlen(text_));
    else grader_null_();
}

// Texts.
template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename std::enable_if<std::is_same<typename T_::traits_type, std::char_traits<char>>::value &&
                            (sizeof(given_.data()) > 0)>::type {
    grader_text_(given_.data(), given_.size());
}

template <class T_> void printed_(const T_ &given_) {
    std::ostringstream stream_;
    stream_ << given_;
    const std::string text_ = stream_.str();
    grader_text_(text_.data(), text_.size());
}

// Whether a type, by its name as it is linked, belongs to the standard library.
inline bool is_standard_(const char *name_) {
    return name_[0] == 'S' || (name_[0] == 'N' && (name_[1] == 'S' || (name_[1] == 'K' && name_[2] == 'S')));
}

// Objects of the program's own that can be printed, whatever else they can do.
template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename always_<typename std::enable_if<std::is_class<T_>::value && !is_text_<T_>::value>::type,
                     decltype(std::declval<std::ostream &>() << given_)>::type {
    if (is_standard_(typeid(T_).name())) write_(given_, rank_<3>());
    else printed_(given_);
}

template <class T_> void list_(const T_ &given_) {
    bool more_ = false;
    grader_put_("[");
    for (auto place_ = given_.begin(); place_ != given_.end(); ++place_) {
        if (more_) grader_put_(",");
        more_ = true;
        value_<typename std::decay<decltype(*place_)>::type>(*place_);
    }
    grader_put_("]");
}

template <class T_> void list_(const T_ *given_, std::size_t count_) {
    grader_put_("[");
    for (std::size_t index_ = 0; index_ < count_; index_++) {
        if (index_) grader_put_(",");
        value_(given_[index_]);
    }
    grader_put_("]");
}

template <class T_, std::size_t n_> void write_(const T_ (&given_)[n_], rank_<3>) { list_(given_, n_); }

// Maps whose keys are there once.
template <class T_> auto write_(const T_ &given_, rank_<3>) ->
    typename always_<decltype(given_.at(std::declval<typename T_::key_type>()), std::declval<typename T_::mapped_type>())>::type {
    bool more_ = false;
    grader_put_("{\"dict\":[");
    for (auto place_ = given_.begin(); place_ != given_.end(); ++place_) {
        grader_put_(more_ ? ",[" : "[");
        more_ = true;
        value_(place_->first);
        grader_put_(",");
        value_(place_->second);
        grader_put_("]");
    }
    grader_put_("]}");
}

// Sets whose members are there once: to insert one tells whether it is new.
template <class T_> auto write_(const T_ &given_, rank_<4>) ->
    typename always_<decltype(std::declval<T_ &>().insert(std::declval<typename T_::key_type>()).second)>::type {
    grader_put_("{\"set\":");
    list_(given_);
    grader_put_("}");
}

// What has no order, and members more than once, is put in one.
template <class T_> auto write_(const T_ &given_, rank_<5>) -> typename always_<typename T_::hasher>::type {
    const std::size_t count_ = given_.size();
    std::size_t *places_ = new std::size_t[count_ + 1], index_ = 0;
    grader_put_("[");
    for (auto place_ = given_.begin(); place_ != given_.end(); ++place_) {
        places_[index_++] = grader_place_();
        value_<typename std::decay<decltype(*place_)>::type>(*place_);
    }
    places_[index_] = grader_place_();
    grader_sort_(places_, count_);
    grader_put_("]");
    delete[] places_;
}

template <class T_> auto write_(const T_ &given_, rank_<6>) -> typename always_<decltype(*given_.begin(), given_.end())>::type {
    list_(given_);
}

template <class A_, class B_> void write_(const std::pair<A_, B_> &given_, rank_<5>) {
    grader_put_("{\"tuple\":[");
    value_(given_.first);
    grader_put_(",");
    value_(given_.second);
    grader_put_("]}");
}

template <std::size_t n_, class... T_> auto members_(const std::tuple<T_...> &) ->
    typename std::enable_if<n_ == sizeof...(T_)>::type {}

template <std::size_t n_, class... T_> auto members_(const std::tuple<T_...> &given_) ->
    typename std::enable_if<n_ < sizeof...(T_)>::type {
    using std::get;
    if (n_) grader_put_(",");
    value_(get<n_>(given_));
    members_<n_ + 1>(given_);
}

template <class... T_> void write_(const std::tuple<T_...> &given_, rank_<5>) {
    grader_put_("{\"tuple\":[");
    members_<0>(given_);
    grader_put_("]}");
}

// Values that may be missing.
template <class T_> auto write_(const T_ &given_, rank_<7>) ->
    typename always_<decltype(given_.has_value(), *given_)>::type {
    if (given_.has_value()) value_(*given_);
    else grader_null_();
}

inline void pointer_(const volatile void *given_) {
    if (given_) grader_object_("a pointer");
    else grader_null_();
}

template <class T_> auto write_(const T_ &given_, rank_<7>) -> typename std::enable_if<std::is_pointer<T_>::value>::type {
    pointer_((const volatile void *) given_);
}

// Pointers that own what they point to.
template <class T_> auto write_(const T_ &given_, rank_<8>) ->
    typename always_<decltype(given_.get(), *given_, typename T_::element_type())>::type {
    pointer_(given_.get());
}

template <class T_> auto write_(const T_ &given_, rank_<8>) ->
    typename std::enable_if<std::is_enum<T_>::value>::type {
    grader_integer_((long long) given_);
}

template <class T_> auto write_(const T_ &given_, rank_<9>) ->
    typename always_<decltype(std::declval<std::ostream &>() << given_)>::type {
    printed_(given_);
}

template <class T_> void write_(const T_ &, rank_<10>) { grader_object_("an object without operator<<"); }

template <class T_> void value_(const T_ &given_) { write_(given_, rank_<0>()); }

// A call stands before a comma and `Call_()`. If it has a value, the operator below writes that while it lives.
struct Call_ {};

struct Written_ {};

template <class T_> Written_ operator,(const T_ &given_, Call_) {
    value_(given_);
    return {};
}

inline void end_(Written_) { grader_done_(); }

inline void end_(Call_) {
    grader_null_();
    grader_done_();
}

template <class F_> void call_(F_ made_) {
    try {
        made_();
    } catch (...) {
        grader_caught_();
    }
}

}  // namespace grader_

// A call uses this to show an array that it has a pointer to.
template <class T_> struct grader_array_ {
    typedef T_ value_type;
    const T_ *start_;
    std::size_t count_;
    const T_ *begin() const { return start_; }
    const T_ *end() const { return start_ + count_; }
};

template <class T_> grader_array_<T_> array_of(const T_ *start_, std::size_t count_) { return {start_, count_}; }
