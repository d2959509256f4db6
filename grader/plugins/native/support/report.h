/* Runs the calls of a test and reports what came of each; for mains in C and in C++. */
#pragma GCC system_header
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __cplusplus
#include <cxxabi.h>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <typeinfo>
#endif
#include "grader_calls_write.h"

/* A program may have functions and variables with these names, which the linker would take in place of the system's. */
#define OF_THE_SYSTEM(TAKE)                                                                                           \
    TAKE(abort)                                                                                                       \
    TAKE(atoi)                                                                                                        \
    TAKE(calloc)                                                                                                      \
    TAKE(close)                                                                                                       \
    TAKE(fcntl)                                                                                                       \
    TAKE(fflush)                                                                                                      \
    TAKE(free)                                                                                                        \
    TAKE(fwrite)                                                                                                      \
    TAKE(getpid)                                                                                                      \
    TAKE(memcpy)                                                                                                      \
    TAKE(open)                                                                                                        \
    TAKE(pwrite)                                                                                                      \
    TAKE(qsort)                                                                                                       \
    TAKE(read)                                                                                                        \
    TAKE(realloc)                                                                                                     \
    TAKE(snprintf)                                                                                                    \
    TAKE(strcmp)                                                                                                      \
    TAKE(strcspn)                                                                                                     \
    TAKE(strlen)                                                                                                      \
    TAKE(strtod)                                                                                                      \
    TAKE(strtof)                                                                                                      \
    TAKE(unlink)                                                                                                      \
    TAKE(write)

#define LINKED(name) static __typeof__(name) *own_##name##_ = name;
OF_THE_SYSTEM(LINKED)

/* What is linked stays where there are no libraries to look into, as in a program that is linked statically. */
#define FIND(name)                                                                                                    \
    if ((found = dlsym(RTLD_NEXT, #name))) own_##name##_ = (__typeof__(name) *) found;

static void find_own_(void) {
    void *found;
    OF_THE_SYSTEM(FIND)
}

#define LINE 64
#define LARGEST_VALUE 4000000
#define LARGEST_REPORT 9000000
#define LOWEST 50
#define DESCRIPTORS 150

enum { BEGIN, END, RAISED, SECRET, DESCRIPTOR, LINES };

static char *report_;
static size_t used_, room_, step_start_;
static int steps_, wanted_, has_begun_, has_raised_;
static char mark_begin_[LINE], mark_raised_[LINE];

static void add_(const char *start, size_t length) {
    if (used_ + length > room_) {
        size_t room = 2 * (used_ + length) + 1000;
        char *larger = (char *) own_realloc_(report_, room);
        if (!larger) own_abort_();
        report_ = larger;
        room_ = room;
    }
    own_memcpy_(report_ + used_, start, length);
    used_ += length;
}

void grader_put_(const char *json) {
    /* What is too large is left out by `finish_value_`. */
    if (used_ - step_start_ <= LARGEST_VALUE) add_(json, own_strlen_(json));
}

void grader_null_(void) { grader_put_("null"); }

void grader_truth_(int value) { grader_put_(value ? "true" : "false"); }

void grader_integer_(long long value) {
    char text[LINE];
    own_snprintf_(text, sizeof text, "%lld", value);
    grader_put_(text);
}

void grader_natural_(unsigned long long value) {
    char text[LINE];
    own_snprintf_(text, sizeof text, "%llu", value);
    grader_put_(text);
}

static void put_number_(const char *text) {
    if (text[own_strcspn_(text, "ni")]) {
        grader_put_("{\"number\":\"");
        grader_put_(text[own_strcspn_(text, "a")] ? "nan" : text);
        grader_put_("\"}");
    } else {
        grader_put_(text);
        if (!text[own_strcspn_(text, ".e")]) grader_put_(".0");
    }
}

void grader_real_(double value) {
    char text[LINE];
    int digits;
    for (digits = 15; digits <= 17; digits++) {
        own_snprintf_(text, sizeof text, "%.*g", digits, value);
        if (own_strtod_(text, NULL) == value) break;
    }
    put_number_(text);
}

void grader_single_(float value) {
    char text[LINE];
    int digits;
    for (digits = 6; digits <= 9; digits++) {
        own_snprintf_(text, sizeof text, "%.*g", digits, (double) value);
        if (own_strtof_(text, NULL) == value) break;
    }
    put_number_(text);
}

void grader_text_(const char *start, size_t length) {
    size_t index;
    grader_put_("\"");
    for (index = 0; index < length && used_ - step_start_ <= LARGEST_VALUE; index++) {
        unsigned char one = (unsigned char) start[index];
        char escaped[8] = {0};
        if (one == '"' || one == '\\') own_snprintf_(escaped, sizeof escaped, "\\%c", one);
        else if (one < 0x20) own_snprintf_(escaped, sizeof escaped, "\\u%04x", one);
        /* A byte of a longer character, which is put together when the report is read. */
        else if (one >= 0x80) own_snprintf_(escaped, sizeof escaped, "\\udc%02x", one);
        else escaped[0] = (char) one;
        grader_put_(escaped);
    }
    grader_put_("\"");
}

void grader_object_(const char *kind) {
    grader_put_("{\"object\":");
    grader_text_(kind, own_strlen_(kind));
    grader_put_("}");
}

static void mark_(const char *text) {
    size_t length = own_strlen_(text);
    own_fflush_(NULL);
#ifdef __cplusplus
    std::cout.flush();
    std::clog.flush();
#endif
    while (length > 0) {
        ssize_t written = own_write_(1, text, length);
        if (written <= 0) return;
        text += written;
        length -= (size_t) written;
    }
}

void grader_begin_(void) {
    mark_(mark_begin_);
    has_begun_ = 1;
}

void grader_next_(const char *text) {
    if (wanted_ > 1) {
        mark_(">>> ");
        mark_(text);
        mark_("\n");
    }
    if (steps_ > 0) add_(",", 1);
    step_start_ = used_;
    grader_put_("{\"returned\":");
}

static void finish_value_(void) {
    static const char too_large[] = "{\"returned\":{\"object\":\"a value too large to compare\"}";
    if (used_ - step_start_ > LARGEST_VALUE || used_ > LARGEST_REPORT) {
        used_ = step_start_;
        add_(too_large, sizeof too_large - 1);
    }
}

static void add_text_(const char *text) { add_(text, own_strlen_(text)); }

__SIZE_TYPE__ grader_place_(void) { return used_; }

static int compare_pieces_(const void *first, const void *second) {
    return own_strcmp_(*(char *const *) first, *(char *const *) second);
}

void grader_sort_(const __SIZE_TYPE__ *places, __SIZE_TYPE__ count) {
    char **pieces = (char **) own_calloc_(count + 1, sizeof *pieces);
    __SIZE_TYPE__ index;
    for (index = 0; pieces && index < count; index++) {
        __SIZE_TYPE__ length = places[index + 1] - places[index];
        if (!(pieces[index] = (char *) own_calloc_(length + 1, 1))) own_abort_();
        own_memcpy_(pieces[index], report_ + places[index], length);
    }
    if (!pieces) own_abort_();
    own_qsort_(pieces, count, sizeof *pieces, compare_pieces_);
    used_ = places[0];
    for (index = 0; index < count; index++) {
        if (index) add_text_(",");
        add_text_(pieces[index]);
        own_free_(pieces[index]);
    }
    own_free_(pieces);
}

void grader_done_(void) {
    finish_value_();
    add_text_(",\"raised\":null}");
    steps_++;
}

static int random_descriptor_(void) {
    unsigned char chance = 0;
    int source = own_open_("/dev/urandom", O_RDONLY);
    if (source >= 0) {
        if (own_read_(source, &chance, 1) != 1) chance = 0;
        own_close_(source);
    }
    return LOWEST + chance % DESCRIPTORS;
}

static int read_request_(const char *name, char lines[LINES][LINE]) {
    char request[LINES * LINE + 1];
    size_t used = 0, start = 0;
    ssize_t count;
    int number, source = own_open_(name, O_RDONLY);
    if (source < 0) return 0;
    while (used < sizeof request - 1 && (count = own_read_(source, request + used, sizeof request - 1 - used)) > 0)
        used += (size_t) count;
    request[used] = 0;
    own_close_(source);
    own_unlink_(name);
    for (number = 0; number < LINES; number++) {
        size_t length = own_strcspn_(request + start, "\n");
        if (length >= LINE || start + length >= used) return 0;
        own_memcpy_(lines[number], request + start, length);
        lines[number][length] = 0;
        start += length + 1;
    }
    return 1;
}

static void write_report_(int descriptor, const char *secret) {
    size_t done = 0;
    used_ = used_ > LARGEST_REPORT + LARGEST_VALUE ? 0 : used_;
    for (; steps_ < wanted_; steps_++)
        add_text_(steps_ ? ",{\"returned\":null,\"raised\":null}" : "{\"returned\":null,\"raised\":null}");
    add_text_("],\"given\":{},\"secret\":\"");
    add_text_(secret);
    add_text_("\"}");
    while (done < used_) {
        ssize_t written = own_pwrite_(descriptor, report_ + done, used_ - done, (off_t) done);
        if (written <= 0) return;
        done += (size_t) written;
    }
}

static int run_(void (*calls)(void));

int grader_main_(int argc, char **argv, const struct grader_test_ *tests, int count) {
    char lines[LINES][LINE];
    int given, descriptor, number, status;
    pid_t process;
    find_own_();
    process = own_getpid_();
    if (argc != 3 || !read_request_(argv[2], lines)) return 2;
    given = own_atoi_(lines[DESCRIPTOR]);
    descriptor = own_fcntl_(given, F_DUPFD_CLOEXEC, random_descriptor_());
    number = own_atoi_(argv[1]);
    if (descriptor < 0 || number < 0 || number >= count) return 2;
    own_close_(given);
    own_memcpy_(mark_begin_, lines[BEGIN], LINE);
    own_memcpy_(mark_raised_, lines[RAISED], LINE);
    wanted_ = tests[number].calls_;
    add_text_("{\"steps\":[");
    status = run_(tests[number].run_);
    if (!has_begun_ || own_getpid_() != process) return status;
    mark_(lines[END]);
    write_report_(descriptor, lines[SECRET]);
    return status;
}

#ifdef __cplusplus
static std::string plain_name_(const std::type_info *type) {
    int status = 0;
    char *plain = abi::__cxa_demangle(type->name(), 0, 0, &status);
    const std::string name = plain ? plain : type->name();
    std::free(plain);
    return name;
}

/* A class of the program's own may be anywhere in it, so a dot before its bare name comes first. */
static void add_name_(std::string &names, const std::string &name) {
    const bool is_own = name.compare(0, 5, "std::") && name.compare(0, 5, "__gnu");
    const std::size_t place = name.rfind("::", name.find('<'));
    const std::string bare = place == std::string::npos ? name : name.substr(place + 2);
    if (!names.empty()) names += ",";
    if (is_own) names += "\"." + bare + "\",";
    if (is_own && bare != name) names += "\"" + bare + "\",";
    names += "\"" + name + "\"";
}

/* A class that is derived from more than two others, or again from two, counts as none of them. */
static void add_bases_(std::string &names, const std::type_info *type, unsigned int most) {
    add_name_(names, plain_name_(type));
    if (const abi::__si_class_type_info *one = dynamic_cast<const abi::__si_class_type_info *>(type))
        add_bases_(names, one->__base_type, most);
    else if (const abi::__vmi_class_type_info *many = dynamic_cast<const abi::__vmi_class_type_info *>(type))
        for (unsigned int index = 0; many->__base_count <= most && index < many->__base_count; index++)
            add_bases_(names, many->__base_info[index].__base_type, 1);
}

static std::string message_(void) {
    try {
        throw;
    } catch (const std::exception &error) {
        return error.what();
    } catch (const char *text) {
        return text ? text : "";
    } catch (const std::string &text) {
        return text;
    } catch (...) {
        return "";
    }
}

static std::ostringstream *stream_;

/* An object that is printed may throw, and leave what it began. */
extern "C" void *grader_stream_(void) {
    delete stream_;
    stream_ = new std::ostringstream;
    return static_cast<std::ostream *>(stream_);
}

extern "C" void grader_streamed_(void) {
    const std::string text = stream_->str();
    delete stream_;
    stream_ = 0;
    grader_text_(text.data(), text.size());
}

static void tell_(const std::string &name, const std::string &message) {
    std::string said = "terminate called after throwing an instance of '" + name + "'\n";
    if (!message.empty()) said += "  what():  " + message + "\n";
    mark_("");
    own_fwrite_(said.data(), 1, said.size(), stderr);
}

/* What is being caught ends a call, or all of them. */
extern "C" void grader_caught_(void) {
    std::string names, message = message_();
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (type) add_bases_(names, type, 2);
    const std::string first = type ? plain_name_(type) : "";
    has_raised_ = 1;
    if (!has_begun_) {
        tell_(first, message);
        return;
    }
    mark_(mark_raised_);
    tell_(first, message);
    mark_(mark_raised_);
    used_ = step_start_;
    add_text_("{\"returned\":null,\"raised\":{\"types\":[");
    add_text_(names.c_str());
    add_text_("],\"message\":");
    grader_text_(message.data(), message.size() < 1000 ? message.size() : 1000);
    add_text_("}}");
    steps_++;
}

static int run_(void (*calls)(void)) {
    try {
        calls();
    } catch (...) {
        grader_caught_();
    }
    return has_raised_;
}
#else
static int run_(void (*calls)(void)) {
    calls();
    return 0;
}

#include "grader_calls.h"

#define INTEGER(name, type)                                                                                           \
    void name(const void *value) { grader_integer_(*(const type *) value); }
#define NATURAL(name, type)                                                                                           \
    void name(const void *value) { grader_natural_(*(const type *) value); }
INTEGER(grader_schar_, signed char)
INTEGER(grader_short_, short)
INTEGER(grader_int_, int)
INTEGER(grader_long_, long)
INTEGER(grader_longlong_, long long)
NATURAL(grader_uchar_, unsigned char)
NATURAL(grader_ushort_, unsigned short)
NATURAL(grader_uint_, unsigned int)
NATURAL(grader_ulong_, unsigned long)
NATURAL(grader_ulonglong_, unsigned long long)

void grader_bool_(const void *value) { grader_truth_(*(const _Bool *) value); }

void grader_char_(const void *value) { grader_text_((const char *) value, 1); }

void grader_float_(const void *value) { grader_single_(*(const float *) value); }

void grader_double_(const void *value) { grader_real_(*(const double *) value); }

void grader_longdouble_(const void *value) { grader_real_((double) *(const long double *) value); }

void grader_chars_(const void *value) {
    const char *text = *(const char *const *) value;
    if (text) grader_text_(text, own_strlen_(text));
    else grader_null_();
}

void grader_pointer_(const void *value) {
    void *pointer;
    own_memcpy_(&pointer, value, sizeof pointer);
    if (pointer) grader_object_("a pointer");
    else grader_null_();
}

void grader_struct_(const void *value) {
    (void) value;
    grader_object_("a struct or union");
}

void grader_items_(const void *value) {
    const struct grader_array_ *array = (const struct grader_array_ *) value;
    size_t index;
    if (!array->start_) {
        grader_null_();
        return;
    }
    grader_put_("[");
    for (index = 0; index < array->count_; index++) {
        if (index) grader_put_(",");
        array->item_((const char *) array->start_ + index * array->size_);
    }
    grader_put_("]");
}
#endif
