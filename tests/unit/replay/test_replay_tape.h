// A small race with everything that a replay holds: commands, takeovers, a late join, controls that
// change; and what was fed to it, step by step. One such tape, and where it is written.
#pragma once

#include "replay/replay_format.h"
#include "unit/store/test_store_scene.h"

enum { TAPE_SLOTS = 3, TAPE_COMMANDS_MAX = 8, TAPE_TICKS_MAX = 1400 };

typedef struct tape_step {
    uint32_t command_count;
    apex_race_command commands[TAPE_COMMANDS_MAX];
    apex_controls controls[TAPE_SLOTS];
    uint64_t hash; ///< after it
} tape_step;

typedef struct store_tape {
    apex_track *track;
    apex_race *race;
    uint32_t ticks;
    tape_step steps[TAPE_TICKS_MAX];
    apex_controls given[TAPE_SLOTS];
    apex_player_id ada, bob;
    apex_replay_writer *writer; ///< NULL: not recorded
    uint64_t random;
} store_tape;

static inline apex_race_def tape_race_def(void) {
    apex_race_def def = scene_race_def(TAPE_SLOTS);
    def.late_join = true;
    def.countdown_s = 1.0;
    return def;
}

/// The store looks into no definition, so a few bytes do for each.
static inline apex_replay_header tape_header(void) {
    static const uint8_t track[] = {1, 2, 3, 0, 255};
    static const uint8_t cars[] = {'c', 'a', 'r'};
    return (apex_replay_header){
        .physics_version = APEX_PHYSICS_VERSION,
        .race = tape_race_def(),
        .track = {track, sizeof track},
        .car_count = 2,
        .cars = {{cars, sizeof cars}, {cars, 0}},
    };
}

static inline apex_race *tape_race(const apex_track *track) {
    apex_race_def def = tape_race_def();
    return scene_race(&def, track);
}

static inline void tape_begin(store_tape *tape, const char *path) {
    memset(tape, 0, sizeof *tape);
    tape->track = scene_ring(60.0);
    tape->race = tape_race(tape->track);
    tape->random = 5;
    if (path != NULL) {
        apex_replay_header header = tape_header();
        ck_assert_int_eq(apex_replay_create(path, &header, tape->race, &tape->writer), APEX_OK);
    }
}

static inline void tape_end(store_tape *tape) {
    ck_assert_int_eq(apex_replay_close(tape->writer), APEX_OK);
    apex_race_destroy(tape->race);
    apex_track_destroy(tape->track);
}

static inline void tape_command(store_tape *tape, const apex_race_command *command) {
    tape_step *step = &tape->steps[tape->ticks];
    ck_assert_int_eq(apex_race_apply(tape->race, command), APEX_OK);
    ck_assert_uint_lt(step->command_count, TAPE_COMMANDS_MAX);
    step->commands[step->command_count++] = *command;
    if (tape->writer != NULL) {
        apex_replay_command(tape->writer, command);
    }
}

static inline apex_player_id tape_join(store_tape *tape, const char *name) {
    apex_race_command join = {.kind = APEX_RACE_JOIN};
    ck_assert(apex_race_reserve(tape->race, &join.player));
    snprintf(join.name, sizeof join.name, "%s", name);
    tape_command(tape, &join);
    return join.player;
}

static inline void tape_simple(store_tape *tape, apex_race_command_kind kind,
                               apex_player_id player) {
    apex_race_command command = {
        .kind = kind, .player = player, .skill = 0.9, .lane_m = -0.4, .patience_s = 1.25};
    if (kind != APEX_RACE_TAKEOVER) {
        command.skill = command.lane_m = command.patience_s = 0.0;
    }
    if (kind == APEX_RACE_LEAVE) {
        command.why = APEX_LEAVE_KICKED;
    }
    tape_command(tape, &command);
}

static inline void tape_script(store_tape *tape) {
    switch (tape->ticks) {
    case 0:
        tape->ada = tape_join(tape, "Ada \xc5\x81");
        tape->bob = tape_join(tape, "31 letters are all that fit her");
        break;
    case 3:
        tape_simple(tape, APEX_RACE_TAKEOVER, tape->bob);
        tape_simple(tape, APEX_RACE_START, (apex_player_id){0, 0});
        break;
    case 300:
        tape_simple(tape, APEX_RACE_HANDBACK, tape->bob);
        tape_simple(tape, APEX_RACE_TAKEOVER, tape->ada);
        break;
    case 400:
        tape_simple(tape, APEX_RACE_LEAVE, tape->bob);
        tape->bob = tape_join(tape, "late");
        break;
    default:
        break;
    }
}

static inline uint32_t tape_random(store_tape *tape) {
    tape->random = tape->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(tape->random >> 33);
}

/// Every field takes every value it may have, at times all in one tick, mostly none.
static inline void tape_steer(store_tape *tape) {
    apex_controls *controls = &tape->given[tape_random(tape) % TAPE_SLOTS];
    controls->throttle = 200;
    controls->gear = APEX_GEAR_AUTOMATIC;
    if (tape_random(tape) % 16 == 0) {
        controls->steer = (int16_t)((int32_t)(tape_random(tape) % 65535) - 32767);
        controls->throttle = (uint8_t)tape_random(tape);
        controls->brake = (uint8_t)(tape_random(tape) % 40);
        controls->clutch = (uint8_t)(tape_random(tape) % 3);
        controls->handbrake = (uint8_t)(tape_random(tape) % 2);
        controls->shift_up_count++;
        controls->shift_down_count--;
        controls->reset_count = (uint8_t)(controls->reset_count + tape_random(tape) % 64 / 63);
        controls->aids_off = (uint8_t)tape_random(tape);
    }
}

/// A tick with the controls that are given.
static inline void tape_feed(store_tape *tape) {
    ck_assert_uint_lt(tape->ticks, TAPE_TICKS_MAX);
    apex_race_tick(tape->race, tape->given, NULL);
    tape_step *step = &tape->steps[tape->ticks++];
    memcpy(step->controls, apex_race_controls_used(tape->race), sizeof step->controls);
    step->hash = apex_race_hash(tape->race);
    if (tape->writer != NULL) {
        ck_assert_int_eq(apex_replay_tick(tape->writer, tape->race), APEX_OK);
    }
}

static inline void tape_tick(store_tape *tape) {
    tape_script(tape);
    tape_steer(tape);
    tape_feed(tape);
}

static inline void tape_run(store_tape *tape, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        tape_tick(tape);
    }
}

static inline bool tape_commands_equal(const apex_race_command *a, const apex_race_command *b) {
    return a->kind == b->kind && a->player.index1 == b->player.index1 &&
           a->player.generation == b->player.generation && a->car == b->car &&
           strcmp(a->name, b->name) == 0 && a->skill >= b->skill && a->skill <= b->skill &&
           a->lane_m >= b->lane_m && a->lane_m <= b->lane_m && a->patience_s >= b->patience_s &&
           a->patience_s <= b->patience_s && a->why == b->why;
}

static inline bool tape_controls_equal(const apex_controls *a, const apex_controls *b) {
    return a->steer == b->steer && a->throttle == b->throttle && a->brake == b->brake &&
           a->clutch == b->clutch && a->handbrake == b->handbrake && a->gear == b->gear &&
           a->shift_up_count == b->shift_up_count && a->shift_down_count == b->shift_down_count &&
           a->reset_count == b->reset_count && a->aids_off == b->aids_off;
}

/// A step as read against the one that was written.
static inline bool tape_step_equal(const store_tape *tape, const apex_replay_step *step) {
    if (step->tick >= tape->ticks) {
        return false;
    }
    const tape_step *wanted = &tape->steps[step->tick];
    bool equal = step->command_count == wanted->command_count &&
                 (!step->has_hash || step->hash == wanted->hash) &&
                 step->has_hash == ((step->tick + 1) % STORE_HASH_TICKS == 0);
    for (uint32_t i = 0; equal && i < step->command_count; i++) {
        equal = tape_commands_equal(&step->commands[i], &wanted->commands[i]);
    }
    for (uint32_t slot = 0; equal && slot < TAPE_SLOTS; slot++) {
        equal = tape_controls_equal(&step->controls[slot], &wanted->controls[slot]);
    }
    return equal;
}

static char path[STORE_PATH_BYTES];
static store_tape written;

/// Begins to write it, in a folder of its own; store_folder_drop ends that.
static inline void begin(void) {
    store_folder_make();
    store_path(path, "race.replay");
    tape_begin(&written, path);
}

static inline apex_replay_reader *opened(void) {
    char why[160] = "";
    apex_replay_reader *reader = NULL;
    apex_err err = apex_replay_open(path, &reader, why);
    ck_assert_msg(err == APEX_OK, "%s", why);
    return reader;
}
