// Races under thousands of random commands and controls: whatever is asked in whatever phase, the
// rules' own promises hold, a refused command changes nothing, a second race that is told the same
// has the same bits, and so has one that goes on from saved bytes.
#include "test_race_scene.h"
#include "support/base/check_main.h"

enum { STORM_CARS = 10, STORM_TICKS = 3000, CAR_KINDS = 2, LINES_MAX = 2 * STORM_CARS };

typedef struct storm {
    uint64_t random;
    uint32_t calm_ticks; // between two bursts of commands, about
    apex_track *track;
    apex_race_def def;
    apex_race *race, *twin;
    apex_player_id players[STORM_CARS]; // as the storm believes them, by slot; null: nobody
    apex_controls controls[STORM_CARS];
    apex_race_phase phase;
    uint32_t accepted[APEX_RACE_CAR + 1], refused[APEX_RACE_CAR + 1];
    uint32_t phases_seen[APEX_PHASE_OVER + 1];
    uint32_t finishes, ticks;
} storm;

static uint32_t roll(storm *s, uint32_t sides) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (uint32_t)(s->random >> 33) % sides;
}

static apex_race *storm_race(const storm *s) {
    apex_car_def cars[CAR_KINDS] = {apex_default_car_def(), apex_default_car_def()};
    cars[1].mass_kg *= 0.8;
    cars[1].hull.length_m *= 0.9;
    apex_race *race = NULL;
    ck_assert_int_eq(apex_race_create(&s->def, s->track, cars, CAR_KINDS, &race), APEX_OK);
    return race;
}

static storm storm_begin(uint64_t seed, apex_track *track) {
    storm s = {.random = 0x9e3779b97f4a7c15u * (seed + 1), .track = track};
    s.calm_ticks = seed % 3 == 0 ? 20 : 500;
    s.def = scene_race_def(STORM_CARS);
    s.def.laps = 1 + roll(&s, 2);
    s.def.start_players = 3 * roll(&s, 2);
    s.def.lobby_s = roll(&s, 2);
    s.def.countdown_s = 0.4 * roll(&s, 3);
    s.def.finish_wait_s = 2.0 * roll(&s, 4);
    s.def.race_s_max = roll(&s, 2) * 40.0;
    s.def.results_s = 0.5 * roll(&s, 2);
    s.def.stuck_s = 2.0 * roll(&s, 2);
    s.def.races = 2 * roll(&s, 2);
    s.def.late_join = roll(&s, 4) != 0;
    s.def.reverse_grid = roll(&s, 2) != 0;
    s.def.world.fuel_burns = s.def.world.tyres_wear = roll(&s, 2) != 0;
    s.race = storm_race(&s);
    s.twin = storm_race(&s);
    return s;
}

static void storm_end(storm *s) {
    apex_race_destroy(s->race);
    apex_race_destroy(s->twin);
}

// Mostly somebody who is there, now and then one who has left, or nobody, or a wild number.
static apex_player_id some_player(storm *s) {
    apex_player_id id = s->players[roll(s, STORM_CARS)];
    switch (roll(s, 12)) {
    case 0:
        return (apex_player_id){0, 0};
    case 1:
        return (apex_player_id){(uint16_t)roll(s, 65536), (uint16_t)roll(s, 65536)};
    case 2:
        id.generation = (uint16_t)(id.generation - 2);
        return id;
    default:
        return id;
    }
}

static apex_race_command some_command(storm *s) {
    static const apex_race_command_kind kinds[] = {
        APEX_RACE_JOIN,     APEX_RACE_JOIN,     APEX_RACE_JOIN,     APEX_RACE_LEAVE,
        APEX_RACE_LEAVE,    APEX_RACE_TAKEOVER, APEX_RACE_TAKEOVER, APEX_RACE_TAKEOVER,
        APEX_RACE_TAKEOVER, APEX_RACE_HANDBACK, APEX_RACE_START,    APEX_RACE_CAR};
    apex_race_command command = {.kind = kinds[roll(s, 12)]};
    if (roll(s, 100) == 0) {
        command.kind = APEX_RACE_RESTART;
    } else if (roll(s, 200) == 0) {
        command.kind = APEX_RACE_END;
    }
    command.player = some_player(s);
    if (command.kind == APEX_RACE_JOIN && roll(s, 8) != 0) {
        apex_race_reserve(s->race, &command.player);
    }
    command.car = roll(s, CAR_KINDS + (roll(s, 8) == 0));
    memset(command.name, 'a' + (int)roll(s, 26), roll(s, sizeof command.name + 1));
    command.skill = 0.25 * roll(s, 5);
    command.lane_m = (double)roll(s, 5) - 2.0;
    return command;
}

static void note_command(storm *s, const apex_race_command *command) {
    s->accepted[command->kind]++;
    if (command->kind == APEX_RACE_JOIN) {
        s->players[command->player.index1 - 1] = command->player;
    } else if (command->kind == APEX_RACE_LEAVE) {
        s->players[command->player.index1 - 1] = (apex_player_id){0, 0};
    }
}

static void apply_both(storm *s, const apex_race_command *command) {
    uint64_t before = apex_race_hash(s->race);
    apex_err err = apex_race_apply(s->race, command);
    ck_assert_int_eq(apex_race_apply(s->twin, command), err);
    if (err == APEX_OK) {
        note_command(s, command);
    } else {
        s->refused[command->kind]++;
        ck_assert_msg(apex_race_hash(s->race) == before, "refused command %d changed the race",
                      (int)command->kind);
    }
}

// Half a field that knows the way, or a storm would hardly ever see the finish.
static void send_drivers(storm *s) {
    for (uint32_t i = 0; i < STORM_CARS / 2; i++) {
        apex_race_command command = {.kind = APEX_RACE_JOIN, .car = i % CAR_KINDS};
        ck_assert(apex_race_reserve(s->race, &command.player));
        apply_both(s, &command);
        command.kind = APEX_RACE_TAKEOVER;
        command.skill = 1.0;
        apply_both(s, &command);
    }
}

static void some_controls(storm *s) {
    for (uint32_t slot = 0; slot < STORM_CARS; slot++) {
        apex_controls *controls = &s->controls[slot];
        if (roll(s, 40) != 0) {
            continue;
        }
        *controls = (apex_controls){
            .steer = (int16_t)(roll(s, 65536) - 32768),
            .throttle = (uint8_t)(roll(s, 3) * 127),
            .brake = (uint8_t)(roll(s, 5) == 0 ? roll(s, 256) : 0),
            .handbrake = (uint8_t)(roll(s, 8) == 0 ? 255 : 0),
            .gear = (int8_t)(roll(s, 4) == 0 ? (int)roll(s, 256) - 128 : APEX_GEAR_AUTOMATIC),
            .shift_up_count = (uint8_t)roll(s, 256),
            .reset_count = (uint8_t)(controls->reset_count + (roll(s, 6) == 0)),
            .aids_off = (uint8_t)roll(s, 256),
        };
    }
}

static void check_phase_step(storm *s, apex_race_phase next, bool commanded) {
    static const bool steps[APEX_PHASE_OVER + 1][APEX_PHASE_OVER + 1] = {
        [APEX_PHASE_LOBBY] = {[APEX_PHASE_GRID] = true},
        [APEX_PHASE_GRID] = {[APEX_PHASE_LOBBY] = true,
                             [APEX_PHASE_COUNTDOWN] = true,
                             [APEX_PHASE_RACE] = true}, // without a countdown
        [APEX_PHASE_COUNTDOWN] = {[APEX_PHASE_LOBBY] = true, [APEX_PHASE_RACE] = true},
        [APEX_PHASE_RACE] = {[APEX_PHASE_FINISH] = true, [APEX_PHASE_RESULTS] = true},
        [APEX_PHASE_FINISH] = {[APEX_PHASE_RESULTS] = true},
        [APEX_PHASE_RESULTS] = {[APEX_PHASE_LOBBY] = true, [APEX_PHASE_OVER] = true},
    };
    ck_assert_msg(next == s->phase || commanded || steps[s->phase][next], "%s after %s",
                  apex_race_phase_name(next), apex_race_phase_name(s->phase));
    s->phase = next;
    s->phases_seen[next]++;
}

static void check_state(const apex_standing *line, const apex_race_status *status) {
    bool running = status->phase == APEX_PHASE_RACE || status->phase == APEX_PHASE_FINISH;
    switch (line->state) {
    case APEX_STANDING_RUNNING:
        ck_assert(running && line->present);
        ck_assert_uint_lt(line->laps, status->laps);
        break;
    case APEX_STANDING_FINISHED:
        ck_assert_uint_eq(line->laps, status->laps);
        ck_assert_uint_gt(line->total_us, 0);
        ck_assert_uint_ge(line->total_us, line->best_lap_us);
        break;
    case APEX_STANDING_WAITING:
        ck_assert(line->present);
        ck_assert_int_ne(status->phase, APEX_PHASE_RACE);
        break;
    case APEX_STANDING_DNF:
        break;
    }
}

static void check_order(const apex_standing *a, const apex_standing *b) {
    static const int ranks[] = {[APEX_STANDING_FINISHED] = 0,
                                [APEX_STANDING_RUNNING] = 1,
                                [APEX_STANDING_DNF] = 2,
                                [APEX_STANDING_WAITING] = 3};
    ck_assert_int_le(ranks[a->state], ranks[b->state]);
    if (a->state == APEX_STANDING_FINISHED && b->state == APEX_STANDING_FINISHED) {
        ck_assert_uint_le(a->total_us, b->total_us);
        ck_assert_uint_le(a->gap_us, b->gap_us);
    }
}

static void check_standings(const storm *s) {
    apex_standing lines[LINES_MAX];
    apex_race_status status = apex_race_status_of(s->race);
    size_t count = apex_race_standings(s->race, lines, LINES_MAX);
    double length_m = apex_track_length_m(s->track);
    uint32_t present = 0, running = 0;
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(lines[i].position, i + 1);
        ck_assert_double_finite(lines[i].lap_m);
        ck_assert_double_le(lines[i].lap_m, length_m);
        check_state(&lines[i], &status);
        if (i > 0) {
            check_order(&lines[i - 1], &lines[i]);
        }
        apex_standing same;
        ck_assert(apex_race_player_standing(s->race, lines[i].player, &same));
        ck_assert_uint_eq(same.position, lines[i].position);
        ck_assert(lines[i].present || status.phase != APEX_PHASE_LOBBY);
        present += lines[i].present;
        running += lines[i].state == APEX_STANDING_RUNNING;
        if (lines[i].present) {
            apex_player_id known = s->players[lines[i].player.index1 - 1];
            ck_assert_uint_eq(known.generation, lines[i].player.generation);
        }
    }
    uint32_t known = 0;
    for (uint32_t slot = 0; slot < STORM_CARS; slot++) {
        known += s->players[slot].index1 != 0;
    }
    ck_assert_uint_eq(present, known);
    ck_assert_uint_eq(status.players, known);
    ck_assert_uint_eq(status.running, running);
    ck_assert(status.race_time_us >= 0 || status.phase == APEX_PHASE_GRID ||
              status.phase == APEX_PHASE_COUNTDOWN);
}

static void check_poses(const storm *s) {
    apex_car_pose poses[STORM_CARS];
    apex_race_status status = apex_race_status_of(s->race);
    bool held = status.phase == APEX_PHASE_GRID || status.phase == APEX_PHASE_COUNTDOWN;
    size_t count = apex_world_poses(apex_race_world(s->race), poses, STORM_CARS);
    ck_assert_uint_eq(count, status.players);
    for (size_t i = 0; i < count; i++) {
        ck_assert(!held || poses[i].held);
        ck_assert(status.phase != APEX_PHASE_LOBBY || !poses[i].held);
        for (int axis = 0; axis < 3; axis++) {
            ck_assert_double_finite(poses[i].position_m[axis]);
            ck_assert_double_finite(poses[i].velocity_mps[axis]);
        }
    }
}

static void check_events(storm *s) {
    size_t count = 0;
    const apex_race_event *events = apex_race_events(s->race, &count);
    ck_assert_uint_le(count, 32 * STORM_CARS + 256);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_lt(events[i].kind, APEX_EVENT_KINDS);
        ck_assert(i == 0 || events[i].tick >= events[i - 1].tick);
        if (events[i].kind == APEX_EVENT_FINISHED) {
            s->finishes++;
            ck_assert_int_ge(events[i].value, 1);
        }
    }
}

// The twin goes on from the race's bytes in a race that has never seen any of it.
static void renew_twin(storm *s) {
    size_t length = apex_race_save_bytes(s->race);
    uint8_t *bytes = malloc(length), *again = malloc(length);
    ck_assert(bytes != NULL && again != NULL);
    apex_race_save(s->race, bytes);
    apex_race_save(s->twin, again);
    ck_assert_mem_eq(bytes, again, length);
    apex_race_destroy(s->twin);
    s->twin = storm_race(s);
    ck_assert_int_eq(apex_race_restore(s->twin, bytes, length), APEX_OK);
    free(bytes);
    free(again);
}

static void check_twins(const storm *s) {
    ck_assert_msg(apex_race_hash(s->race) == apex_race_hash(s->twin), "twins differ in tick %u",
                  (unsigned)apex_race_status_of(s->race).tick);
}

static void storm_tick(storm *s) {
    bool commanded = false;
    for (uint32_t n = roll(s, s->calm_ticks) == 0 ? roll(s, 9) : 0; n > 0; n--) {
        apex_race_command command = some_command(s);
        apply_both(s, &command);
        commanded = true;
    }
    some_controls(s);
    apex_race_tick(s->race, s->controls, NULL);
    apex_race_tick(s->twin, s->controls, NULL);
    s->ticks++;
    if (check_is_whole() || s->ticks % 10 == 0) {
        check_twins(s);
    }
    check_phase_step(s, apex_race_status_of(s->race).phase, commanded);
    check_standings(s);
    check_poses(s);
    check_events(s);
    if (roll(s, 200) == 0) {
        renew_twin(s);
    }
}

static void ride_out(uint64_t seed, apex_track *track, storm *total) {
    storm s = storm_begin(seed, track);
    send_drivers(&s);
    while (s.ticks < STORM_TICKS && s.phase != APEX_PHASE_OVER) {
        storm_tick(&s);
    }
    check_twins(&s);
    for (uint32_t i = 0; i <= APEX_PHASE_OVER; i++) {
        total->phases_seen[i] += s.phases_seen[i];
    }
    for (uint32_t i = 0; i <= APEX_RACE_CAR; i++) {
        total->accepted[i] += s.accepted[i];
        total->refused[i] += s.refused[i];
    }
    total->finishes += s.finishes;
    storm_end(&s);
}

// Of `pairs` of seeds. The first pair alone sees every phase, which is what the sanitizers need.
static void ride_out_many(apex_track *track, const uint64_t seeds[][2], int pairs) {
    storm total = {0};
    int ridden = check_cases(pairs);
    for (int i = 0; i < 2 * ridden; i++) {
        ride_out(seeds[i / 2][i % 2], track, &total);
    }
    // A storm that never got anywhere has tested nothing.
    for (uint32_t i = 0; i <= APEX_PHASE_OVER; i++) {
        ck_assert_msg(total.phases_seen[i] > 0, "no storm saw the %s",
                      apex_race_phase_name((apex_race_phase)i));
    }
    for (uint32_t i = 0; i <= APEX_RACE_CAR && ridden == pairs; i++) {
        ck_assert_msg(total.accepted[i] > 0, "command %u was never accepted", i);
    }
    ck_assert_uint_gt(total.finishes, 0);
    apex_track_destroy(track);
}

TEST(a_circuit_weathers_a_storm) {
    static const uint64_t seeds[][2] = {{1, 3}, {0, 2}, {4, 5}};
    ride_out_many(scene_ring(40.0), seeds, 3);
}

TEST(a_strip_weathers_a_storm) {
    static const uint64_t seeds[][2] = {{107, 105}, {102, 103}, {100, 101}, {104, 106}};
    ride_out_many(scene_strip(), seeds, 4);
}
