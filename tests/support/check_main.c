#include "support/check_main.h"

#include <stdio.h>
#include <stdlib.h>

// What ctest knows as "skipped" (SKIP_RETURN_CODE in tests/CMakeLists.txt).
#define EXIT_SKIPPED 77

int main(void) {
    Suite *suite = apex_suite();
    if (!suite) {
        puts("SKIPPED: what this test needs is not there");
        return EXIT_SKIPPED;
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) {
        fputs("the suite is empty\n", stderr);
        return EXIT_FAILURE;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
