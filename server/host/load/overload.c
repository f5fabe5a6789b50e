// Step by step more is left out while seconds are strained, and less while they are calm.

#include "host/load/overload.h"

static const uint32_t LONG_PERCENT = 85, SHORT_PERCENT = 65;
enum { PATIENCE_S = 5, PATIENCE_S_MAX = 80, TOO_EARLY_S = 10, WELL_S = 60 };

const char *host_strain_text(host_strain strain) {
    switch (strain) {
    case HOST_STRAIN_NONE:
        return "ticks are in time";
    case HOST_STRAIN_FEWER_CARS:
        return "ticks take too long: clients are told of fewer cars";
    case HOST_STRAIN_HALF_RATE:
        return "ticks take too long: clients are told of fewer cars, half as often";
    case HOST_STRAIN_NO_NEWCOMERS:
        break;
    }
    return "ticks take too long: clients are told of fewer cars, half as often, and nobody new "
           "gets in";
}

static uint32_t patience_s(const host_overload *overload) {
    return overload->patience_s > 0 ? overload->patience_s : PATIENCE_S;
}

static void learn(host_overload *overload) {
    bool was_too_early = overload->back_s > 0 && overload->back_s <= TOO_EARLY_S;
    uint32_t doubled = 2 * patience_s(overload);
    if (was_too_early) {
        overload->patience_s = doubled < PATIENCE_S_MAX ? doubled : PATIENCE_S_MAX;
    }
    overload->back_s = 0;
}

static bool step_up(host_overload *overload) {
    overload->calm_seconds = 0;
    learn(overload);
    if (overload->strain == HOST_STRAIN_NO_NEWCOMERS) {
        return false;
    }
    overload->strain = (host_strain)(overload->strain + 1);
    return true;
}

static bool calm_down(host_overload *overload) {
    if (overload->strain == HOST_STRAIN_NONE || ++overload->calm_seconds < patience_s(overload)) {
        return false;
    }
    overload->calm_seconds = 0;
    overload->back_s = 1;
    overload->strain = (host_strain)(overload->strain - 1);
    return true;
}

static bool end_second(host_overload *overload) {
    bool is_long = 2 * overload->long_ticks > overload->ticks;
    bool is_short = 2 * overload->short_ticks > overload->ticks;
    overload->ticks = overload->long_ticks = overload->short_ticks = 0;
    if (overload->back_s > 0 && ++overload->back_s > WELL_S) {
        overload->back_s = 0;
        overload->patience_s = PATIENCE_S;
    }
    if (is_long) {
        return step_up(overload);
    }
    if (is_short) {
        return calm_down(overload);
    }
    overload->calm_seconds = 0;
    return false;
}

bool host_overload_note(host_overload *overload, uint64_t work_us, uint64_t period_us,
                        uint32_t tick_hz) {
    overload->ticks++;
    overload->long_ticks += 100 * work_us > LONG_PERCENT * period_us;
    overload->short_ticks += 100 * work_us <= SHORT_PERCENT * period_us;
    return overload->ticks >= tick_hz && end_second(overload);
}
