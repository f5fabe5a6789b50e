// main() of every unit test lives in check_main.c and runs the one suite that the test defines.

#pragma once

#include <check.h>

// Defined by the test. NULL means that what it needs is not there: the test has said what, and
// counts as skipped.
Suite *apex_suite(void);
