// The end of a session: when the flag is out, and whose race a crossing of the line ends
// (DECISIONS 66).
#include "race/event/chequered.h"

#include "base/assert.h"

static void show(race_chequered *flag, uint64_t time_us) {
    APEX_ASSERT(!flag->out);
    flag->out = true;
    flag->out_us = time_us;
}

static bool is_elapsed(const race_ending *ending, uint64_t time_us) {
    return ending->duration_us > 0 && time_us >= ending->duration_us;
}

void race_chequered_clock(race_chequered *flag, const race_ending *ending, uint64_t now_us) {
    if (!ending->is_race && !flag->out && is_elapsed(ending, now_us)) {
        show(flag, ending->duration_us);
    }
}

// The lead was taken over the line. @return whether that ends the race.
static bool ends_race(race_chequered *flag, const race_ending *ending, uint64_t time_us) {
    if (flag->target == 0 && is_elapsed(ending, time_us)) {
        flag->target = flag->lead_laps + (ending->extra_lap ? 1 : 0);
    }
    return flag->lead_laps >= ending->laps || (flag->target > 0 && flag->lead_laps >= flag->target);
}

bool race_chequered_cross(race_chequered *flag, const race_ending *ending, uint32_t laps,
                          uint64_t time_us) {
    race_chequered_clock(flag, ending, time_us);
    bool leads = laps > flag->lead_laps;
    if (leads) {
        flag->lead_laps = laps;
        flag->lead_us = time_us;
    }
    if (leads && ending->is_race && !flag->out && ends_race(flag, ending, time_us)) {
        show(flag, time_us);
    }
    return laps >= ending->laps || (flag->out && time_us >= flag->out_us);
}

void race_chequered_call(race_chequered *flag, const race_ending *ending, uint64_t now_us) {
    bool back = ending->is_race && flag->lead_laps > 0;
    show(flag, back ? flag->lead_us : now_us);
}

bool race_chequered_in_time(const race_ending *ending, const race_chequered *flag,
                            uint64_t begun_us, uint64_t ended_us) {
    uint64_t end_us = flag->out ? flag->out_us : ending->duration_us;
    if (ending->is_race || (end_us == 0 && !flag->out)) {
        return true;
    }
    return begun_us < end_us && ended_us <= end_us + ending->overtime_us;
}
