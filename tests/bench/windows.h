// The means with which benchmarks of windows measure: processor time of the thread, medians, and
// which of the figures were asked for.

#ifndef APEX_TESTS_WINDOWS_H
#define APEX_TESTS_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double windows_thread_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline int windows_compare(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// Sorts the values.
static inline double windows_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, windows_compare);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

// Arguments are beginnings of figures' names; none means all. @param figures the beginning that the
// names of some figures share, for instance "replicate.bits"
static inline bool windows_is_wanted(int count, char **names, const char *figures) {
    for (int i = 1; i < count; i++) {
        size_t shared = strlen(names[i]) < strlen(figures) ? strlen(names[i]) : strlen(figures);
        if (strncmp(figures, names[i], shared) == 0) {
            return true;
        }
    }
    return count < 2;
}

#endif
