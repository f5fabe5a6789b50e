// Who stands before whom in a session, pair by pair: the first of two lines is ahead of the second.
#include "test_race_weekend.h"

#include "race/timing/order_sessions.h"
#include "support/base/check_main.h"

typedef struct order_line {
    apex_standing_state state;
    uint32_t laps, grid, joined;
    double way_m;
    uint64_t line_us, best_us, best_set_us, penalty_us;
} order_line;

typedef struct pair {
    const char *name;
    order_line ahead, behind;
} pair;

#define FINISHED .state = APEX_STANDING_FINISHED
#define RUNNING  .state = APEX_STANDING_RUNNING
#define DNF      .state = APEX_STANDING_DNF

static void fill(uint32_t slot, const order_line *from) {
    race_player *line = &race->field.players[slot];
    race_card *card = &race->field.cards[slot];
    *line = (race_player){.id = line->id, .car_id = line->car_id};
    *card = (race_card){.lap = {.best_us = from->best_us, .best_set_us = from->best_set_us}};
    line->state = from->state;
    line->started = from->state != APEX_STANDING_WAITING;
    line->lap.laps = from->laps;
    line->lap.lap_from_us = from->line_us;
    line->grid = from->grid;
    line->join_number = from->joined;
    line->way_m = from->way_m;
    card->penalties.count = from->penalty_us > 0 ? 2 : 0;
    card->penalties.all[0] =
        (apex_penalty){.added_us = from->penalty_us, .state = APEX_PENALTY_CONVERTED};
    card->penalties.all[1] = (apex_penalty){.added_us = 77000000, .state = APEX_PENALTY_CANCELLED};
}

// In both slot orders: no slot decides.
static void expect(bool before(const race_field *, uint32_t, uint32_t), const pair pairs[],
                   size_t count) {
    apex_race_def def = weekend_def();
    begin_weekend(&def);
    scene_join(race, "ada");
    scene_join(race, "bob");
    for (size_t i = 0; i < count; i++) {
        for (uint32_t first = 0; first < 2; first++) {
            fill(first, &pairs[i].ahead);
            fill(1 - first, &pairs[i].behind);
            ck_assert_msg(before(&race->field, first, 1 - first), "%s: %u", pairs[i].name, first);
            ck_assert_msg(!before(&race->field, 1 - first, first), "%s: %u", pairs[i].name, first);
        }
    }
    end();
}

TEST(in_a_race_by_the_way_that_was_driven) {
    static const pair pairs[] = {
        {"home before under way", {FINISHED, .way_m = 1500}, {RUNNING, .way_m = 1499}},
        {"a lapped car at home is behind one that has a lap more to come",
         {RUNNING, .way_m = 800},
         {FINISHED, .way_m = 754}},
        {"a car that retired keeps its place until it is passed",
         {DNF, .way_m = 700},
         {RUNNING, .way_m = 699}},
        {"and then no more", {RUNNING, .way_m = 701}, {DNF, .way_m = 700}},
        {"home on the same way: by time",
         {FINISHED, .way_m = 754, .line_us = 40},
         {FINISHED, .way_m = 754, .line_us = 41}},
        {"with penalties",
         {FINISHED, .way_m = 754, .line_us = 45},
         {FINISHED, .way_m = 754, .line_us = 40, .penalty_us = 6}},
        {"without those that stewards took back",
         {FINISHED, .way_m = 754, .line_us = 40, .penalty_us = 6},
         {FINISHED, .way_m = 754, .line_us = 47}},
        {"a penalty larger than a lap drops nobody behind a lapped car",
         {FINISHED, .way_m = 1508, .line_us = 40, .penalty_us = 300000000},
         {FINISHED, .way_m = 754, .line_us = 39}},
        {"home and equal: by grid",
         {FINISHED, .way_m = 754, .line_us = 40, .grid = 1},
         {FINISHED, .way_m = 754, .line_us = 40, .grid = 2}},
        {"who watches is last", {DNF, .way_m = -10}, {.way_m = 0}},
    };
    expect(race_stands_by_way, pairs, sizeof pairs / sizeof pairs[0]);
}

TEST(against_the_clock_by_the_best_lap) {
    static const pair pairs[] = {
        {"the faster",
         {RUNNING, .best_us = 90, .best_set_us = 500, .joined = 2},
         {RUNNING, .best_us = 91, .best_set_us = 100, .joined = 1}},
        {"equal: who set it first",
         {RUNNING, .best_us = 90, .best_set_us = 300, .joined = 2},
         {RUNNING, .best_us = 90, .best_set_us = 301, .joined = 1}},
        {"none is behind any",
         {DNF, .best_us = 999999, .best_set_us = 1000000, .joined = 2},
         {RUNNING, .joined = 1}},
        {"without one: as they came", {RUNNING, .joined = 1, .grid = 2}, {FINISHED, .joined = 2}},
        {"who watches is last", {DNF, .joined = 5}, {.joined = 1}},
    };
    expect(race_stands_by_best, pairs, sizeof pairs / sizeof pairs[0]);
}
