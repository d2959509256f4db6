/* What a generated main in C reports values with. It comes after the student's file, so it includes nothing. */
#pragma GCC system_header
#include "grader_calls_write.h"

void grader_bool_(const void *);
void grader_char_(const void *);
void grader_schar_(const void *);
void grader_uchar_(const void *);
void grader_short_(const void *);
void grader_ushort_(const void *);
void grader_int_(const void *);
void grader_uint_(const void *);
void grader_long_(const void *);
void grader_ulong_(const void *);
void grader_longlong_(const void *);
void grader_ulonglong_(const void *);
void grader_float_(const void *);
void grader_double_(const void *);
void grader_longdouble_(const void *);
void grader_chars_(const void *);
void grader_pointer_(const void *);
void grader_items_(const void *);
void grader_struct_(const void *);

/* The first `count_` items from `start_` on. */
struct grader_array_ {
    const void *start_;
    __SIZE_TYPE__ count_;
    __SIZE_TYPE__ size_;
    void (*item_)(const void *);
};

#define GRADER_REPORTER_(value_)                                                                                      \
    _Generic((value_),                                                                                                \
        _Bool: grader_bool_,                                                                                          \
        char: grader_char_,                                                                                           \
        signed char: grader_schar_,                                                                                   \
        unsigned char: grader_uchar_,                                                                                 \
        short: grader_short_,                                                                                         \
        unsigned short: grader_ushort_,                                                                               \
        int: grader_int_,                                                                                             \
        unsigned int: grader_uint_,                                                                                   \
        long: grader_long_,                                                                                           \
        unsigned long: grader_ulong_,                                                                                 \
        long long: grader_longlong_,                                                                                  \
        unsigned long long: grader_ulonglong_,                                                                        \
        float: grader_float_,                                                                                         \
        double: grader_double_,                                                                                       \
        long double: grader_longdouble_,                                                                              \
        char *: grader_chars_,                                                                                        \
        const char *: grader_chars_,                                                                                  \
        struct grader_array_: grader_items_,                                                                          \
        default: __builtin_choose_expr(__builtin_classify_type(value_) == 5, grader_pointer_, grader_struct_))

/* A call uses this to show an array, which C hands on as a pointer. */
#define array_of(pointer_, count_)                                                                                    \
    ((struct grader_array_){(pointer_), (count_), sizeof *(pointer_), GRADER_REPORTER_(*(pointer_))})

#define GRADER_IS_VOID_(...) __builtin_types_compatible_p(__typeof__((__VA_ARGS__)), void)

#define GRADER_CALL_(...)                                                                                             \
    do {                                                                                                              \
        __auto_type grader_value_ =                                                                                   \
            __builtin_choose_expr(GRADER_IS_VOID_(__VA_ARGS__), ((__VA_ARGS__), 0), (__VA_ARGS__));                   \
        if (GRADER_IS_VOID_(__VA_ARGS__)) grader_null_();                                                             \
        else GRADER_REPORTER_(grader_value_)(&grader_value_);                                                         \
        grader_done_();                                                                                               \
    } while (0)
