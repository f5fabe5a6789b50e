// main() of every unit test, and the folders that tests write in.
#define _GNU_SOURCE // nftw
#include "support/base/check_main.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The exit code that ctest knows as "skipped" (SKIP_RETURN_CODE in tests/CMakeLists.txt).
#define EXIT_SKIPPED 77

enum { ROOT_BYTES_MAX = 64 };

static char home[ROOT_BYTES_MAX + 32];

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

int check_cases(int count) {
    const char *text = getenv("APEX_SEEDS_MAX");
    int most = text != NULL ? atoi(text) : count;
    return most >= 1 && most < count ? most : count;
}

int main(void) {
    Suite *suite = apex_suite();
    if (suite == NULL) {
        puts("SKIPPED: what this test needs is not there");
        return EXIT_SKIPPED;
    }
    make_home();
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_home();
    if (run == 0) {
        fputs("the suite is empty\n", stderr);
        return EXIT_FAILURE;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
