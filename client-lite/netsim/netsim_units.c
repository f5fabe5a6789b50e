// A quantity is a number and a unit, and nothing after it.
#include "client-lite/netsim/netsim_units.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit {
    const char *name;
    double factor;
} unit;

// A number and one of the units, in all at most `max`.
static bool parse(const char *text, const unit units[], size_t count, double max, double *out) {
    // Plain digits: strtod also takes "nan", " 1" and "0x1p3".
    size_t digits = strspn(text, "0123456789.");
    char *end = NULL;
    double value = strtod(text, &end);
    if (digits == 0 || (size_t)(end - text) != digits) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(end, units[i].name) == 0) {
            *out = value * units[i].factor;
            return *out <= max;
        }
    }
    return false;
}

bool netsim_parse_share(const char *text, uint32_t *ppm) {
    static const unit UNITS[] = {{"%", 1e4}};
    double value = 0.0;
    bool ok = parse(text, UNITS, 1, 1e6, &value);
    *ppm = ok ? (uint32_t)(value + 0.5) : *ppm;
    return ok;
}

bool netsim_parse_duration(const char *text, uint64_t *us) {
    static const unit UNITS[] = {{"us", 1.0}, {"ms", 1e3}, {"s", 1e6}};
    double value = 0.0;
    bool ok = parse(text, UNITS, sizeof UNITS / sizeof UNITS[0], 60e6, &value);
    *us = ok ? (uint64_t)(value + 0.5) : *us;
    return ok;
}

bool netsim_parse_rate(const char *text, uint64_t *bytes_per_s) {
    static const unit UNITS[] = {{"kbit", 125.0}, {"Mbit", 125e3}, {"Gbit", 125e6}};
    double value = 0.0;
    bool ok = parse(text, UNITS, sizeof UNITS / sizeof UNITS[0], 1.25e9, &value) && value >= 1.0;
    *bytes_per_s = ok ? (uint64_t)(value + 0.5) : *bytes_per_s;
    return ok;
}
