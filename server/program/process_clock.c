// The clocks of the system.

#include "program/process_clock.h"

#include <sys/resource.h>
#include <time.h>

static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t server_monotonic_ns(void) {
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t server_monotonic_us(void) {
    return clock_ns(CLOCK_MONOTONIC) / 1000u;
}

uint64_t server_unix_us(void) {
    return clock_ns(CLOCK_REALTIME) / 1000u;
}

uint64_t server_boot_us(void) {
    return clock_ns(CLOCK_BOOTTIME) / 1000u;
}

uint64_t server_cpu_us(void) {
    struct rusage spent;
    getrusage(RUSAGE_SELF, &spent);
    const struct timeval *user = &spent.ru_utime;
    const struct timeval *kernel = &spent.ru_stime;
    return (uint64_t)(user->tv_sec + kernel->tv_sec) * 1000000u +
           (uint64_t)(user->tv_usec + kernel->tv_usec);
}
