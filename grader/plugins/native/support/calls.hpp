// What a generated main in C++ reports values with. It comes before the student's file, which may define macros, and
// includes nothing of the library: what a program does not include itself, it must not meet.
#pragma GCC system_header
#include "grader_calls_write.h"

#if __has_include(<bits/c++config.h>)
namespace std {
template <class> struct char_traits;
template <class, class> class basic_ostream;
template <class, class> struct pair;
template <class...> class tuple;
}  // namespace std
#else
// Another library may have these in a namespace of its own.
#include <iosfwd>
#include <tuple>
#include <utility>
#endif

extern "C" {
void grader_caught_(void);
// A `basic_ostream<char>`; and the text that was written to it goes into the report.
void *grader_stream_(void);
void grader_streamed_(void);
}

namespace grader_ {

typedef __SIZE_TYPE__ size_;
typedef std::basic_ostream<char, std::char_traits<char>> stream_type_;

// As those of the library.
template <bool, class T_ = void> struct enable_if_ {};
template <class T_> struct enable_if_<true, T_> { typedef T_ type; };

template <class, class> struct is_same_ { static constexpr bool value = false; };
template <class T_> struct is_same_<T_, T_> { static constexpr bool value = true; };

template <class T_> struct plain_ { typedef T_ type; };
template <class T_> struct plain_<T_ &> { typedef typename plain_<T_>::type type; };
template <class T_> struct plain_<T_ &&> { typedef typename plain_<T_>::type type; };
template <class T_> struct plain_<const T_> { typedef typename plain_<T_>::type type; };
template <class T_> struct plain_<volatile T_> { typedef typename plain_<T_>::type type; };
template <class T_> struct plain_<const volatile T_> { typedef typename plain_<T_>::type type; };

template <class T_> T_ &&made_();

template <class T_, class... Kinds_> struct is_one_of_ { static constexpr bool value = false; };
template <class T_, class Kind_, class... Kinds_> struct is_one_of_<T_, Kind_, Kinds_...> {
    static constexpr bool value = is_same_<T_, Kind_>::value || is_one_of_<T_, Kinds_...>::value;
};

template <class T_> struct is_integral_ {
    static constexpr bool value =
        is_one_of_<T_, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned int, long,
                   unsigned long, long long, unsigned long long, wchar_t, char16_t, char32_t
#ifdef __cpp_char8_t
                   , char8_t
#endif
                   >::value;
};

template <class T_, bool = is_integral_<T_>::value> struct is_signed_ { static constexpr bool value = false; };
template <class T_> struct is_signed_<T_, true> { static constexpr bool value = T_(-1) < T_(1); };

template <class T_> struct is_floating_ { static constexpr bool value = is_one_of_<T_, float, double, long double>::value; };

template <class T_> struct is_pointer_ { static constexpr bool value = false; };
template <class T_> struct is_pointer_<T_ *> { static constexpr bool value = true; };

template <class T_> struct is_class_ { static constexpr bool value = __is_class(T_); };
template <class T_> struct is_enum_ { static constexpr bool value = __is_enum(T_); };

template <class T_, bool = is_class_<T_>::value> struct is_chars_ { static constexpr bool value = false; };
template <class T_> struct is_chars_<T_, false> {
    static char test_(const char *);
    static long test_(...);
    static constexpr bool value = sizeof(test_(made_<const T_ &>())) == 1;
};

// Without it `get<n_>` is no template where the program includes no tuple.
struct none_ {};
template <size_ n_> void get(none_);

template <class T_> void value_(const T_ &given_);

// The lower the rank, the earlier it is tried.
template <int n_> struct rank_ : rank_<n_ + 1> {};
template <> struct rank_<20> {};

template <class... T_> struct always_ { typedef void type; };

template <class T_, class = void> struct is_text_ { static constexpr bool value = false; };
template <class T_> struct is_text_<T_, typename always_<typename T_::traits_type>::type> {
    static constexpr bool value = true;
};

template <class T_> auto write_(const T_ &given_, rank_<0>) ->
    typename enable_if_<is_same_<T_, bool>::value>::type { grader_truth_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<0>) ->
    typename enable_if_<is_same_<T_, char>::value>::type { grader_text_(&given_, 1); }

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
    typename enable_if_<is_same_<T_, __int128>::value>::type {
    wide_(given_ < 0 ? -(unsigned __int128) given_ : (unsigned __int128) given_, given_ < 0);
}

template <class T_> auto write_(const T_ &given_, rank_<0>) ->
    typename enable_if_<is_same_<T_, unsigned __int128>::value>::type { wide_(given_, false); }
#endif

template <class T_> auto write_(const T_ &given_, rank_<1>) ->
    typename enable_if_<is_signed_<T_>::value>::type { grader_integer_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<1>) ->
    typename enable_if_<is_integral_<T_>::value && !is_signed_<T_>::value>::type { grader_natural_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<1>) ->
    typename enable_if_<is_same_<T_, float>::value>::type { grader_single_(given_); }

template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename enable_if_<is_floating_<T_>::value>::type { grader_real_((double) given_); }

inline void write_(const decltype(nullptr) &, rank_<0>) { grader_null_(); }

template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename enable_if_<is_chars_<T_>::value>::type {
    const char *text_ = given_;
    size_ length_ = 0;
    while (text_ && text_[length_]) length_++;
    if (text_) grader_text_(text_, length_);
    else grader_null_();
}

// Texts.
template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename enable_if_<is_same_<typename T_::traits_type, std::char_traits<char>>::value &&
                        (sizeof(given_.data()) > 0)>::type {
    grader_text_(given_.data(), given_.size());
}

template <class T_> void printed_(const T_ &given_) {
    *(stream_type_ *) grader_stream_() << given_;
    grader_streamed_();
}

// Whether a type belongs to the standard library, by what the compiler calls it.
template <class T_> bool is_standard_() {
    const char *name_ = __PRETTY_FUNCTION__;
    while (*name_ && *name_ != '=') name_++;
    return name_[0] && name_[2] == 's' && name_[3] == 't' && name_[4] == 'd' && name_[5] == ':';
}

// Objects of the program's own that can be printed, whatever else they can do.
template <class T_> auto write_(const T_ &given_, rank_<2>) ->
    typename always_<typename enable_if_<is_class_<T_>::value && !is_text_<T_>::value>::type,
                     decltype(made_<stream_type_ &>() << given_)>::type {
    if (is_standard_<T_>()) write_(given_, rank_<3>());
    else printed_(given_);
}

template <class T_> void list_(const T_ &given_) {
    bool more_ = false;
    grader_put_("[");
    for (auto place_ = given_.begin(); place_ != given_.end(); ++place_) {
        if (more_) grader_put_(",");
        more_ = true;
        value_<typename plain_<decltype(*place_)>::type>(*place_);
    }
    grader_put_("]");
}

template <class T_> void list_(const T_ *given_, size_ count_) {
    grader_put_("[");
    for (size_ index_ = 0; index_ < count_; index_++) {
        if (index_) grader_put_(",");
        value_(given_[index_]);
    }
    grader_put_("]");
}

template <class T_, size_ n_> void write_(const T_ (&given_)[n_], rank_<3>) { list_(given_, n_); }

// Maps whose keys are there once.
template <class T_> auto write_(const T_ &given_, rank_<3>) ->
    typename always_<decltype(given_.at(made_<typename T_::key_type>()), made_<typename T_::mapped_type>())>::type {
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
    typename always_<decltype(made_<T_ &>().insert(made_<typename T_::key_type>()).second)>::type {
    grader_put_("{\"set\":");
    list_(given_);
    grader_put_("}");
}

// What has no order, and members more than once, is put in one.
template <class T_> auto write_(const T_ &given_, rank_<5>) -> typename always_<typename T_::hasher>::type {
    const size_ count_ = given_.size();
    size_ *places_ = new size_[count_ + 1], index_ = 0;
    grader_put_("[");
    for (auto place_ = given_.begin(); place_ != given_.end(); ++place_) {
        places_[index_++] = grader_place_();
        value_<typename plain_<decltype(*place_)>::type>(*place_);
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

template <size_ n_, class... T_> auto members_(const std::tuple<T_...> &) ->
    typename enable_if_<n_ == sizeof...(T_)>::type {}

template <size_ n_, class... T_> auto members_(const std::tuple<T_...> &given_) ->
    typename enable_if_<n_ < sizeof...(T_)>::type {
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

template <class T_> auto write_(const T_ &given_, rank_<7>) -> typename enable_if_<is_pointer_<T_>::value>::type {
    pointer_((const volatile void *) given_);
}

// Pointers that own what they point to.
template <class T_> auto write_(const T_ &given_, rank_<8>) ->
    typename always_<decltype(given_.get(), *given_, typename T_::element_type())>::type {
    pointer_(given_.get());
}

template <class T_> auto write_(const T_ &given_, rank_<8>) ->
    typename enable_if_<is_enum_<T_>::value>::type {
    grader_integer_((long long) given_);
}

template <class T_> auto write_(const T_ &given_, rank_<9>) ->
    typename always_<decltype(made_<stream_type_ &>() << given_)>::type {
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
    __SIZE_TYPE__ count_;
    const T_ *begin() const { return start_; }
    const T_ *end() const { return start_ + count_; }
};

template <class T_> grader_array_<T_> array_of(const T_ *start_, __SIZE_TYPE__ count_) { return {start_, count_}; }
