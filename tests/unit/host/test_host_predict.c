// The own car as a client predicts it, against the server that then drives it: in virtual time,
// over links with delay, jitter and loss.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "client-lite/client_internal.h"
#include "client-lite/prediction/predict.h"
#include "support/base/check_main.h"
#include "support/host/shared_content.h"
#include "support/host/virtual_race.h"

enum { RING = 256, CLIENTS_MAX = 4, PLAYERS_MAX = 64, ROUNDS_PER_TICK = 4 };

static const uint64_t DELAY_US = 60000;

static apex_race_file race_on(const char *track, uint32_t players) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "%s", track);
    file.race.laps = 5;
    file.race.races = 1;
    file.race.start_players = players;
    file.race.player_capacity = players + 8;
    file.race.countdown_s = 1.0;
    file.clients_max = players + 4;
    return file;
}

static link_sim_def link_of(uint64_t delay_us) {
    link_sim_def links = link_sim_default_def(CLIENTS_MAX);
    links.seed = 11;
    links.up.delay_us = links.down.delay_us = delay_us;
    return links;
}

static apex_client_def predicting(void) {
    apex_client_def def = apex_default_client_def();
    def.name = "ada";
    def.predict = true;
    return def;
}

// The state that the client foretold for each tick when it was newest, and what came of it.
typedef struct watcher {
    uint32_t foretold_tick[RING];
    apex_car_state foretold[RING];
    uint32_t last_tick;
    uint32_t checked, exact, excused;
    uint64_t missed; ///< samples that came too late
    uint32_t resets, excused_until;
    double worst_m, fastest_mps;
    // Of what is shown: the largest step from one frame to the next that velocity does not explain.
    bool has_shown;
    apex_client_pose shown;
    double worst_jump_m, worst_jump_rad, worst_rate;
    uint32_t shown_count;
} watcher;

static void watch_shown(watcher *self, virtual_race *race) {
    apex_client_pose pose;
    if (!apex_client_predicted(virtual_race_client(race, 0), virtual_race_now_us(race), &pose)) {
        self->has_shown = false;
        return;
    }
    if (self->has_shown) {
        double dt_s = 1.0 / (apex_server_tick_hz(virtual_race_server(race)) * ROUNDS_PER_TICK);
        double rate = (pose.tick - self->shown.tick) /
                      (dt_s * apex_server_tick_hz(virtual_race_server(race)));
        self->worst_rate = fmax(self->worst_rate, fabs(rate - 1.0));
        double jump_m = hypot(
            pose.position_m[0] - self->shown.position_m[0] - self->shown.velocity_mps[0] * dt_s,
            pose.position_m[1] - self->shown.position_m[1] - self->shown.velocity_mps[1] * dt_s);
        self->worst_jump_m = fmax(self->worst_jump_m, jump_m);
        double turn_rad = remainder(
            pose.yaw_rad - self->shown.yaw_rad - self->shown.yaw_rate_radps * dt_s, 2.0 * M_PI);
        self->worst_jump_rad = fmax(self->worst_jump_rad, fabs(turn_rad));
    }
    self->has_shown = true;
    self->shown = pose;
    self->shown_count++;
}

// A driver who is stuck asks to be put back: that is for the rules to do, and no tick of the trip
// to the server and back counts, nor of that from the end of being a ghost, two seconds later.
static void excuse(watcher *self, const virtual_race *race, uint32_t tick) {
    apex_standing lines[PLAYERS_MAX];
    size_t count = apex_race_standings(virtual_race_hosted(race), lines, PLAYERS_MAX);
    uint32_t resets = 0;
    for (size_t i = 0; i < count; i++) {
        resets += lines[i].resets;
    }
    if (resets != self->resets) {
        self->resets = resets;
        self->excused_until = tick + 240;
    }
    // A sample that comes too late is not used: the server repeats the one before. The clock of
    // controls lets that happen on a tick in a few hundred, and the client hears of it a trip
    // later.
    uint64_t missed = apex_server_controls_counters(virtual_race_server(race)).missed;
    if (missed != self->missed) {
        self->missed = missed;
        uint32_t until = tick + 12;
        self->excused_until = until > self->excused_until ? until : self->excused_until;
    }
}

static void watch(virtual_race *race, void *context) {
    watcher *self = context;
    const client_predict *predict = client_session_of(virtual_race_client(race, 0))->predict;
    apex_car_state state;
    if (predict != NULL && client_predict_state(predict, &state)) {
        uint32_t tick = client_predict_tick(predict);
        self->foretold_tick[tick % RING] = tick;
        self->foretold[tick % RING] = state;
    }
    const apex_world *world = apex_race_world(virtual_race_hosted(race));
    uint32_t tick = (uint32_t)apex_world_tick(world);
    apex_car_id car = {(uint16_t)apex_client_car(virtual_race_client(race, 0)),
                       (uint16_t)(apex_client_car(virtual_race_client(race, 0)) >> 16)};
    excuse(self, race, tick);
    if (tick != self->last_tick && tick < self->excused_until) {
        self->excused++;
    } else if (tick != self->last_tick && self->foretold_tick[tick % RING] == tick &&
               apex_world_get_car(world, car, &state)) {
        const apex_car_state *foretold = &self->foretold[tick % RING];
        self->checked++;
        self->exact += memcmp(foretold, &state, sizeof state) == 0;
        self->worst_m = fmax(self->worst_m, hypot(foretold->position_m[0] - state.position_m[0],
                                                  foretold->position_m[1] - state.position_m[1]));
    }
    if (tick != self->last_tick && apex_world_get_car(world, car, &state)) {
        double speed_mps = hypot(state.velocity_mps[0], state.velocity_mps[1]);
        self->fastest_mps = fmax(self->fastest_mps, speed_mps);
    }
    self->last_tick = tick;
    watch_shown(self, race);
}

static virtual_race *create(const apex_race_file *file, link_sim_def links) {
    virtual_race_def def = {
        .file = *file, .network = links, .round_hz = file->race.world.tick_hz * ROUNDS_PER_TICK};
    virtual_race *race = virtual_race_create(&def);
    ck_assert_ptr_nonnull(race);
    return race;
}

static virtual_race *begin(const apex_race_file *file, link_sim_def links, watcher *seen) {
    virtual_race *race = create(file, links);
    memset(seen, 0, sizeof *seen);
    apex_client_def def = predicting();
    def.tracks = client_plans_tracks(shared_content_plans()); // laid once for pilot and predictor
    virtual_race_pilot(race, virtual_race_connect(race, &def), true);
    virtual_race_on_round(race, watch, seen);
    return race;
}

static void forget(watcher *self) {
    self->checked = self->exact = self->excused = 0;
    self->worst_m = self->fastest_mps = 0.0;
    self->worst_jump_m = self->worst_jump_rad = self->worst_rate = 0.0;
}

// Alone or in traffic, from two seconds after the start: that itself is the server's to say.
static virtual_race *begin_racing(const apex_race_file *file, watcher *seen) {
    virtual_race *race = begin(file, link_of(DELAY_US), seen);
    ck_assert(virtual_race_until_phase(race, APEX_PHASE_RACE, 10.0));
    virtual_race_run(race, 2.0);
    forget(seen);
    return race;
}

static void assert_exact_alone(const apex_race_file *file, double seconds) {
    static watcher seen;
    virtual_race *race = begin_racing(file, &seen);
    apex_client *client = virtual_race_client(race, 0);
    apex_client_prediction before = apex_client_prediction_of(client);
    virtual_race_run(race, seconds);
    apex_client_prediction after = apex_client_prediction_of(client);
    ck_assert_double_gt(seen.fastest_mps, 15.0);
    // Every tick was foretold, and more than the link's delay before it came.
    ck_assert_uint_ge(seen.checked + seen.excused, (uint32_t)(seconds * 60.0) - 2);
    ck_assert_uint_le(seen.excused, 480);
    ck_assert_uint_eq(seen.exact, seen.checked);
    ck_assert_double_gt(
        client_predict_tick(client_session_of(virtual_race_client(race, 0))->predict) -
            apex_client_server_tick(client, virtual_race_now_us(race)),
        (double)DELAY_US * 60e-6);
    ck_assert_uint_ge(after.compared - before.compared, (uint32_t)(seconds * 20.0) - 2);
    if (seen.excused == 0) {
        ck_assert_uint_eq(after.exact - before.exact, after.compared - before.compared);
        // A tick that was right needs no second time.
        ck_assert_uint_le(after.steps - before.steps, (uint32_t)(seconds * 60.0) + 2);
        ck_assert_double_lt(seen.worst_jump_m, 0.04); // as far as a rate of 1.1 takes it
    }
    virtual_race_destroy(race);
}

TEST(alone_on_a_road_it_is_exact) {
    apex_race_file file = race_on("ridgeway", 1);
    assert_exact_alone(&file, 4.0 * check_cases(10));
}

TEST(alone_on_loose_hills_it_is_exact) {
    apex_race_file file = race_on("highfell", 1);
    assert_exact_alone(&file, 4.0 * check_cases(10));
}

// A client that did not hear of these would be wrong within a second.
TEST(the_rules_of_the_world_are_heard_of) {
    apex_race_file file = race_on("oval", 1);
    file.race.world.gravity_mps2 = 8.5;
    file.race.world.air_density_kg_per_m3 = 2.0;
    file.race.world.damage = APEX_DAMAGE_FULL;
    file.race.world.fuel_burns = !file.race.world.fuel_burns;
    file.race.world.tyres_wear = !file.race.world.tyres_wear;
    file.race.world.temperatures = !file.race.world.temperatures;
    assert_exact_alone(&file, 15.0);
}

TEST(other_rates_are_as_exact) {
    apex_race_file file = race_on("oval", 1);
    file.race.world.tick_hz = 50;
    file.race.world.substep_hz = 200;
    file.snapshot_hz = 10;
    static watcher seen;
    virtual_race *race = begin_racing(&file, &seen);
    virtual_race_run(race, 15.0);
    ck_assert_uint_ge(seen.checked, 740);
    ck_assert_uint_eq(seen.exact, seen.checked);
    virtual_race_destroy(race);
}

static void say(const char *what, const watcher *seen, const virtual_race *race) {
    apex_client_prediction stats = apex_client_prediction_of(virtual_race_client(race, 0));
    printf("%s: %u of %u ticks foretold to the bit, worst %.4f m; of what was compared p50 %.4f m, "
           "p99 %.4f m, max %.4f m and %.4f rad; %llu snaps; shown jumps up to %.4f m, %.4f rad, "
           "rate %.3f\n",
           what, seen->exact, seen->checked, seen->worst_m, stats.error_m_p50, stats.error_m_p99,
           stats.error_m_max, stats.error_rad_max, (unsigned long long)stats.snaps,
           seen->worst_jump_m, seen->worst_jump_rad, seen->worst_rate);
}

typedef struct link_case {
    uint64_t delay_us, jitter_us;
    uint32_t loss_permille;
    uint32_t exact_percent; ///< of ticks, at least
    double worst_m, jump_m; ///< of what was foretold, and from frame to frame of what is shown
} link_case;

static const link_case LINKS[] = {
    {80000, 30000, 150, 80, 0.20, 0.05},  {1000, 0, 10, 95, 0.10, 0.05},
    {11000, 10000, 250, 50, 0.50, 0.10},  {200000, 25000, 50, 80, 0.50, 0.10},
    {200000, 25000, 250, 50, 1.00, 0.10},
};

// Round and round with a restless hand: every sample is another one. No driver, who would need to
// see, and is put back when he crashes.
static void fidget(virtual_race *race, void *context) {
    uint64_t beat = apex_world_tick(apex_race_world(virtual_race_hosted(race))) / 12;
    uint32_t noise = (uint32_t)beat * 2654435761u >> 20;
    apex_control_sample sample = {.gear = APEX_GEAR_AUTOMATIC,
                                  .steer = (int16_t)(4000 + (int)(noise % 6000)),
                                  .throttle = (uint8_t)(60 + noise % 100),
                                  .brake = (uint8_t)(noise % 7 == 0 ? 120 : 0)};
    apex_client_set_controls(virtual_race_client(race, 0), &sample);
    watch(race, context);
}

// Wrong is only what controls that came too late have changed.
TEST_OVER(bad_links_cost_little, 0, check_cases((int)(sizeof LINKS / sizeof LINKS[0]))) {
    const link_case *is = &LINKS[_i];
    apex_race_file file = race_on("skidpad", 1);
    file.race.stuck_s = 0.0;
    link_sim_def links = link_of(is->delay_us);
    netsim_def way = links.down;
    way.jitter_us = is->jitter_us;
    way.loss_ppm = is->loss_permille * 1000;
    way.reorder_ppm = way.duplicate_ppm = 50000;
    links.up = links.down = way;
    static watcher seen;
    virtual_race *race = begin(&file, links, &seen);
    virtual_race_pilot(race, 0, false);
    virtual_race_on_round(race, fidget, &seen);
    ck_assert(virtual_race_until_phase(race, APEX_PHASE_RACE, 20.0));
    virtual_race_run(race, 3.0);
    forget(&seen);
    virtual_race_run(race, 30.0);
    char what[80];
    snprintf(what, sizeof what, "%.0f ms +- %.0f, loss %.0f %%", (double)is->delay_us / 1e3,
             (double)is->jitter_us / 1e3, is->loss_permille / 10.0);
    say(what, &seen, race);
    ck_assert_uint_gt(seen.checked, 1600);
    ck_assert_uint_ge(seen.exact * 100, seen.checked * is->exact_percent);
    ck_assert_double_lt(seen.worst_m, is->worst_m);
    ck_assert_double_lt(seen.worst_jump_m, is->jump_m);
    ck_assert_double_lt(seen.worst_rate, 0.101); // however the lead was trimmed
    virtual_race_destroy(race);
}

TEST(a_reset_is_shown_as_a_jump_and_then_known) {
    apex_race_file file = race_on("oval", 1);
    static watcher seen;
    virtual_race *race = begin(&file, link_of(DELAY_US), &seen);
    ck_assert(virtual_race_until_phase(race, APEX_PHASE_RACE, 10.0));
    virtual_race_run(race, 8.0);
    apex_client_prediction before = apex_client_prediction_of(virtual_race_client(race, 0));
    virtual_race_pilot(race, 0, false);
    apex_control_sample sample = {.gear = APEX_GEAR_AUTOMATIC, .throttle = 255, .reset = 77};
    apex_client_set_controls(virtual_race_client(race, 0), &sample);
    virtual_race_run(race, 1.0);
    sample.reset++;
    apex_client_set_controls(virtual_race_client(race, 0), &sample);
    virtual_race_run(race, 6.0);
    apex_client_prediction after = apex_client_prediction_of(virtual_race_client(race, 0));
    ck_assert_uint_ge(after.snaps - before.snaps, 1);
    ck_assert_double_gt(after.error_m_max, 0.5);
    forget(&seen);
    virtual_race_run(race, 2.0);
    ck_assert_uint_ge(seen.checked, 118);
    ck_assert_uint_eq(seen.exact, seen.checked);
    virtual_race_destroy(race);
}

static apex_race_file crowded_race(void) {
    apex_race_file file = race_on("oval", 12);
    file.bots = 11;
    file.race.world.seed = 2; // with which nobody runs into the one that is watched
    file.race.player_capacity = 12;
    return file;
}

// Others are not in the predictor's world: their slipstream is the error.
TEST(traffic_is_a_small_error) {
    apex_race_file file = crowded_race();
    static watcher seen;
    virtual_race *race = begin_racing(&file, &seen);
    const uint32_t seconds = 10 * (uint32_t)check_cases(4);
    virtual_race_run(race, seconds);
    say("in traffic", &seen, race);
    ck_assert_uint_gt(seen.checked, seconds * 115 / 2);
    ck_assert_uint_lt(seen.exact, seen.checked); // or nobody was near
    ck_assert_double_lt(seen.worst_m, 0.01);
    ck_assert_double_lt(seen.worst_jump_m, 0.05);
    ck_assert_double_lt(seen.worst_rate, 0.101);
    virtual_race_destroy(race);
}

static void press(virtual_race *race, uint32_t client, uint8_t throttle, uint8_t brake) {
    apex_control_sample sample = {
        .gear = APEX_GEAR_AUTOMATIC, .throttle = throttle, .brake = brake};
    apex_client_set_controls(virtual_race_client(race, client), &sample);
}

// A car that starts two boxes behind runs into a car that rolls: the knock comes as news, is
// blended in, and when the other has gone all is known again.
TEST(a_knock_is_blended_in) {
    apex_race_file file = race_on("oval", 3);
    static watcher seen;
    virtual_race *race = begin(&file, link_of(DELAY_US), &seen);
    virtual_race_pilot(race, 0, false);
    virtual_race_run(race, 2.0); // it joins first and stands in front
    apex_client_def def = apex_default_client_def();
    for (int i = 0; i < 2; i++) {
        virtual_race_connect(race, &def);
    }
    ck_assert(virtual_race_until_phase(race, APEX_PHASE_RACE, 10.0));
    virtual_race_run(race, 1.0);
    forget(&seen);
    press(race, 1, 255, 0);
    press(race, 2, 255, 0);
    virtual_race_run(race, 6.0);
    say("knocked", &seen, race);
    // The states foretold before the knock were wrong, and a while after it they are not.
    ck_assert_double_gt(seen.worst_m, 0.3);
    ck_assert_uint_lt(seen.exact, seen.checked);
    // The car moves by more than 1.2 m; what is shown never jumps by a tenth of that.
    ck_assert_double_lt(seen.worst_jump_m, 0.12);
    ck_assert_double_lt(seen.worst_jump_rad, 0.02);
    ck_assert_uint_eq(apex_client_prediction_of(virtual_race_client(race, 0)).snaps, 0);
    press(race, 1, 0, 255);
    press(race, 2, 0, 255);
    virtual_race_run(race, 8.0);
    forget(&seen);
    virtual_race_run(race, 2.0);
    ck_assert_uint_ge(seen.checked, 118);
    ck_assert_uint_eq(seen.exact, seen.checked);
    virtual_race_destroy(race);
}

TEST(only_who_asks_is_sent_his_car) {
    apex_race_file file = race_on("oval", 2);
    virtual_race *race = create(&file, link_of(1000));
    apex_client_def def = predicting();
    virtual_race_connect(race, &def);
    def.predict = false;
    def.want_defs = true;
    virtual_race_connect(race, &def);
    def.spectate = def.predict = true;
    virtual_race_connect(race, &def);
    virtual_race_run(race, 5.0);
    apex_client_pose pose;
    ck_assert(
        apex_client_predicted(virtual_race_client(race, 0), virtual_race_now_us(race), &pose));
    ck_assert_uint_eq(pose.car, apex_client_car(virtual_race_client(race, 0)));
    ck_assert_uint_gt(apex_client_prediction_of(virtual_race_client(race, 0)).states, 60);
    // Shown is a moment between its two newest steps.
    ck_assert_double_eq_tol(apex_client_prediction_of(virtual_race_client(race, 0)).tick, pose.tick,
                            1.01);
    for (uint32_t i = 1; i < 3; i++) {
        ck_assert(
            !apex_client_predicted(virtual_race_client(race, i), virtual_race_now_us(race), &pose));
        ck_assert_uint_eq(apex_client_prediction_of(virtual_race_client(race, i)).states, 0);
        ck_assert_uint_eq(apex_client_prediction_of(virtual_race_client(race, i)).tick, 0);
        ck_assert(apex_client_newest(virtual_race_client(race, i)).tick > 0);
    }
    virtual_race_destroy(race);
}

// Snapshots count down to the start, so nobody waits for the news that it was.
TEST(a_driver_goes_in_the_frame_of_the_lights) {
    static watcher seen;
    apex_race_file file = race_on("oval", 1);
    virtual_race *race = begin(&file, link_of(DELAY_US), &seen);
    ck_assert(virtual_race_until_phase(race, APEX_PHASE_COUNTDOWN, 10.0));
    apex_client *client = virtual_race_client(race, 0);
    virtual_race_run(race, 0.6);
    apex_client_prediction before = apex_client_prediction_of(client);
    forget(&seen);
    uint32_t moved_tick = 0;
    apex_client_pose pose, stood;
    ck_assert(apex_client_predicted(client, virtual_race_now_us(race), &stood));
    for (int ms = 0; ms < 2000; ms += 4) {
        virtual_race_run(race, 0.004);
        ck_assert(apex_client_predicted(client, virtual_race_now_us(race), &pose));
        bool has_moved = hypot(pose.position_m[0] - stood.position_m[0],
                               pose.position_m[1] - stood.position_m[1]) > 0.001;
        if (moved_tick == 0 && has_moved) {
            moved_tick = (uint32_t)pose.tick;
            // The server is not there yet.
            ck_assert_int_eq(apex_race_status_of(virtual_race_hosted(race)).phase,
                             APEX_PHASE_COUNTDOWN);
        }
    }
    apex_client_prediction after = apex_client_prediction_of(client);
    ck_assert_uint_gt(moved_tick, 0);
    ck_assert_uint_gt(after.compared - before.compared, 20);
    ck_assert_uint_ge(after.exact - before.exact + 1, after.compared - before.compared);
    virtual_race_destroy(race);
}

// A datagram is full of others' cars, whole or as changes, and still each has the own one.
TEST(it_comes_with_every_snapshot_of_a_crowd) {
    for (int full = 0; full < 2; full++) {
        apex_race_file file = race_on("oval", 1);
        file.bots = 60;
        file.race.player_capacity = 64;
        virtual_race *race = create(&file, link_of(1000));
        apex_client_def def = predicting();
        def.full_snapshots = full == 1;
        virtual_race_connect(race, &def);
        virtual_race_run(race, 2.0);
        apex_client *client = virtual_race_client(race, 0);
        ck_assert_uint_eq(apex_client_newest(client).car_count, 61);
        apex_client_prediction before = apex_client_prediction_of(client);
        virtual_race_run(race, 2.0);
        ck_assert_uint_ge(apex_client_prediction_of(client).states - before.states, 39);
        ck_assert_uint_eq(apex_client_stats_of(client).undecodable, 0);
        virtual_race_destroy(race);
    }
}
