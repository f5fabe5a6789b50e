// Tests of what a spectator is shown of a race, against where the server had the cars at that
// moment: whole races in virtual time, over links that jitter and lose.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "client-lite/client_internal.h"
#include "support/base/check_main.h"
#include "support/host/virtual_race.h"

enum { CARS = 8, RING = 256, TICK_HZ = 60, ROUNDS_PER_TICK = 4 };

// The true poses of all cars after each of the last ticks, and how far off they were shown.
typedef struct watcher {
    apex_car_pose truth[RING][CARS];
    uint32_t last_tick;
    apex_client_pose before[CARS];
    bool has_before;
    uint32_t looked;
    double off_m[CARS], worst_m, sum_m, worst_jump_m;
} watcher;

static void note_truth(watcher *self, const apex_world *world) {
    uint32_t tick = (uint32_t)apex_world_tick(world);
    if (tick != self->last_tick) {
        self->last_tick = tick;
        apex_world_poses(world, self->truth[tick % RING], CARS);
    }
}

static uint32_t wire_id(const apex_car_pose *pose) {
    return (uint32_t)pose->id.generation << 16 | pose->id.index1;
}

// Straight between ticks: within half a millimetre at any speed a car has.
static double off_truth_m(const watcher *self, const apex_client_pose *shown) {
    uint32_t tick = (uint32_t)shown->tick;
    double share = shown->tick - tick, square = 0.0;
    for (int car = 0; car < CARS; car++) {
        const apex_car_pose *from = &self->truth[tick % RING][car];
        const apex_car_pose *to = &self->truth[(tick + 1) % RING][car];
        if (wire_id(from) != shown->car) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            double at = from->position_m[i] + share * (to->position_m[i] - from->position_m[i]);
            square += (shown->position_m[i] - at) * (shown->position_m[i] - at);
        }
        return sqrt(square);
    }
    ck_abort_msg("car %u is shown and not there", shown->car);
    return 0.0;
}

static void look(virtual_race *race, uint32_t client, watcher *self) {
    apex_client_pose poses[CARS + 1];
    note_truth(self, apex_race_world(virtual_race_hosted(race)));
    size_t count = apex_client_shown(virtual_race_client(race, client), virtual_race_now_us(race),
                                     poses, CARS + 1);
    if (count != CARS) {
        self->has_before = false;
        return;
    }
    for (int car = 0; car < CARS; car++) {
        double off_m = off_truth_m(self, &poses[car]);
        self->worst_m = fmax(self->worst_m, off_m);
        self->sum_m += off_m;
        self->looked++;
        const double *at = poses[car].position_m, *was = self->before[car].position_m;
        const double *speed_mps = poses[car].velocity_mps;
        double step_m = hypot(at[0] - was[0], at[1] - was[1]);
        double way_m = hypot(speed_mps[0], speed_mps[1]) / (TICK_HZ * ROUNDS_PER_TICK);
        if (self->has_before) {
            self->worst_jump_m = fmax(self->worst_jump_m, step_m - 1.1 * way_m);
        }
    }
    self->has_before = true;
    memcpy(self->before, poses, sizeof self->before);
}

static virtual_race *create(const apex_race_file *file, link_sim_def links) {
    virtual_race_def def = {.file = *file, .network = links, .round_hz = TICK_HZ * ROUNDS_PER_TICK};
    virtual_race *race = virtual_race_create(&def);
    ck_assert_ptr_nonnull(race);
    return race;
}

typedef struct link_case {
    uint64_t jitter_us;
    uint32_t loss_permille;
    bool is_full; ///< snapshots have every car to the millimetre
    double mean_m, worst_m, jump_m, extrapolated;
} link_case;

static const link_case LINKS[] = {
    {0, 0, true, 0.001, 0.02, 0.001, 0.0001},
    {20000, 50, true, 0.001, 0.06, 0.001, 0.03},
    {30000, 250, true, 0.002, 0.25, 0.003, 0.06},
    {20000, 50, false, 0.040, 0.30, 0.050, 0.03}, // and far ones to a decimetre
};

enum { LINK_COUNT = sizeof LINKS / sizeof LINKS[0] };

static watcher watchers[LINK_COUNT];

static void look_all(virtual_race *race, void *context) {
    (void)context;
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        look(race, i, &watchers[i]);
    }
}

static void connect_watcher(virtual_race *race, const link_case *is) {
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    def.show = true;
    def.full_snapshots = is->is_full;
    netsim_def way = netsim_default_def();
    way.delay_us = 70000;
    way.jitter_us = is->jitter_us;
    way.loss_ppm = is->loss_permille * 1000;
    uint32_t client = virtual_race_connect(race, &def);
    link_sim_shape(virtual_race_network(race), client, false, way);
}

// One race for all links, since each fares alone: they are watched beside each other.
static virtual_race *begin(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "ridgeway");
    file.race.laps = 3;
    file.race.races = 1;
    file.race.countdown_s = 1.0;
    file.race.player_capacity = CARS;
    file.race.start_players = CARS;
    file.bots = CARS;
    link_sim_def links = link_sim_default_def(LINK_COUNT);
    links.seed = 5;
    virtual_race *race = create(&file, links);
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        connect_watcher(race, &LINKS[i]);
    }
    memset(watchers, 0, sizeof watchers);
    virtual_race_on_round(race, look_all, NULL);
    ck_assert(virtual_race_until_phase(race, APEX_PHASE_RACE, 20.0));
    virtual_race_run(race, 7.0);
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        watchers[i].worst_m = watchers[i].sum_m = watchers[i].worst_jump_m = 0.0;
        watchers[i].looked = 0;
    }
    return race;
}

static void assert_shown(virtual_race *race, uint32_t link, const apex_client_showing *before) {
    const link_case *is = &LINKS[link];
    const watcher *seen = &watchers[link];
    apex_client_showing stats = apex_client_showing_of(virtual_race_client(race, link));
    double extrapolated =
        (double)(stats.extrapolated - before->extrapolated) / (double)(stats.cars - before->cars);
    printf(
        "jitter +-%.0f ms, loss %.0f %%: off by %.4f m in the mean, %.3f m at most; delay %.0f ms, "
        "age %.0f to %.0f ms, %.2f %% extrapolated, jumps %.4f m\n",
        (double)is->jitter_us / 1e3, is->loss_permille / 10.0, seen->sum_m / seen->looked,
        seen->worst_m, stats.delay_s * 1e3, stats.age_s_p50 * 1e3, stats.age_s_p99 * 1e3,
        extrapolated * 100.0, seen->worst_jump_m);
    ck_assert_uint_ge(seen->looked, 40 * TICK_HZ * ROUNDS_PER_TICK * CARS - 100);
    ck_assert_double_lt(seen->sum_m / seen->looked, is->mean_m);
    ck_assert_double_lt(seen->worst_m, is->worst_m);
    ck_assert_double_lt(seen->worst_jump_m, is->jump_m);
    ck_assert_double_lt(extrapolated, is->extrapolated);
    ck_assert_uint_eq(stats.stale, 0);
    virtual_race_seen told = virtual_race_saw(race, link);
    ck_assert_uint_eq(told.wrong + told.unknown, 0);
    apex_client_stats link_stats = apex_client_stats_of(virtual_race_client(race, link));
    netsim_count link_count = link_sim_down(virtual_race_network(race), link).datagrams;
    double lost = (double)link_count.lost / (double)link_count.sent;
    ck_assert_double_eq_tol(link_stats.snapshot_loss, lost, 0.03);
    // Of two even spreads one is off the other by a third of their width, in the mean.
    ck_assert_double_ge(link_stats.snapshot_jitter_us, 0.3 * (double)is->jitter_us);
    ck_assert_double_le(link_stats.snapshot_jitter_us, 1.2 * (double)is->jitter_us + 100.0);
}

TEST(a_race_is_shown_as_it_was) {
    virtual_race *race = begin();
    apex_client_showing before[LINK_COUNT];
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        before[i] = apex_client_showing_of(virtual_race_client(race, i));
    }
    virtual_race_run(race, 40.0);
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        assert_shown(race, i, &before[i]);
    }
    virtual_race_destroy(race);
}

TEST(who_does_not_ask_is_shown_nothing) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.bots = CARS;
    file.race.player_capacity = CARS;
    virtual_race *race = create(&file, link_sim_default_def(1));
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    virtual_race_connect(race, &def);
    virtual_race_run(race, 3.0);
    apex_client_pose poses[CARS];
    ck_assert_uint_eq(apex_client_newest(virtual_race_client(race, 0)).car_count, CARS);
    ck_assert_uint_eq(
        apex_client_shown(virtual_race_client(race, 0), virtual_race_now_us(race), poses, CARS), 0);
    ck_assert_uint_eq(client_session_of(virtual_race_client(race, 0))->shown.count,
                      0); // and nothing is kept for it
    virtual_race_destroy(race);
}
