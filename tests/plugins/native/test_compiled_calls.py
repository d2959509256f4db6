"""Functions of programs in C, C++ and Java, called for real: what they return and print, and all that can go wrong."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.model.assignment import Isolation
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits, Sanitizer
from grader.model.test import Test, Visibility
from grader.plugins.function_calls.judge import judge_call
from grader.run.builds import BuildStep, ProgramBuilds, ReadyTest
from grader.run.environment import RunEnvironment, open_environment
from grader.run.run_slots import RunSlots
from grader.spec.languages import BUILD_LIMITS, BuildEntry, recipe
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import TEST, call_of
from tests.judge.sessions import exited
from tests.run.conftest import Session

needs_cplusplus = pytest.mark.skipif(not shutil.which("g++"), reason="needs the Debian package g++")
needs_java = pytest.mark.skipif(not shutil.which("javac"), reason="needs the Debian package default-jdk-headless")
needs_valgrind = pytest.mark.skipif(not shutil.which("valgrind"), reason="needs the Debian package valgrind")
pytestmark = needs_cplusplus

LIMITS = Limits(wall_seconds=60, memory_bytes=4 << 30, processes=256)
USUAL = BuildEntry()
STRICT = BuildEntry(flags=("-Wall", "-Wextra", "-Werror", "-pedantic", "-std=c99"))


@dataclass(frozen=True)
class Program:
    """A program and how it is built."""

    file: str
    source: str
    build: BuildEntry = USUAL

    def test(self, *calls: str, setup: tuple[str, ...] = (), lines: tuple[str, ...] = ()) -> Test:
        call = FunctionCall(
            calls=calls, variables={}, setup=setup, checks=frozenset(USUAL_CHECKS), cards=None, lines=lines
        )
        commands = recipe(self.file, self.build, None, BUILD_LIMITS)
        return replace(TEST, id=calls[0], program=self.file, recipe=commands, interaction=call)


@pytest.fixture(scope="module")
def plain() -> Iterator[RunEnvironment]:
    """No sandbox, for what is the same in one."""
    with open_environment() as environment:
        yield environment


def outcomes(
    environment: RunEnvironment, folder: Path, program: Program, *tests: Test, limits: Limits = LIMITS
) -> list[Outcome]:
    (folder / program.file).write_text(program.source)
    with environment.runner([(folder / program.file, program.file)], tests) as runner:
        return [runner.run(test, limits, Isolation.FRESH_PROCESS, {}) for test in tests]


def returned(outcome: Outcome) -> list[object]:
    assert outcome.call is not None, outcome.transcript
    assert outcome.call.given is not None, outcome.transcript
    return [step.returned for step in outcome.call.steps]


def judged(test: Test, outcome: Outcome, *steps: ExpectedStep, printed: str = "") -> Judgement:
    return judge_call(test, call_of(test), ExpectedCall(steps or (ExpectedStep(5),), printed, {}), outcome)


def sentence(test: Test, outcome: Outcome, *steps: ExpectedStep, printed: str = "") -> str:
    found = judged(test, outcome, *steps, printed=printed).diagnosis
    return found.sentence if found else "passed"


C = Program(
    "lab.c",
    r"""
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct pair { int left, right; };
struct node { int value; struct node *next; };

int add(int a, int b) { return a + b; }
static double half(int a) { return a / 2.0; }
float tenth(void) { return 0.1f; }
bool is_even(int a) { return a % 2 == 0; }
const char *name(void) { return "h\303\251 \"x\"\n"; }
char *bad(void) { return "a\377"; }
char *none(void) { return NULL; }
void hello(void) { printf("hello\n"); }
void squares(int *to, int n) { for (int i = 0; i < n; i++) to[i] = i * i; }
struct pair swap(struct pair p) { return (struct pair){p.right, p.left}; }
struct node *push(struct node *list, int value) {
    struct node *one = malloc(sizeof *one);
    one->value = value;
    one->next = list;
    return one;
}
int crash(void) { int *nowhere = NULL; return *nowhere; }
int quit(void) { printf("bye\n"); exit(0); }
int endless(void) { for (;;) ; }
int ask(void) { int n = 0; printf("n? "); fflush(stdout); return scanf("%d", &n) == 1 ? 2 * n : -1; }
int main(void) { printf("main %f\n", half(3)); return 0; }
""",
    STRICT,
)

C_VALUES: list[tuple[tuple[str, ...], tuple[str, ...], list[object]]] = [
    ((), ("add(2, 3)",), [5]),
    ((), ("half(3)", "tenth()", "1e20 * half(2)", "half(4)"), [1.5, 0.1, 1e20, 2.0]),
    ((), ("is_even(4)", "'a'", "(char) 97", "(unsigned char) 97", "-1LL", "~0ULL"), [True, 97, "a", 97, -1, 2**64 - 1]),
    ((), ("name()", "bad()", "none()", '"é?"'), ['hé "x"\n', "a\udcff", None, "é?"]),
    ((), ("1 / half(0)", "-1 / half(0)"), [{"number": "inf"}, {"number": "-inf"}]),
    (("int to[4]",), ("squares(to, 4);", "array_of(to, 4)", "to[2]"), [None, [0, 1, 4, 9], 4]),
    ((), ("squares(NULL, 0)", "array_of((int *) NULL, 3)"), [None, None]),
    ((), ("swap((struct pair){1, 2}).left", "swap((struct pair){1, 2})"), [2, {"object": "a struct or union"}]),
    (
        (),
        ("struct node *list = push(NULL, 3);", "list", "list->value", "list->next", "free(list)"),
        [None, {"object": "a pointer"}, 3, None, None],
    ),
    (("#include <math.h>",), ("floor(2.5)",), [2.0]),
]


@pytest.mark.slow
def test_values_of_c(everywhere: RunEnvironment, tmp_path: Path) -> None:
    tests = [C.test(*calls, setup=setup) for setup, calls, _ in C_VALUES]
    found = outcomes(everywhere, tmp_path, C, *tests)
    assert [returned(one) for one in found] == [values for _, _, values in C_VALUES]
    assert found[0].transcript == ""
    assert found[5].transcript == ">>> squares(to, 4);\n>>> array_of(to, 4)\n>>> to[2]\n"


def test_what_is_printed_and_typed(environment: RunEnvironment, tmp_path: Path) -> None:
    hello, ask = C.test("hello()"), C.test("ask()", lines=("21",))
    printed, asked = outcomes(environment, tmp_path, C, hello, ask)
    assert (printed.transcript, returned(printed)) == ("hello\n", [None])
    assert (asked.transcript, returned(asked), asked.typed[0].offset) == ("n? 21\n", [42], 3)
    assert judged(ask, asked, ExpectedStep(42), printed="n? 21\n").verdict is Verdict.PASSED
    assert judged(hello, printed, ExpectedStep(None), printed="hallo\n").verdict is Verdict.WRONG_OUTPUT


def test_a_wrong_value_is_told(plain: RunEnvironment, tmp_path: Path) -> None:
    test = C.test("add(2, 2)")
    [outcome] = outcomes(plain, tmp_path, C, test)
    assert sentence(test, outcome) == "The function returns the wrong value: 5 expected, found 4."


@pytest.mark.slow
def test_calls_that_do_not_return(environment: RunEnvironment, tmp_path: Path) -> None:
    tests = crash, quits, endless = [C.test("crash()"), C.test("quit()"), C.test("endless()")]
    short = replace(LIMITS, cpu_seconds=1)
    crashed, ended, stopped = outcomes(environment, tmp_path, C, *tests, limits=short)
    assert judged(crash, crashed).verdict is Verdict.CRASH
    assert "SIGSEGV" in sentence(crash, crashed)
    assert judged(quits, ended).verdict is Verdict.EXIT_STATUS
    assert sentence(quits, ended) == "The function ends the whole program, as exit does, instead of returning."
    assert judged(endless, stopped).verdict is Verdict.CPU_LIMIT


@pytest.mark.slow
def test_a_call_that_cannot_be_compiled_leaves_the_others(environment: RunEnvironment, tmp_path: Path) -> None:
    program = Program("lab.c", "int only_declared(int);\nint add(int a, int b) { return a + b; }\n")
    calls = ("add(2, 3)", "sub(5)", "only_declared(3)", "add(1)", "add(1, 1)")
    tests = [program.test(call) for call in calls]
    right, missing, undefined, other, last = outcomes(environment, tmp_path, program, *tests)
    assert (returned(right), returned(last)) == ([5], [2])
    said = [sentence(*pair) for pair in zip(tests[1:4], (missing, undefined, other), strict=True)]
    assert [one.partition(" The compiler says ")[0] for one in said] == [
        "`sub(5)` cannot be called: lab.c has no `sub` that fits.",
        "`only_declared(3)` cannot be called: lab.c has no `only_declared` that fits.",
        "`add(1)` cannot be called like this: is it declared in another way in lab.c?",
    ]
    assert "implicit declaration of function" in said[0]
    assert judged(tests[1], missing).verdict is Verdict.BUILD_ERROR
    for outcome in (missing, undefined, other):
        assert "grader" not in outcome.transcript
        assert outcome.transcript.count("error: ") == 1


def test_a_program_that_cannot_be_compiled_is_told_as_such(plain: RunEnvironment, tmp_path: Path) -> None:
    for source, said in (
        ("int add(int a) { return a }\n", "lab.c:1:26: error: "),
        ("int x = y;\n", "lab.c:1:9: error: "),
    ):
        program = Program("lab.c", source)
        test = program.test("add(1)")
        [outcome] = outcomes(plain, tmp_path, program, test)
        assert judged(test, outcome).verdict is Verdict.BUILD_ERROR
        assert sentence(test, outcome).startswith("The program cannot be built: `gcc -o lab lab.c -lm` ended with")
        assert said in outcome.transcript
        assert "grader" not in outcome.transcript


def test_a_submission_is_compiled_once_for_all_tests_that_may_see_each_other(session: Session) -> None:
    built = session("")
    steps: list[BuildStep] = []

    def build(step: BuildStep) -> Outcome:
        steps.append(step)
        return built

    public = [C.test("add(1, 2)"), C.test("add(3, 4)")]
    hidden = [replace(C.test(call), visibility=Visibility.HIDDEN) for call in ("add(5, 6)", "add(7, 8)")]
    builds = ProgramBuilds((*public, *hidden), ())
    ready = [builds.ready(test, build, RunSlots(1)) for test in (*public, *hidden)]
    runs = [one.test.recipe.run for one in ready if isinstance(one, ReadyTest) and one.test.recipe]
    assert runs == [("./grader_calls", number) for number in "0101"]
    first, second = (step.files["grader_calls.c"] for step in steps)
    assert "add(3, 4)" in first
    assert "add(5, 6)" not in first
    assert "add(3, 4)" not in second


class SlowBuilds:
    """Builds that end well without calls, and with calls take a given time and then fail."""

    def __init__(self, seconds: float, ending: Termination) -> None:
        self._failed = replace(exited(TEST, "", exit_code=1), wall_seconds=seconds, ending=ending)
        self.steps: list[BuildStep] = []

    def run(self, step: BuildStep) -> Outcome:
        self.steps.append(step)
        return self._failed if "add(" in step.files["grader_calls.c"] else exited(TEST, "")


@pytest.mark.parametrize("ending", [Termination.TIMED_OUT, Termination.EXITED])
def test_a_program_that_compiles_slowly_is_not_compiled_for_each_test(ending: Termination) -> None:
    tests, slow = [C.test(f"add({number}, 1)") for number in range(9)], SlowBuilds(50.0, ending)
    builds = ProgramBuilds(tests, ())
    ready = [builds.ready(test, slow.run, RunSlots(1)) for test in tests]
    # All calls, none, and three tests alone: together they took more than twice the 60 seconds of a build.
    assert len(slow.steps) == 5
    last = ready[-1]
    assert isinstance(last, Outcome)
    assert judged(tests[-1], last).verdict is Verdict.BUILD_ERROR
    assert sentence(tests[-1], last) == (
        "The calls compile too slowly with lab.c: the compiler was not done after 150 seconds."
    )


def test_a_program_that_fails_quickly_is_compiled_for_each_test() -> None:
    tests, quick = [C.test(f"add({number}, 1)") for number in range(60)], SlowBuilds(4.0, Termination.EXITED)
    builds = ProgramBuilds(tests, ())
    for test in tests:
        builds.ready(test, quick.run, RunSlots(1))
    assert len(quick.steps) == len(tests) + 2


def test_a_program_that_cannot_be_compiled_is_not_compiled_for_each_kind_of_call() -> None:
    tests = [
        *(replace(C.test("add(1, 1)"), visibility=visibility) for visibility in Visibility),
        *(C.test("add(1, 1)", setup=(f"#define X {number}",)) for number in range(5)),
    ]
    failed = replace(exited(TEST, ""), exit_code=None, wall_seconds=60, ending=Termination.MEMORY_LIMIT)
    steps: list[BuildStep] = []

    def build(step: BuildStep) -> Outcome:
        steps.append(step)
        return failed

    builds = ProgramBuilds(tests, ())
    for test in tests:
        outcome = builds.ready(test, build, RunSlots(1))
        assert isinstance(outcome, Outcome)
        assert judged(test, outcome).verdict is Verdict.BUILD_ERROR
        assert "stopped when it used too much memory" in sentence(test, outcome)
    assert len(steps) == 2


def test_a_file_with_the_name_of_one_of_the_graders_is_refused(session: Session, tmp_path: Path) -> None:
    builds = ProgramBuilds((), [(tmp_path / "x", "grader_calls.c")])
    with pytest.raises(SessionError, match=r"has a file `grader_calls.c`, a name that the grader needs"):
        builds.ready(C.test("add(1, 2)"), lambda _: session(""), RunSlots(1))


@pytest.mark.slow
def test_what_looks_for_errors_in_memory_does_so_in_calls(environment: RunEnvironment, tmp_path: Path) -> None:
    source = (
        "#include <stdlib.h>\nint last(int n) { int *a = calloc(n, sizeof *a); int l = a[n]; free(a); return l; }\n"
    )
    program = Program("lab.c", source, BuildEntry(sanitizers=(Sanitizer.ADDRESS, Sanitizer.UNDEFINED)))
    test, fine = program.test("last(3)"), program.test("1 + 1")
    wrong, right = outcomes(environment, tmp_path, program, test, fine)
    assert judged(test, wrong).verdict is Verdict.RUNTIME_ERROR
    assert sentence(test, wrong) == "The program reads 1 element past the end of an array of 3, in line 2 of `lab.c`."
    assert (returned(right), right.error_report) == ([2], "")


@needs_valgrind
@pytest.mark.slow
def test_valgrind_finds_leaks_in_calls(environment: RunEnvironment, tmp_path: Path) -> None:
    source = "#include <stdlib.h>\nint lose(void) { return malloc(40) != NULL; }\n"
    program = Program("lab.c", source, BuildEntry(valgrind=True))
    test = program.test("lose()")
    [outcome] = outcomes(environment, tmp_path, program, test)
    assert returned(outcome) == [1]
    assert sentence(test, outcome, ExpectedStep(1)) == (
        "The program never frees 40 bytes that it allocates, in line 2 of `lab.c`."
    )


# What no standard reserves may be a name of the program's own.
NAMES_OF_THE_SYSTEM = r"""
#include <stdio.h>
int read = 1, open = 2, fcntl = 3;
void unlink(int *place) { *place = 0; }
void close(int *place) { *place = read + open + fcntl; }
int write(int number) { return number; }
int getpid(void) { return 4; }
int pwrite(int number) { printf("%d\n", number); return number; }
#pragma pack(push, 1)
struct packed { char a; int b; };
#define int long
#define float double
#define do {
"""


@pytest.mark.parametrize("file", ["list.c", "list.cpp"])
def test_names_pragmas_and_macros_of_the_program_do_no_harm(file: str, plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program(file, NAMES_OF_THE_SYSTEM)
    tests = [program.test(call) for call in ("write(7)", "getpid()", "pwrite(5)", "sizeof(struct packed)")]
    assert [returned(one) for one in outcomes(plain, tmp_path, program, *tests)] == [[7], [4], [5], [5]]


def test_directives_of_one_test_do_not_hold_in_others(plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program("fact.c", "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n")
    tests = [program.test(f"fact(N + {number - number})", setup=(f"#define N {number}",)) for number in (3, 4)]
    assert [returned(one) for one in outcomes(plain, tmp_path, program, *tests)] == [[6], [24]]


MACROS = """#include <iostream>
#include <string>
#include <tuple>
#include <vector>
#define swap(a, b) { auto t = a; a = b; b = t; }
#define value 10
#define type 1
#define data 2
#define at(i, j) i
#define get(i) v[i]
#define str 3
#define move(x, y) x
#define forward 4
#define index 5
#define out 6
#define strlen(s) 7
#define decay 8
#define has_value 9
#define private public
std::vector<std::string> words() { return {"a", "b"}; }
std::pair<int, char> both() { return {value, 'c'}; }
"""


@pytest.mark.slow
def test_macros_of_a_program_in_cplusplus_do_no_harm(plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program("m.cpp", MACROS)
    tests = [program.test("words()"), program.test("both()"), program.test("std::make_tuple(1, 2.5)")]
    found = [returned(one) for one in outcomes(plain, tmp_path, program, *tests)]
    assert found == [[["a", "b"]], [{"tuple": [10, "c"]}], [{"tuple": [1, 2.5]}]]


KINDS = """#include <ostream>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <vector>
enum class Colour { red, green };
std::ostream &operator<<(std::ostream &out, Colour) { return out << "a colour"; }
std::ostream &operator<<(std::ostream &out, const std::vector<int> &) { return out << "a vector"; }
namespace bags {
struct Empty : std::runtime_error { Empty() : std::runtime_error("empty") {} };
struct Bag {
    std::vector<int> items;
    std::vector<int>::const_iterator begin() const { return items.begin(); }
    std::vector<int>::const_iterator end() const { return items.end(); }
};
std::ostream &operator<<(std::ostream &out, const Bag &bag) { return out << "a bag of " << bag.items.size(); }
}
__int128 large(int n) { return n < 2 ? 1 : n * large(n - 1); }
std::unordered_multiset<int> many(int a, int b) { return {a, b, 3, a, 17, b, 1000}; }
int none() { throw bags::Empty(); }
"""


TEXTS_OF_ITS_OWN = """
int remove(int n) { return n ? remove(n - 1) : 0; }
unsigned long strlen(const char *s) { return s ? 7 : 0; }
char *strcpy(char *to, const char *from) { while (*from) *to++ = *from++; return to; }
void *memcpy(void *to, const void *from, unsigned long n) { return n && from ? to : 0; }
int atoi(const char *s) { return *s ? -1 : 0; }
int strcmp(const char *a, const char *b) { return a == b; }
int fopen, fgets, unlink, open, read, fflush;
void qsort(void) {}
int add(int a, int b) { return a + b; }
double half(int a) { return a / 2.0; }
const char *name(void) { return "abc"; }
"""


def test_a_programs_own_functions_of_the_system_cost_their_own_tests_alone(
    plain: RunEnvironment, tmp_path: Path
) -> None:
    program = Program("own.c", TEXTS_OF_ITS_OWN, BuildEntry(flags=("-fno-builtin",)))
    tests = [program.test("add(2, 3)", "half(3)", "name()", "remove(2)"), program.test('strlen("abc")', 'atoi("12")')]
    assert [returned(one) for one in outcomes(plain, tmp_path, program, *tests)] == [[5, 1.5, "abc", 0], [7, -1]]


NAMES_OF_THE_LIBRARY = [
    "#include <vector>\nusing namespace std;\nint left[100], right[100];\nint get(int n) { return left[0] = n; }",
    "#include <cstdio>\nusing namespace std;\nstruct string { char text[20]; };\n"
    "int hex, fixed, data, size, move, swap, decay, traits;\nint get(int n) { return size = data + n; }",
    "#include <vector>\nint time, random, clock, div, remove;\nint get(int n) { return time = n; }",
    "struct Point { int x; };\nPoint origin() { return {0}; }\nint get(int n) { return n; }",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [NAMES_OF_THE_LIBRARY[0], *(pytest.param(one, marks=pytest.mark.slow) for one in NAMES_OF_THE_LIBRARY[1:])],
)
def test_a_program_in_cplusplus_meets_no_header_that_it_does_not_include(
    source: str, plain: RunEnvironment, tmp_path: Path
) -> None:
    program = Program("own.cpp", source)
    (outcome,) = outcomes(plain, tmp_path, program, program.test("get(5)"))
    assert returned(outcome) == [5]


@pytest.mark.slow
def test_kinds_of_values_do_not_depend_on_what_else_a_class_can_do(plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program("kinds.cpp", KINDS)
    calls = ("Colour::green", "bags::Bag{{3, 4}}", "std::vector<int>{3}", "large(25)", "-large(25)", "many(1, 2)")
    test, failing = program.test(*calls), program.test("none()")
    found, raising = outcomes(plain, tmp_path, program, test, failing)
    factorial = 15511210043330985984000000
    many = [1, 1, 1000, 17, 2, 2, 3]
    assert returned(found) == [1, "a bag of 2", [3], factorial, -factorial, many]
    assert raising.call is not None
    raised = raising.call.steps[0].raised
    assert raised is not None
    assert raised.types[:3] == (".Empty", "Empty", "bags::Empty")


def test_a_program_cannot_report_in_the_place_of_its_main(plain: RunEnvironment, tmp_path: Path) -> None:
    """It writes to every descriptor that it may have, before the call and in it, and prints what looks like marks."""
    source = r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void forge(void) {
    const char *report = "{\"steps\":[{\"returned\":5,\"raised\":null}],\"given\":{},\"secret\":\"\"}";
    for (int fd = 3; fd < 256; fd++) pwrite(fd, report, strlen(report), 0);
}
__attribute__((constructor)) static void before(void) { forge(); }
int add(int a, int b) { forge(); printf(">>> 5\n"); return a - b; }
"""
    program = Program("lab.c", source)
    test = program.test("add(2, 3)")
    [outcome] = outcomes(plain, tmp_path, program, test)
    assert returned(outcome) == [-1]
    assert judged(test, outcome).verdict is Verdict.WRONG_OUTPUT


CPLUSPLUS = Program(
    "bank.cpp",
    r"""
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>
#define first one_of_my_own
#define max(a, b) ((a) > (b) ? (a) : (b))
using namespace std;

class Overdrawn : public runtime_error { public: Overdrawn() : runtime_error("too little") {} };
namespace inner { struct Closed {}; }
class Account {
    int money;
public:
    explicit Account(int m = 0) : money(m) { if (m < 0) throw invalid_argument("below zero"); }
    void deposit(int m) { money += m; }
    int withdraw(int m) { if (m > money) throw Overdrawn(); return money -= m; }
    friend ostream &operator<<(ostream &out, const Account &a) { return out << "Account " << a.money; }
};
struct Plain { int x; };
enum Colour { RED, GREEN };
enum class Size { SMALL = 3 };
vector<int> evens(int n) { vector<int> v; for (int i = 0; i < n; i += 2) v.push_back(i); return v; }
map<string, vector<int>> words() { return {{"a", {1}}, {"b", {}}}; }
unique_ptr<Account> make() { return make_unique<Account>(3); }
template <class T> T twice(T t) { return t + t; }
void closed() { cout << "before "; throw inner::Closed(); }
int past() { vector<int> v; return v.at(3); }
int main() { cout << max(1, 2); }
""",
)

CPLUSPLUS_VALUES: list[tuple[tuple[str, ...], list[object]]] = [
    (("evens(5)", "vector<bool>{true, false}", "deque<char>{'a'}"), [[0, 2, 4], [True, False], ["a"]]),
    (("words()", "unordered_map<int, bool>{{1, true}}"), [{"dict": [["a", [1]], ["b", []]]}, {"dict": [[1, True]]}]),
    (("set<int>{2, 1}", "multiset<int>{2, 1, 1}"), [{"set": [1, 2]}, [1, 1, 2]]),
    (('pair<int, string>(1, "é")', "make_tuple(1, 'c', 0.5f)"), [{"tuple": [1, "é"]}, {"tuple": [1, "c", 0.5]}]),
    (("optional<int>(3)", "optional<int>()", "nullptr"), [3, None, None]),
    (
        ("make()", "*make()", "&cout", "unique_ptr<int>()"),
        [{"object": "a pointer"}, "Account 3", {"object": "a pointer"}, None],
    ),
    (("RED", "Size::SMALL", "Plain{3}.x", "Plain{3}"), [0, 3, 3, {"object": "an object without operator<<"}]),
    (('twice(string("ab"))', "twice(1.5)", '"text"', 'string_view("v")'), ["abab", 3.0, "text", "v"]),
    (("[](int x) { return x + 1; }(2)", "evens(3).size()", "static_cast<long double>(2)"), [3, 2, 2.0]),
    (("int a[] = {3, 1};", "a", "array_of(a, 1)"), [None, [3, 1], [3]]),
]


@pytest.mark.slow
def test_values_of_cplusplus(environment: RunEnvironment, tmp_path: Path) -> None:
    tests = [CPLUSPLUS.test(*calls) for calls, _ in CPLUSPLUS_VALUES]
    found = outcomes(environment, tmp_path, CPLUSPLUS, *tests)
    assert [returned(one) for one in found] == [values for _, values in CPLUSPLUS_VALUES]


@pytest.mark.slow
def test_values_with_an_older_standard_and_all_warnings(plain: RunEnvironment, tmp_path: Path) -> None:
    source = '#include <map>\n#include <string>\nstd::map<int, std::string> words() { return {{1, "a"}}; }\n'
    flags = ("-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic")
    program = Program("words.cpp", source, BuildEntry(flags=flags))
    [outcome] = outcomes(plain, tmp_path, program, program.test("words()", "words().size()"))
    assert returned(outcome) == [{"dict": [[1, "a"]]}, 1]


@pytest.mark.slow
def test_exceptions_of_cplusplus(environment: RunEnvironment, tmp_path: Path) -> None:
    moves = CPLUSPLUS.test("Account a(5);", "a.deposit(3)", "a.withdraw(9)", "a.withdraw(1)", "a")
    tests = [
        moves,
        CPLUSPLUS.test("closed()"),
        CPLUSPLUS.test("Account a(-1);", "a.withdraw(1)"),
        CPLUSPLUS.test("past()"),
    ]
    moved, closed, broken, past = outcomes(environment, tmp_path, CPLUSPLUS, *tests)
    assert returned(moved) == [None, None, None, 7, "Account 7"]
    assert moved.call is not None
    raised = moved.call.steps[2].raised
    assert raised is not None
    assert (raised.types, raised.message) == (
        (".Overdrawn", "Overdrawn", "std::runtime_error", "std::exception"),
        "too little",
    )
    assert moved.transcript[raised.start : raised.end].startswith("terminate called after throwing an instance of")
    assert closed.transcript.startswith("before terminate called after throwing an instance of 'inner::Closed'")
    assert sentence(tests[1], closed) == "The program stops with inner::Closed."
    # What comes after a declaration that failed cannot be done.
    assert returned(broken) == [None, None]
    expected = ExpectedStep(None, ExpectedException(".std::out_of_range", ""))
    raises = replace(call_of(tests[3]), checks=frozenset({CallCheck.EXCEPTION_TYPE}))
    assert judge_call(tests[3], raises, ExpectedCall((expected,), "", {}), past).verdict is Verdict.PASSED
    another = ExpectedStep(None, ExpectedException("Overdrawn", ""))
    found = judge_call(tests[3], raises, ExpectedCall((another,), "", {}), past).diagnosis
    assert found is not None
    assert found.sentence.startswith("The call must raise Overdrawn, but raises std::out_of_range: ")


@pytest.mark.slow
def test_calls_that_cplusplus_cannot_compile(plain: RunEnvironment, tmp_path: Path) -> None:
    tests = [
        CPLUSPLUS.test(call) for call in ("evens(1)", "odds(1)", "Account().size()", 'evens("x")', "twice(Plain{1})")
    ]
    right, *wrong = outcomes(plain, tmp_path, CPLUSPLUS, *tests)
    assert returned(right) == [[0]]
    assert [sentence(*pair).partition(" The compiler says ")[0] for pair in zip(tests[1:], wrong, strict=True)] == [
        "`odds(1)` cannot be called: bank.cpp has no `odds` that fits.",
        "`Account().size()` cannot be called: bank.cpp has no `size` that fits.",
        '`evens("x")` cannot be called like this: is it declared in another way in bank.cpp?',
        "`twice(Plain{1})` cannot be called like this: is it declared in another way in bank.cpp?",
    ]
    assert not any("grader" in outcome.transcript for outcome in wrong)


JAVA = Program(
    "Bank.java",
    r"""
import java.util.*;
class Overdrawn extends RuntimeException { Overdrawn(String message) { super(message); } }
enum Colour { RED }
record Point(int x, List<String> names) {}
class Plain {}
class Shown { public String toString() { return "shown é"; } }
public class Bank {
    static class Closed extends Exception {}
    private int money;
    Bank(int money) { if (money < 0) throw new IllegalArgumentException("below zero"); this.money = money; }
    void deposit(int more) { money += more; }
    int withdraw(int less) { if (less > money) throw new Overdrawn("too little"); return money -= less; }
    static int add(int a, int b) { return a + b; }
    static void hello() { System.out.print("hello"); }
    static void close() throws Closed { throw new Closed(); }
    static int deep(int n) { return deep(n + 1); }
    static int quit() { System.exit(0); return 1; }
    static int ask() { System.out.print("n? "); return 2 * new Scanner(System.in).nextInt(); }
    public static void main(String[] arguments) { System.out.println("main"); }
}
""",
)

JAVA_VALUES: list[tuple[tuple[str, ...], list[object]]] = [
    (("Bank.add(2, 3)", "1.0", "0.1f", "1e20", "7L", "'c'", "true", "null"), [5, 1.0, 0.1, 1e20, 7, "c", True, None]),
    (("new int[] {1, 2}", 'new String[][] {{"é\\n"}, {}}', "List.of(1, 2)"), [[1, 2], [["é\n"], []], [1, 2]]),
    (('Map.of("a", List.of(1))', "Set.of('a')", "Optional.of(3)"), [{"dict": [["a", [1]]]}, {"set": ["a"]}, 3]),
    (('new Point(3, List.of("n"))',), [{"instance": ["Point", [["x", 3], ["names", ["n"]]]]}]),
    (
        ("Colour.RED", "new Shown()", "new Plain()"),
        ["RED", "shown é", {"object": "an object of Plain without toString"}],
    ),
    (("int n = 3;", "n + 1", "Bank.add(n, n);", "0.0 / 0"), [None, 4, None, {"number": "nan"}]),
    (('new BigInteger("10").pow(30)',), [10**30]),
]


OWN_JAVA = """import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
class Number { }
class Class { }
class Iterable { }
class Double { }
class Float { }
class System { }
class Exception { }
class String { }
class Geo {
    static class Point { public java.lang.String toString() { return "(1, 2)"; } }
    record Pair(int x, int y) { public java.lang.String toString() { return "(" + x + ")"; } }
    record Plain(int x, int y) { }
    static class Bag implements java.lang.Iterable<Integer> {
        public Iterator<Integer> iterator() { return List.of(3).iterator(); }
        public java.lang.String toString() { return "Bag[3]"; }
    }
    static class Items extends java.util.ArrayList<Integer> { }
    static class Empty extends RuntimeException { Empty() { super("empty"); } }
    static int show(int n) {
        try (PrintWriter out = new PrintWriter(java.lang.System.out)) { out.println(n); }
        return n;
    }
    static int none() { throw new Empty(); }
    static java.math.BigInteger power(int n) { return java.math.BigInteger.valueOf(-7).pow(n); }
}
"""


@needs_java
@pytest.mark.slow
def test_names_and_kinds_of_a_program_in_java_do_no_harm(plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program("Geo.java", OWN_JAVA)
    calls = ("new Geo.Point()", "new Geo.Pair(1, 2)", "new Geo.Bag()", "new Geo.Items()", "0.1f", "new Geo.Plain(1, 2)")
    others = [program.test(call) for call in ("Geo.show(3)", "Geo.none()", "Geo.power(6001)")]
    kinds, shown, raising, large = outcomes(plain, tmp_path, program, program.test(*calls), *others)
    assert returned(large) == [{"number": hex((-7) ** 6001)}]
    plain_record = {"instance": ["Plain", [["x", 1], ["y", 2]]]}
    assert returned(kinds) == ["(1, 2)", "(1)", "Bag[3]", [], 0.1, plain_record]
    assert (returned(shown), shown.transcript, shown.exit_code) == ([3], "3\n", 0)
    assert raising.call is not None
    raised = raising.call.steps[0].raised
    assert raised is not None
    assert (raised.types[:2], raised.message) == ((".Empty", "Geo.Empty"), "empty")


NAMES_OF_JAVA = """
import java.util.NoSuchElementException;

public class Liar {
    static class NullPointerException extends RuntimeException {}
    static class EmptyStackException extends RuntimeException {}
    static class InputMismatchException extends EmptyStackException {}
    static class Own extends IllegalStateException {}
    static class OfTwo extends InputMismatchException {}

    static void one() { throw new NullPointerException(); }
    static void two() { throw new EmptyStackException(); }
    static void three() { throw new OfTwo(); }
    static void four() { throw new Own(); }
    static void five() { throw new NoSuchElementException(); }
}
"""
OF_JAVA = [
    ("one", {".RuntimeException"}),
    ("two", {".EmptyStackException", ".RuntimeException"}),
    ("three", {".OfTwo", ".RuntimeException"}),
    ("four", {".Own", ".IllegalStateException", "java.lang.IllegalStateException", ".RuntimeException"}),
    ("five", {".NoSuchElementException", "java.util.NoSuchElementException", ".RuntimeException"}),
]
TRIED = {name for _, names in OF_JAVA for name in names} | {".NullPointerException", "java.lang.NullPointerException"}


@needs_java
@pytest.mark.slow
def test_an_exception_does_not_become_one_of_java_by_its_name(plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program("Liar.java", NAMES_OF_JAVA)
    tests = [program.test(f"Liar.{name}()") for name, _ in OF_JAVA]
    for test, outcome, (name, fitting) in zip(tests, outcomes(plain, tmp_path, program, *tests), OF_JAVA, strict=True):
        assert accepted_classes(test, outcome, TRIED | {".InputMismatchException"}) == fitting, name


OF_MANY = """
#include <stdexcept>
struct A : std::exception {};
struct B : std::exception {};
struct Two : A, B {};
struct Three : A, B, std::logic_error { Three() : std::logic_error("") {} };
struct Again : Two, std::logic_error { Again() : std::logic_error("") {} };
struct Further : std::out_of_range { Further() : std::out_of_range("") {} };
void two() { throw Two(); }
void three() { throw Three(); }
void again() { throw Again(); }
void further() { throw Further(); }
"""
OF_CPLUSPLUS = [
    ("two", {".Two", ".A", ".B"}),
    ("three", {".Three"}),
    ("again", {".Again", ".Two", ".std::logic_error"}),
    ("further", {".Further", ".std::out_of_range", ".std::logic_error"}),
]


@needs_cplusplus
@pytest.mark.slow
def test_an_exception_of_many_classes_is_of_none_of_them(plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program("many.cpp", OF_MANY)
    tests = [program.test(f"{name}()") for name, _ in OF_CPLUSPLUS]
    tried = {name for _, names in OF_CPLUSPLUS for name in names}
    results = zip(tests, outcomes(plain, tmp_path, program, *tests), OF_CPLUSPLUS, strict=True)
    for test, outcome, (name, fitting) in results:
        assert accepted_classes(test, outcome, tried) == fitting, name


def accepted_classes(test: Test, outcome: Outcome, classes: set[str]) -> set[str]:
    """Return the classes of which the exception in the outcome is one, when a test expects them."""
    call = replace(call_of(test), checks=frozenset({CallCheck.EXCEPTION_TYPE}))
    expected = {name: ExpectedCall((ExpectedStep(None, ExpectedException(name, "")),), "", {}) for name in classes}
    return {name for name, step in expected.items() if judge_call(test, call, step, outcome).verdict is Verdict.PASSED}


@needs_java
@pytest.mark.slow
def test_values_of_java(everywhere: RunEnvironment, tmp_path: Path) -> None:
    tests = [JAVA.test(*calls, setup=("import java.math.BigInteger",)) for calls, _ in JAVA_VALUES]
    found = outcomes(everywhere, tmp_path, JAVA, *tests)
    assert [returned(one) for one in found] == [values for _, values in JAVA_VALUES]


@needs_java
@pytest.mark.slow
def test_what_java_prints_reads_and_raises(environment: RunEnvironment, tmp_path: Path) -> None:
    moves = JAVA.test("Bank b = new Bank(5);", "b.deposit(3)", "b.withdraw(9)", "b.withdraw(1)")
    calls = ("Bank.hello()", "Bank.close()", "new Bank(-1)", "Bank.deep(1)", "Bank.quit()")
    tests = [moves, JAVA.test("Bank.ask()", lines=("21",)), *map(JAVA.test, calls)]
    moved, asked, hello, close, below, deep, ended = outcomes(environment, tmp_path, JAVA, *tests)
    assert returned(moved) == [None, None, None, 7]
    assert moved.call is not None
    assert [step.raised.types[0] for step in moved.call.steps if step.raised] == [".Overdrawn"]
    assert (asked.transcript, returned(asked)) == ("n? 21\n", [42])
    assert (hello.transcript, returned(hello)) == ("hello", [None])
    assert sentence(tests[3], close) == "The program stops in line 16 with Bank$Closed."
    assert sentence(tests[4], below) == "The program stops in line 11 with IllegalArgumentException: below zero."
    assert "GraderCalls" not in below.transcript
    assert sentence(tests[5], deep).startswith("The program stops in line 17 with StackOverflowError")
    assert judged(tests[6], ended).verdict is Verdict.EXIT_STATUS
    for name in (".IllegalArgumentException", "java.lang.RuntimeException", ".RuntimeException"):
        expected = ExpectedStep(None, ExpectedException(name, "below zero"))
        raises = replace(call_of(tests[4]), checks=frozenset({CallCheck.EXCEPTION_TYPE, CallCheck.EXCEPTION_MESSAGE}))
        assert judge_call(tests[4], raises, ExpectedCall((expected,), "", {}), below).verdict is Verdict.PASSED


@needs_java
@pytest.mark.slow
def test_calls_that_java_cannot_compile(plain: RunEnvironment, tmp_path: Path) -> None:
    calls = ("Bank.add(1, 1)", "Bank.sub(1)", 'Bank.add("x", 1)', "new Bank(1).money", "Bnk.add(1, 1)")
    tests = [JAVA.test(call) for call in calls]
    right, *wrong = outcomes(plain, tmp_path, JAVA, *tests)
    assert returned(right) == [2]
    assert [sentence(*pair).partition(" The compiler says ")[0] for pair in zip(tests[1:], wrong, strict=True)] == [
        "`Bank.sub(1)` cannot be called: Bank.java has no `sub(int)` that fits.",
        '`Bank.add("x", 1)` cannot be called like this: is it declared in another way in Bank.java?',
        "`new Bank(1).money` cannot be called like this: is it declared in another way in Bank.java?",
        "`Bnk.add(1, 1)` cannot be called: Bank.java has no `Bnk` that fits.",
    ]
    broken = Program("Bank.java", "class Bank { int x }\n")
    [outcome] = outcomes(plain, tmp_path, broken, broken.test("new Bank()"))
    assert sentence(broken.test("new Bank()"), outcome).startswith("The program cannot be built: `javac Bank.java`")


@pytest.mark.slow
def test_what_a_compiler_says_without_end_is_cut(plain: RunEnvironment, tmp_path: Path) -> None:
    program = Program("lab.c", f"#error {': In function grader_student_main ' * 800}\n")
    test = program.test("add(1)")
    [outcome] = outcomes(plain, tmp_path, program, test)
    assert judged(test, outcome).verdict is Verdict.BUILD_ERROR
    assert 10_000 < len(outcome.transcript) <= 20_000


def test_a_large_value_is_not_compared(plain: RunEnvironment, tmp_path: Path) -> None:
    source = "#include <stdlib.h>\nint *many(void) { return calloc(3000000, sizeof(int)); }\n"
    program = Program("lab.c", source)
    [outcome] = outcomes(plain, tmp_path, program, program.test("array_of(many(), 3000000)", "1"))
    assert returned(outcome) == [{"object": "a value too large to compare"}, 1]
    assert outcome.ending is Termination.EXITED
