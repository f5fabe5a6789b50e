// Wheel to wheel, in virtual time: how far off rivals are shown, within 15 m of a driver and at the
// moment of his own car: as a while ago (apex_client_shown) and foretold (apex_client_ahead), over
// links of all kinds, in virtual time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/base/check_main.h"
#include "support/host/duel.h"
#include "support/host/duel_film.h"
#include "support/host/frame_truth.h"
#include "support/host/rough_driver.h"
#include "support/host/shared_content.h"
#include "support/host/virtual_race.h"

enum { PILOTS = 8, ROUNDS_PER_TICK = 2, CARS = 64 };

typedef struct link_kind {
    uint32_t delay_ms, jitter_ms;
    double loss;
} link_kind;

typedef struct looks {
    frame_truth *past, *ahead;
    bool is_rough;
    rough_driver rough;
} looks;

static apex_race_file race_on(const char *track) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "%s", track);
    file.race.laps = 50;
    file.race.races = 1;
    file.race.start_players = PILOTS;
    file.race.player_capacity = PILOTS;
    file.race.countdown_s = 1.0;
    file.clients_max = PILOTS;
    return file;
}

static void watch_one(virtual_race *race, looks *self, uint32_t number) {
    apex_client *client = virtual_race_client(race, number);
    uint64_t now_us = virtual_race_now_us(race);
    apex_client_pose poses[CARS], own;
    frame_truth_keep(self->past, virtual_race_hosted(race));
    frame_truth_keep(self->ahead, virtual_race_hosted(race));
    if (!apex_client_predicted(client, now_us, &own)) {
        return;
    }
    size_t count = apex_client_shown(client, now_us, poses, CARS);
    frame_truth_show(self->past, own.car, own.tick, poses, count);
    count = apex_client_ahead(client, now_us, poses, CARS);
    frame_truth_show(self->ahead, own.car, own.tick, poses, count);
    if (self->is_rough) {
        rough_driver_drive(&self->rough, client, now_us);
    }
}

static void watch(virtual_race *race, void *context) {
    for (uint32_t i = 0; i < PILOTS; i++) {
        watch_one(race, (looks *)context + i, i);
    }
}

static netsim_def line_of(link_kind kind) {
    netsim_def line = netsim_default_def();
    line.delay_us = kind.delay_ms * 1000;
    line.jitter_us = kind.jitter_ms * 1000;
    line.loss_ppm = (uint32_t)(kind.loss * NETSIM_PPM);
    return line;
}

typedef struct table_row {
    const char *track;
    bool is_rough; // driven by rough drivers instead of bots
    link_kind kind;
    double seconds;
    frame_truth_errors past, ahead;
    apex_client_prediction told; // of the first
    uint64_t touches;            // of all: felt, and told of by the server
} table_row;

static void print(const table_row *row, const char *view, const frame_truth_errors *e) {
    const link_kind kind = row->kind;
    printf(
        "%-10s %-5s %3u ms %2u ms %3.0f %% %-6s along %6.1f %6.1f %6.1f  across %5.1f %5.1f %5.1f  "
        "off %6.1f %6.1f cm, %6zu times, %3llu touches\n",
        row->track, row->is_rough ? "rough" : "clean", kind.delay_ms, kind.jitter_ms,
        100.0 * kind.loss, view, 100.0 * e->along_m_p50, 100.0 * e->along_m_p95,
        100.0 * e->along_m_p99, 100.0 * e->across_m_p50, 100.0 * e->across_m_p95,
        100.0 * e->across_m_p99, 100.0 * e->offset_m_p50, 100.0 * e->offset_m_p90, e->compared,
        (unsigned long long)row->touches);
    fflush(stdout);
}

static looks connect(virtual_race *race, uint32_t number, bool is_rough) {
    apex_hull_def hull = {.length_m = 4.3, .width_m = 1.8};
    char name[16];
    snprintf(name, sizeof name, "driver %u", number);
    apex_client_def client = apex_default_client_def();
    client.name = name;
    client.ahead = true;
    client.tracks = client_plans_tracks(shared_content_plans());
    virtual_race_pilot(race, virtual_race_connect(race, &client), !is_rough);
    return (looks){.past = frame_truth_create(&hull), .ahead = frame_truth_create(&hull)};
}

static void measure_race(virtual_race *race, looks views[], table_row *row) {
    virtual_race_on_round(race, watch, views);
    virtual_race_run(race, 5.0); // the start is not measured
    for (uint32_t i = 0; i < PILOTS; i++) {
        frame_truth_forget(views[i].past);
        frame_truth_forget(views[i].ahead);
    }
    virtual_race_run(race, row->seconds);
    for (uint32_t i = 1; i < PILOTS; i++) {
        frame_truth_add(views[0].past, views[i].past);
        frame_truth_add(views[0].ahead, views[i].ahead);
    }
    row->past = frame_truth_errors_of(views[0].past);
    row->ahead = frame_truth_errors_of(views[0].ahead);
    row->told = apex_client_prediction_of(virtual_race_client(race, 0));
    for (uint32_t i = 0; i < PILOTS; i++) {
        row->touches += apex_client_prediction_of(virtual_race_client(race, i)).rivals.touches_came;
    }
    print(row, "past", &row->past);
    print(row, "ahead", &row->ahead);
}

// All drivers look.
static void measure(table_row *row) {
    virtual_race_def def = {.file = race_on(row->track), .network = link_sim_default_def(PILOTS)};
    def.round_hz = def.file.race.world.tick_hz * ROUNDS_PER_TICK;
    def.network.seed = 3;
    def.network.up = def.network.down = line_of(row->kind);
    virtual_race *race = virtual_race_create(&def);
    looks views[PILOTS];
    ck_assert_ptr_nonnull(race);
    for (uint32_t i = 0; i < PILOTS; i++) {
        views[i] = connect(race, i, row->is_rough);
    }
    ck_assert(virtual_race_until_phase(race, APEX_PHASE_RACE, 20.0));
    for (uint32_t i = 0; i < PILOTS; i++) {
        views[i].is_rough = row->is_rough;
        views[i].rough = rough_driver_create(virtual_race_client(race, i), i);
    }
    measure_race(race, views, row);
    for (uint32_t i = 0; i < PILOTS; i++) {
        frame_truth_destroy(views[i].past);
        frame_truth_destroy(views[i].ahead);
    }
    virtual_race_destroy(race);
}

static double row_seconds(void) {
    return check_is_whole() ? 12.0 : 3.0;
}

static void assert_within(const table_row *row, double along_m, double across_m) {
    ck_assert_uint_gt(row->ahead.compared, 300);
    ck_assert_double_le(row->ahead.along_m_p95, along_m);
    ck_assert_double_le(row->ahead.across_m_p95, across_m);
}

TEST(rivals_are_shown_where_they_are) {
    static const char *const tracks[] = {"oval", "ridgeway"};
    for (int t = 0; t < check_cases(2); t++) {
        table_row row = {.track = tracks[t], .kind = {30, 8, 0.01}, .seconds = row_seconds()};
        measure(&row);
        ck_assert_double_gt(row.past.offset_m_p50, 1.0);
        assert_within(&row, 0.10, 0.05);
        ck_assert_double_gt(row.told.rivals.horizon_s_p50, 0.06);
        ck_assert_double_lt(row.told.rivals.correction_mps_p99, 1.5);
        ck_assert_double_lt(row.told.rivals.correction_mps_max, 5.0);
    }
    table_row far = {.track = "ridgeway", .kind = {75, 10, 0.01}, .seconds = row_seconds()};
    measure(&far);
    assert_within(&far, 0.25, 0.10);
}

// Half of what others are allowed: with their controls forgotten these would still be within that.
TEST(so_are_rough_drivers_who_knock_each_other) {
    static const link_kind kinds[] = {{30, 8, 0.01}, {75, 10, 0.01}};
    for (int k = 0; k < check_cases(2); k++) {
        table_row row = {
            .track = "ridgeway", .is_rough = true, .kind = kinds[k], .seconds = row_seconds()};
        measure(&row);
        ck_assert_uint_gt(row.touches, check_is_whole() ? 5 : 0);
        assert_within(&row, k == 0 ? 0.05 : 0.125, k == 0 ? 0.02 : 0.08);
    }
}

// For people: APEX_AHEAD_TABLE is the seconds of each row.
TEST(a_table_of_links_and_tracks) {
    static const link_kind kinds[] = {{0, 0, 0.0},    {20, 20, 0.0},  {30, 8, 0.01},
                                      {30, 20, 0.05}, {60, 10, 0.01}, {75, 10, 0.01},
                                      {100, 20, 0.05}};
    static const char *const tracks[] = {"wide-oval", "ridgeway", "oval"};
    const char *seconds = getenv("APEX_AHEAD_TABLE");
    for (size_t t = 0; seconds != NULL && t < sizeof tracks / sizeof tracks[0]; t++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            for (int rough = 0; rough < 2; rough++) {
                table_row row = {.track = tracks[t],
                                 .is_rough = rough == 1,
                                 .kind = kinds[k],
                                 .seconds = strtod(seconds, NULL)};
                measure(&row);
            }
        }
    }
}

static double agreed(const duel_result *duel) {
    return (double)duel->agreed / (double)duel->frames;
}

static duel_result side_by_side(const char *track, double skill, double laps, bool sees_ahead) {
    duel_def def = {.track = track,
                    .line = line_of((link_kind){40, 8, 0.01}),
                    .seed = 5,
                    .sees_ahead = sees_ahead,
                    .side_gap_m = 1.0,
                    .skill = skill,
                    .swing_m = 1.5,
                    .seconds = 260.0 * laps,
                    .laps = laps};
    duel_result duel = duel_run(&def);
    printf("%-9s %-5s laps %.2f contacts %zu frames %zu agreed %.2f %% gap %.2f %.2f %.2f m "
           "abreast %.2f off %.3f m\n",
           track, sees_ahead ? "ahead" : "past", duel.laps, duel.contacts, duel.frames,
           100.0 * agreed(&duel), duel.gap_m_p5, duel.gap_m_p50, duel.gap_m_p95, duel.abreast_share,
           duel.errors.offset_m_p50);
    fflush(stdout);
    return duel;
}

static void assert_side_by_side(const duel_result *duel) {
    ck_assert_double_lt((double)duel->contacts, fmax(duel->laps, 1.0));
    ck_assert_double_gt(duel->abreast_share, 0.6);
    ck_assert_double_ge(agreed(duel), 0.98);
    ck_assert_double_gt(duel->gap_m_p5, 0.5);
    ck_assert_double_lt(duel->gap_m_p95, 1.5);
    ck_assert_uint_eq(duel->errors.overlaps, 0);
}

static double long_laps(void) {
    const char *laps = getenv("APEX_AHEAD_LAPS"); // 10: the long run
    return laps != NULL ? strtod(laps, NULL) : check_is_whole() ? 0.3 : 0.02;
}

TEST(two_drive_side_by_side_by_what_they_see) {
    duel_result ahead = side_by_side("wide-oval", 0.6, long_laps(), true);
    assert_side_by_side(&ahead);
    if (!check_is_whole()) {
        return;
    }
    ahead = side_by_side("ridgeway", 0.62, 0.5 * long_laps(), true);
    assert_side_by_side(&ahead);
}

TEST(as_a_while_ago_they_do_not_know_who_is_ahead) {
    duel_result past = side_by_side("wide-oval", 0.6, long_laps(), false);
    ck_assert_double_lt(agreed(&past), 0.8);
}

// The film of client-lite/BOTS.md: APEX_AHEAD_FILM is where to write it.
TEST(three_views_of_one_duel) {
    static duel_film film;
    const char *path = getenv("APEX_AHEAD_FILM");
    duel_def def = {.track = "wide-oval",
                    .line = line_of((link_kind){40, 8, 0.01}),
                    .seed = 5,
                    .sees_ahead = true,
                    .side_gap_m = 1.0,
                    .skill = 0.6,
                    .swing_m = 1.5,
                    .seconds = check_is_whole() ? 25.0 : 4.0,
                    .laps = 1.0,
                    .film = &film};
    (void)duel_run(&def);
    ck_assert_uint_ge(film.count, check_is_whole() ? 300 : 20);
    for (size_t i = 0; i < film.count; i++) {
        const duel_film_view *views = film.frames[i];
        for (int view = 0; view < 2; view++) {
            ck_assert(views[view].has_past);
            for (int car = 0; car < 2; car++) {
                const duel_film_car *shown = &views[view].cars[car];
                const duel_film_car *true_one = &views[DUEL_FILM_SERVER].cars[car];
                // A frame comes up to half a tick after its moment, and a car goes 0.6 m in one.
                ck_assert_double_eq_tol(shown->along_m, true_one->along_m, 0.8);
                ck_assert_double_eq_tol(shown->aside_m, true_one->aside_m, 0.15);
            }
        }
    }
    ck_assert(path == NULL || duel_film_write(&film, 4.32, 1.78, path));
}

typedef struct knocks {
    uint64_t contacts, came, phantom, unforeseen, overlaps, frames;
    double correction_mps_p99, correction_mps_max;
} knocks;

static void add_duel(knocks *sum, uint64_t seed, link_kind kind) {
    duel_def def = {.track = "oval",
                    .line = line_of(kind),
                    .seed = seed,
                    .sees_ahead = true,
                    .side_gap_m = 0.5,
                    .skill = 0.75,
                    .swing_m = 2.0,
                    .seconds = 20.0,
                    .laps = 9.0,
                    .is_rough = true};
    duel_result duel = duel_run(&def);
    sum->contacts += duel.contacts;
    sum->overlaps += duel.errors.overlaps;
    sum->frames += duel.frames;
    for (int i = 0; i < 2; i++) {
        const apex_client_rival_errors *of = &duel.of[i].rivals;
        sum->came += of->touches_came;
        sum->phantom += of->touches_phantom;
        sum->unforeseen += of->touches_unforeseen;
        sum->correction_mps_max = fmax(sum->correction_mps_max, of->correction_mps_max);
        sum->correction_mps_p99 = fmax(sum->correction_mps_p99, of->correction_mps_p99);
    }
}

static knocks knock(uint64_t duels, link_kind kind) {
    knocks sum = {0};
    for (uint64_t seed = 1; seed <= duels; seed++) {
        add_duel(&sum, seed, kind);
    }
    printf("%llu duels at %u ms: %llu contacts; felt %llu, phantom %llu, unforeseen %llu; overlaps "
           "%llu of %llu frames; corrections %.2f, at most %.2f m/s\n",
           (unsigned long long)duels, kind.delay_ms, (unsigned long long)sum.contacts,
           (unsigned long long)sum.came, (unsigned long long)sum.phantom,
           (unsigned long long)sum.unforeseen, (unsigned long long)sum.overlaps,
           (unsigned long long)sum.frames, sum.correction_mps_p99, sum.correction_mps_max);
    fflush(stdout);
    return sum;
}

TEST(knocks_are_felt_in_the_frame_that_shows_them) {
    const char *duels = getenv("APEX_AHEAD_DUELS"); // 500: the long run
    uint64_t count = check_is_whole() ? 8 : 2;
    knocks sum = knock(duels != NULL ? strtoull(duels, NULL, 10) : count, (link_kind){30, 8, 0.01});
    ck_assert_uint_ge(sum.came, count);
    ck_assert_uint_le(20 * sum.phantom, sum.came);
    ck_assert_uint_le(10 * sum.unforeseen, sum.came);
    ck_assert_uint_eq(sum.overlaps, 0);
    ck_assert_double_lt(sum.correction_mps_p99, 1.5);
    ck_assert_double_lt(sum.correction_mps_max, 5.0);
}
