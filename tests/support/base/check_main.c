// main() of every unit test, and the folders that tests write in.
#define _GNU_SOURCE // nftw, MAP_ANONYMOUS, program_invocation_short_name
#include "support/base/check_main.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// What ctest knows as "skipped" (SKIP_RETURN_CODE in tests/CMakeLists.txt).
#define EXIT_SKIPPED 77

enum { ROOT_BYTES_MAX = 64, TESTS_MAX = 128 };

typedef struct listed_test {
    const TTest *test;
    int first, end;
    SFun set_up, tear_down;
} listed_test;

// The tests of the program, in the order of its file; the fixture of those that are still to come.
static struct {
    listed_test tests[TESTS_MAX];
    uint32_t count;
    SFun set_up, tear_down;
    bool (*is_there)(void);
} list;

static char home[ROOT_BYTES_MAX + 32];

// Where the last assertion passed. check would write each into a file, by a system call, and tell
// of the last; a test that dies of a signal tells of it here. Of one that is ended for its time
// check knows the name alone.
static struct {
    const char *file;
    int line;
} passed;

void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line) {
    passed.file = file;
    passed.line = line;
}

static void say_what_passed(int number) {
    char text[CHECK_PATH_BYTES + 64];
    int length = snprintf(text, sizeof text, "passed last: %s:%d\n",
                          passed.file != NULL ? passed.file : "nothing", passed.line);
    ssize_t written = write(STDERR_FILENO, text, (size_t)length);
    (void)written; // a test without its output dies all the same
    raise(number);
}

// The signal does what it does without a handler when it is raised again.
static void say_what_passed_before_death(void) {
    struct sigaction action = {.sa_handler = say_what_passed, .sa_flags = (int)SA_RESETHAND};
    static const int deaths[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL};
    for (size_t i = 0; i < sizeof deaths / sizeof deaths[0]; i++) {
        sigaction(deaths[i], &action, NULL);
    }
}

static void make_home(void) {
    const char *root = getenv("TMPDIR");
    if (root == NULL || strlen(root) > ROOT_BYTES_MAX) {
        root = "/tmp";
    }
    snprintf(home, sizeof home, "%s/apex-test-XXXXXX", root);
    if (mkdtemp(home) == NULL) {
        perror(home);
        exit(EXIT_FAILURE);
    }
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_home(void) {
    // A test may have gone into it.
    if (chdir("/") != 0 || nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0) {
        perror(home);
    }
}

void check_remove_folder(const char *path) {
    ck_assert_int_eq(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void check_make_folder(char path[CHECK_PATH_BYTES], const char *name) {
    snprintf(path, CHECK_PATH_BYTES, "%s/%s-XXXXXX", home, name);
    ck_assert_ptr_nonnull(mkdtemp(path));
}

void check_make_file(char path[CHECK_PATH_BYTES], const char *name) {
    snprintf(path, CHECK_PATH_BYTES, "%s/%s-XXXXXX", home, name);
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(close(file), 0);
}

void *check_shared(size_t bytes) {
    void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) {
        perror("memory that tests share");
        exit(EXIT_FAILURE);
    }
    return made;
}

int check_cases(int count) {
    const char *text = getenv("APEX_SEEDS_MAX");
    int most = text != NULL ? atoi(text) : count;
    return most >= 1 && most < count ? most : count;
}

bool check_is_whole(void) {
    return check_cases(2) == 2;
}

void check_aborts(void (*fails)(void), const char *said) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        fails();
        _exit(0);
    }
    close(ends[1]);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGABRT);
    char text[512] = "";
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    close(ends[0]);
    ck_assert_msg(strstr(text, said) != NULL, "'%s' is not in: %s", said, text);
}

void check_list_need(bool (*is_there)(void)) {
    list.is_there = is_there;
}

void check_list_fixture(SFun set_up, SFun tear_down) {
    list.set_up = set_up;
    list.tear_down = tear_down;
}

void check_list_test(const TTest *test, int first, int end) {
    if (list.count == TESTS_MAX) {
        fputs("a file has more tests than check_main.c has room for\n", stderr);
        abort();
    }
    list.tests[list.count++] = (listed_test){test, first, end, list.set_up, list.tear_down};
}

// A case for each test, so that CK_RUN_CASE can ask for one, and a failure names it.
static void add(Suite *suite, const listed_test *listed) {
    TCase *tcase = tcase_create(listed->test->name);
    tcase_add_checked_fixture(tcase, listed->set_up, listed->tear_down);
    tcase_add_loop_test(tcase, listed->test, listed->first, listed->end);
    suite_add_tcase(suite, tcase);
}

static Suite *suite_of_all(void) {
    Suite *suite = suite_create(program_invocation_short_name);
    for (uint32_t i = 0; i < list.count; i++) {
        add(suite, &list.tests[i]);
    }
    return suite;
}

// test_race_laps is unit.race_laps to ctest.
static void say_how_to_run_alone(SRunner *runner) {
    TestResult **failures = srunner_failures(runner);
    const char *program = program_invocation_short_name;
    const char *prefix = "test_";
    const char *name = strncmp(program, prefix, strlen(prefix)) == 0 ? program + 5 : program;
    for (int i = 0; i < srunner_ntests_failed(runner); i++) {
        if (i == 0 || strcmp(tr_tcname(failures[i]), tr_tcname(failures[i - 1])) != 0) {
            printf("alone: tests/run --only unit.%s/%s\n", name, tr_tcname(failures[i]));
        }
    }
    free(failures);
}

// A test that an assertion ended has freed nothing, and a hundred lines about that would stand
// below what it said.
static void end_without_looking_for_leaks(void) {
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

int main(void) {
    if (list.is_there != NULL && !list.is_there()) {
        puts("SKIPPED: what this test needs is not there");
        return EXIT_SKIPPED;
    }
    make_home();
    SRunner *runner = srunner_create(suite_of_all());
    // In a process of all tests a sanitizer says where it stopped.
    if (srunner_fork_status(runner) == CK_FORK) {
        say_what_passed_before_death();
    }
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    say_how_to_run_alone(runner);
    srunner_free(runner);
    remove_home();
    if (run == 0) {
        fputs("there is no such test (CK_RUN_CASE), or none at all\n", stderr);
        return EXIT_FAILURE;
    }
    if (failed > 0) {
        end_without_looking_for_leaks();
    }
    return EXIT_SUCCESS;
}
