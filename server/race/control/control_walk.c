// The walk over what race control keeps. What is read is checked so that nothing it decides later
// reaches past an array: slots, levels, counts.
#include "race/control/control.h"

static void walk_who(race_walk *io, const race_control *control, apex_player_id *id) {
    race_walk_u16(io, &id->index1);
    race_walk_u16(io, &id->generation);
    io->ok = io->ok && id->index1 <= control->capacity;
}

void race_control_walk(race_walk *io, race_control *control) {
    uint32_t flag = (uint32_t)control->flag;
    race_walk_choice(io, &flag, APEX_RACE_FLAGS - 1);
    control->flag = (apex_race_flag)flag;
    race_walk_u32(io, &control->flag_ticks);
    race_walk_u32(io, &control->slow_down_ticks);
    race_walk_u32(io, &control->quiet_ticks);
    race_walk_bool(io, &control->by_itself);
    race_walk_u32(io, &control->red_laps);
    io->ok = io->ok && control->red_laps <= APEX_RACE_LAPS_MAX;
    for (uint32_t i = 0; i < control->stretch_count; i++) {
        race_stretch *stretch = &control->stretches[i];
        race_walk_choice(io, &stretch->level, 2);
        race_walk_u32(io, &stretch->left_ticks);
        race_walk_u32(io, &stretch->age_ticks);
    }
}

static void walk_pass(race_walk *io, const race_control *control, race_pass *pass) {
    walk_who(io, control, &pass->other);
    uint32_t offence = (uint32_t)pass->offence;
    race_walk_choice(io, &offence, APEX_OFFENCES - 1);
    pass->offence = (apex_offence)offence;
    race_walk_u32(io, &pass->left_ticks);
}

static void walk_passed(race_walk *io, race_passed *passed) {
    race_walk_u32(io, &passed->gates);
    for (uint32_t i = 0; i < RACE_GATE_TIMES; i++) {
        race_walk_u64(io, &passed->gate_us[i]);
    }
    race_walk_u32(io, &passed->laps);
    for (uint32_t i = 0; i < RACE_LINES_KEPT; i++) {
        race_walk_u64(io, &passed->line_us[i]);
    }
}

void race_flag_watch_walk(race_walk *io, const race_control *control, race_flag_watch *watch) {
    race_walk_u32(io, &watch->excused_ticks);
    race_walk_u32(io, &watch->slow_ticks);
    race_walk_u32(io, &watch->stood_ticks);
    race_walk_u32(io, &watch->over_ticks);
    race_walk_u32(io, &watch->yellow_lap);
    race_walk_u32(io, &watch->red_lap);
    race_walk_choice(io, &watch->blue, 2);
    race_walk_u32(io, &watch->ignored_ticks);
    walk_who(io, control, &watch->blue_for);
    walk_who(io, control, &watch->unlapped);
    race_walk_choice(io, &watch->pass_count, RACE_PASSES_MAX);
    for (uint32_t i = 0; i < RACE_PASSES_MAX; i++) {
        walk_pass(io, control, &watch->passes[i]);
    }
    race_walk_bool(io, &watch->drives);
    walk_passed(io, &watch->passed);
    race_walk_bool(io, &watch->red.known);
    race_walk_u32(io, &watch->red.gates);
    race_walk_u32(io, &watch->red.laps);
    io->ok = io->ok && watch->red.laps <= APEX_RACE_LAPS_MAX;
    race_walk_u64(io, &watch->red.gate_us);
}
