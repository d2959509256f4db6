/* How values are written into the report, in C and in C++. Nothing is included here. */
#pragma GCC system_header
#ifndef GRADER_CALLS_WRITE_
#define GRADER_CALLS_WRITE_
#ifdef __cplusplus
extern "C" {
#endif

/* A test: what makes its calls, and how many these are. */
struct grader_test_ {
    void (*run_)(void);
    int calls_;
};

int grader_main_(int argc, char **argv, const struct grader_test_ *tests_, int count_);

/* All before the calls is done. */
void grader_begin_(void);
/* The next call begins; `text_` is shown where there are several. */
void grader_next_(const char *text_);
/* The call came back, and its value is written. */
void grader_done_(void);

void grader_put_(const char *json_);
/* Where the report is now; and the pieces between `count_ + 1` places in a fixed order, with commas. */
__SIZE_TYPE__ grader_place_(void);
void grader_sort_(const __SIZE_TYPE__ *places_, __SIZE_TYPE__ count_);
void grader_null_(void);
void grader_truth_(int value_);
void grader_integer_(long long value_);
void grader_natural_(unsigned long long value_);
void grader_real_(double value_);
void grader_single_(float value_);
void grader_text_(const char *start_, __SIZE_TYPE__ length_);
void grader_object_(const char *kind_);

#ifdef __cplusplus
}
#endif
#endif
