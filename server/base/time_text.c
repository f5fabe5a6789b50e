// Times of races as text: cut to the millisecond, never rounded.
#include "base/time_text.h"

#include <inttypes.h>
#include <stdio.h>

// Seconds with what stands before and behind them; minutes and hours only where there are any.
static void put(char out[APEX_TIME_TEXT_BYTES], const char *sign, uint64_t seconds,
                const char *fraction) {
    uint64_t hours = seconds / 3600;
    unsigned minutes = (unsigned)(seconds / 60 % 60);
    unsigned rest = (unsigned)(seconds % 60);
    if (hours > 0) {
        snprintf(out, APEX_TIME_TEXT_BYTES, "%s%" PRIu64 ":%02u:%02u.%s", sign, hours, minutes,
                 rest, fraction);
    } else if (minutes > 0) {
        snprintf(out, APEX_TIME_TEXT_BYTES, "%s%u:%02u.%s", sign, minutes, rest, fraction);
    } else {
        snprintf(out, APEX_TIME_TEXT_BYTES, "%s%u.%s", sign, rest, fraction);
    }
}

static void put_thousandths(char out[APEX_TIME_TEXT_BYTES], const char *sign, uint64_t us) {
    char fraction[8];
    snprintf(fraction, sizeof fraction, "%03u", (unsigned)(us / 1000 % 1000));
    put(out, sign, us / 1000000, fraction);
}

static uint64_t size_of(int64_t us) {
    return us < 0 ? 0 - (uint64_t)us : (uint64_t)us;
}

void apex_time_text(uint64_t us, char out[APEX_TIME_TEXT_BYTES]) {
    out[0] = '\0';
    if (us > 0) {
        put_thousandths(out, "", us);
    }
}

// A gap of less than a thousandth has no sign to speak of.
void apex_gap_text(int64_t us, char out[APEX_TIME_TEXT_BYTES]) {
    put_thousandths(out, us <= -1000 ? "-" : "+", size_of(us));
}

void apex_clock_text(int64_t us, char out[APEX_TIME_TEXT_BYTES]) {
    uint64_t tenths = size_of(us) / 100000 + (us < 0 && size_of(us) % 100000 > 0);
    char fraction[8];
    snprintf(fraction, sizeof fraction, "%u", (unsigned)(tenths % 10));
    put(out, us < 0 ? "-" : "", tenths / 10, fraction);
}
