// main() of every unit test lives in check_main.c and runs the one suite that the test defines.

#pragma once

#include <check.h>

enum { CHECK_PATH_BYTES = 160 };

// Defined by the test. NULL means that what it needs is not there: the test has said what, and
// counts as skipped.
Suite *apex_suite(void);

/// A new folder "name-XXXXXX", in one of the program's own. That goes with all that is in it when
/// the program ends, also when a test has failed.
void check_make_folder(char path[CHECK_PATH_BYTES], const char *name);

/// Away with it and all that is in it, while the program goes on: a disk that fails.
void check_remove_folder(const char *path);

/// A new file there, empty.
void check_make_file(char path[CHECK_PATH_BYTES], const char *name);

/// The number of `count` cases with the same code that are to be run: all of them, or as many as
/// APEX_SEEDS_MAX says.
int check_cases(int count);
