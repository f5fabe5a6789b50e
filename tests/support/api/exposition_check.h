// Prometheus' text format 0.0.4, read more strictly than Prometheus does.

#ifndef APEX_TESTS_EXPOSITION_CHECK_H
#define APEX_TESTS_EXPOSITION_CHECK_H

#include <stdbool.h>

enum { EXPOSITION_WHY_BYTES = 512 };

// Each family has HELP, then TYPE, then its samples, all together and once; names and labels are
// well formed, no series is there twice; counters end in _total and are finite; histograms have
// buckets that grow up to +Inf, and a sum and a count for each.
bool exposition_check(const char *text, char why[EXPOSITION_WHY_BYTES]);

// The value of one series, written as in the text: apex_cars{race="1"}. NAN if it is not there.
double exposition_value(const char *text, const char *series);

#endif
