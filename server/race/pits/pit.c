// One player's way through the pits, tick by tick.
//
// A stop begins with the first tick in which the car stands wholly in its box, and what it takes is
// fixed then; it ends with the first in which it moves. Nobody is held: who moves early forfeits
// the work, and a penalty that he has not stood stays open.
//
// A stop is in the window of mandatory stops by its beginning (DECISIONS 67): the work is what is
// mandatory, and not the visit. By the entry line a car that crept along the lane until the window
// opened would not have stopped in it, and one that queued for its box would have.
#include "race/pits/pit.h"

#include "base/assert.h"

static const double STANDS_MPS = 0.5; // below: a stop may begin
static const double MOVES_MPS = 1.0;  // from here on it is over; between the two it goes on

static void tell(race_pit_events *out, race_pit_event_kind kind, uint64_t us) {
    APEX_ASSERT(out->count < RACE_PIT_EVENTS_MAX);
    out->all[out->count++] = (race_pit_event){.kind = kind, .us = us};
}

static void refuse(race_pit *pit, race_pit_refusal why, race_pit_events *out) {
    uint8_t bit = (uint8_t)(1u << why);
    if ((pit->refused & bit) == 0) {
        pit->refused |= bit;
        tell(out, RACE_PIT_REFUSED, 0);
        out->all[out->count - 1].why = why;
    }
}

bool race_pit_has(const race_pit_events *events, race_pit_event_kind kind) {
    for (uint32_t i = 0; i < events->count; i++) {
        if (events->all[i].kind == kind) {
            return true;
        }
    }
    return false;
}

void race_pit_begin(race_pit *pit) {
    *pit = (race_pit){.box1 = pit->box1, .plan = pit->plan};
}

static void forfeit(race_pit *pit) {
    if (!pit->done && pit->jobs != 0 && !pit->plan.stop) {
        pit->plan = pit->job; // he may come again for it
    }
    pit->jobs = 0;
}

static void begin_visit(race_pit *pit, apex_pit_phase phase, uint64_t now_us) {
    pit->phase = phase;
    pit->entered_us = now_us;
    pit->speed_mps_max = 0.0;
    pit->by_line = pit->stopped = pit->barred = pit->came_out = false;
    pit->refused = 0;
}

void race_pit_place(race_pit *pit, bool in_pits, double since_m) {
    if (pit->phase == APEX_PIT_STOPPED) {
        forfeit(pit);
    }
    begin_visit(pit, in_pits ? APEX_PIT_LEAVING : APEX_PIT_ROAD, pit->entered_us);
    pit->since_m = since_m;
}

// Between two ticks a car goes at a steady speed.
static uint64_t crossing_us(const race_pit *pit, const race_pit_sight *sight, double line_m) {
    double past_m = sight->since_m - line_m;
    double step_m = sight->since_m - pit->since_m;
    APEX_ASSERT(step_m > 0.0 && past_m >= 0.0 && past_m <= step_m);
    uint64_t ago_us = (uint64_t)(past_m / step_m * 1e6 / sight->tick_hz + 0.5);
    return sight->now_us > ago_us ? sight->now_us - ago_us : 0;
}

static bool crosses(const race_pit *pit, const race_pit_sight *sight, double line_m) {
    return pit->since_m < line_m && sight->since_m >= line_m;
}

static void watch_road(race_pit *pit, const apex_track_pits *lane, const race_pit_sight *sight,
                       race_pit_events *out) {
    if (sight->since_m < 0.0 || sight->since_m >= lane->length_m + APEX_DRIVER_MERGE_M) {
        pit->came_out = false;
    }
    if (!sight->in_pits || sight->since_m < lane->line_in_m || sight->since_m >= lane->line_out_m) {
        return;
    }
    bool by_line = crosses(pit, sight, lane->line_in_m);
    begin_visit(pit, APEX_PIT_LANE,
                by_line ? crossing_us(pit, sight, lane->line_in_m) : sight->now_us);
    pit->by_line = by_line;
    tell(out, RACE_PIT_ENTERED, pit->entered_us);
    if (!by_line) {
        tell(out, RACE_PIT_ASTRAY, 0);
    }
}

// @return whether he has left.
static bool watch_exit(race_pit *pit, const apex_track_pits *lane, const race_pit_sight *sight,
                       race_pit_events *out) {
    bool by_line = crosses(pit, sight, lane->line_out_m);
    bool back = sight->since_m < lane->line_in_m;
    if (!by_line && !back && !sight->on_road && sight->since_m < lane->line_out_m) {
        return false;
    }
    if (pit->phase == APEX_PIT_STOPPED) {
        forfeit(pit);
    }
    uint64_t left_us = by_line ? crossing_us(pit, sight, lane->line_out_m) : sight->now_us;
    pit->phase = APEX_PIT_ROAD;
    pit->visit_us = left_us > pit->entered_us ? left_us - pit->entered_us : 0;
    pit->came_out = by_line;
    tell(out, RACE_PIT_LEFT, pit->visit_us);
    if (!by_line) {
        tell(out, RACE_PIT_ASTRAY, 0);
    } else if (pit->by_line && !pit->stopped) {
        tell(out, RACE_PIT_THROUGH, 0);
    }
    return true;
}

static void begin_stop(race_pit *pit, const race_pit_sight *sight, const race_pit_orders *orders,
                       race_pit_events *out) {
    pit->phase = APEX_PIT_STOPPED;
    pit->stopped = true;
    pit->stop_us = sight->now_us;
    pit->stood_ticks = 0;
    pit->hold_us = 0;
    pit->bars = pit->held = pit->done = false;
    bool works = !pit->barred && orders->work.jobs != 0;
    pit->jobs = works ? orders->work.jobs : 0;
    pit->work_us = works ? orders->work.all_us : 0;
    if (works) {
        pit->job = pit->plan;
        pit->plan = (apex_pit_plan){.stop = false};
    }
    tell(out, RACE_PIT_STOPPED, pit->work_us);
}

void race_pit_hold(race_pit *pit, uint64_t hold_us, bool bars_work) {
    APEX_ASSERT(pit->phase == APEX_PIT_STOPPED && pit->stood_ticks == 0);
    pit->hold_us = hold_us;
    pit->bars = bars_work;
    if (bars_work) {
        forfeit(pit);
        pit->work_us = 0;
    }
}

static void watch_lane(race_pit *pit, const apex_track_pits *lane, const race_pit_sight *sight,
                       const race_pit_orders *orders, race_pit_events *out) {
    if (pit->box1 == 0) {
        return;
    }
    bool stands = sight->speed_mps < STANDS_MPS;
    bool wants = orders->holds || (orders->work.jobs != 0 && !pit->barred);
    if (stands && sight->in_box && !sight->box_taken) {
        begin_stop(pit, sight, orders, out);
    } else if (sight->box_taken && ((stands && sight->at_box) || (wants && sight->near_box))) {
        refuse(pit, RACE_PIT_BUSY, out);
    } else if (stands && sight->at_box && !sight->in_box) {
        refuse(pit, RACE_PIT_OUTSIDE, out);
    } else if (wants && pit->by_line && !pit->stopped && sight->past_box_m > lane->box_length_m) {
        refuse(pit, RACE_PIT_PASSED, out);
    }
}

static bool have_stood(const race_pit *pit, const race_pit_sight *sight, uint64_t us) {
    return (uint64_t)pit->stood_ticks * 1000000u >= us * sight->tick_hz;
}

static bool is_in_window(const race_pit *pit, const race_pit_orders *orders) {
    return (orders->window_from_us == 0 && orders->window_to_us == 0) ||
           (pit->stop_us >= orders->window_from_us && pit->stop_us <= orders->window_to_us);
}

static uint64_t stood_us(const race_pit *pit, uint32_t tick_hz) {
    return (uint64_t)pit->stood_ticks * 1000000u / tick_hz;
}

static void watch_stop(race_pit *pit, const race_pit_sight *sight, const race_pit_orders *orders,
                       race_pit_events *out) {
    if (sight->speed_mps >= MOVES_MPS || !sight->in_box) {
        forfeit(pit);
        pit->phase = APEX_PIT_LEAVING;
        tell(out, RACE_PIT_RELEASED, stood_us(pit, sight->tick_hz));
        return;
    }
    pit->stood_ticks++;
    if (!pit->held && pit->hold_us > 0 && have_stood(pit, sight, pit->hold_us)) {
        pit->held = true;
        pit->barred |= pit->bars;
        tell(out, RACE_PIT_HELD, pit->hold_us);
    }
    if (!pit->done && pit->jobs != 0 && have_stood(pit, sight, pit->hold_us + pit->work_us)) {
        pit->done = true;
        pit->stops++;
        pit->stops_counted += is_in_window(pit, orders);
        tell(out, RACE_PIT_DONE, pit->work_us);
    }
}

void race_pit_step(race_pit *pit, const apex_track_pits *lane, const race_pit_sight *sight,
                   const race_pit_orders *orders, race_pit_events *out) {
    APEX_ASSERT(lane->exists && sight->tick_hz > 0 && (uint32_t)pit->phase < APEX_PIT_PHASES);
    out->count = 0;
    if (pit->phase == APEX_PIT_ROAD) {
        watch_road(pit, lane, sight, out);
    } else if (!watch_exit(pit, lane, sight, out)) {
        if (pit->phase == APEX_PIT_STOPPED) {
            watch_stop(pit, sight, orders, out);
        } else {
            watch_lane(pit, lane, sight, orders, out);
        }
    }
    if (race_pit_is_inside(pit) && sight->speed_mps > pit->speed_mps_max) {
        pit->speed_mps_max = sight->speed_mps;
    }
    pit->since_m = sight->since_m;
}

static uint64_t left_us(const race_pit *pit, uint32_t tick_hz) {
    uint64_t all_us = pit->hold_us + pit->work_us;
    uint64_t gone_us = stood_us(pit, tick_hz);
    return pit->phase == APEX_PIT_STOPPED && gone_us < all_us ? all_us - gone_us : 0;
}

apex_pit_state race_pit_tell(const race_pit *pit, uint64_t work_us, uint64_t now_us,
                             uint32_t tick_hz) {
    bool works = pit->phase == APEX_PIT_STOPPED && pit->jobs != 0 && !pit->done;
    uint64_t since_us = now_us > pit->entered_us ? now_us - pit->entered_us : 0;
    return (apex_pit_state){
        .phase = pit->phase,
        .box1 = pit->box1,
        .stops = pit->stops,
        .stops_counted = pit->stops_counted,
        .plan = works ? pit->job : pit->plan,
        .plan_us = works ? pit->work_us : work_us,
        .left_us = left_us(pit, tick_hz),
        .lane_us = race_pit_is_inside(pit) ? since_us : pit->visit_us,
    };
}

void race_pit_order_driver(const race_pit *pit, bool wants, bool stops,
                           apex_driver_orders *orders) {
    bool busy = (pit->refused & (1u << RACE_PIT_BUSY)) != 0;
    bool leaves = pit->phase == APEX_PIT_LEAVING;
    bool over = pit->phase == APEX_PIT_STOPPED && !stops;
    orders->pits = wants || race_pit_is_inside(pit) || pit->came_out;
    orders->box1 = leaves || over || (stops && !busy) ? pit->box1 : 0;
    orders->released = leaves || over;
}

static void walk_plan(race_walk *io, apex_pit_plan *plan) {
    race_walk_bool(io, &plan->stop);
    race_walk_double(io, &plan->fuel_kg);
    race_walk_bool(io, &plan->tyres);
    race_walk_u32(io, &plan->compound);
    race_walk_bool(io, &plan->repair);
    io->ok = io->ok && race_pit_plan_is_sane(plan);
}

static void walk_stop(race_walk *io, race_pit *pit) {
    walk_plan(io, &pit->job);
    race_walk_u8(io, &pit->jobs);
    race_walk_u64(io, &pit->hold_us);
    race_walk_u64(io, &pit->work_us);
    race_walk_u64(io, &pit->stop_us);
    race_walk_u32(io, &pit->stood_ticks);
    race_walk_bool(io, &pit->bars);
    race_walk_bool(io, &pit->held);
    race_walk_bool(io, &pit->done);
    uint64_t stop_us_max = (uint64_t)APEX_RACE_SECONDS_MAX * 1000000u;
    io->ok = io->ok && pit->jobs <= RACE_PIT_JOBS && pit->hold_us <= stop_us_max &&
             pit->work_us <= stop_us_max;
}

void race_pit_walk(race_walk *io, race_pit *pit) {
    uint32_t phase = (uint32_t)pit->phase;
    race_walk_choice(io, &phase, APEX_PIT_PHASES - 1);
    pit->phase = (apex_pit_phase)phase;
    race_walk_choice(io, &pit->box1, APEX_TRACK_PIT_BOXES_MAX);
    race_walk_u32(io, &pit->stops);
    race_walk_u32(io, &pit->stops_counted);
    walk_plan(io, &pit->plan);
    walk_stop(io, pit);
    race_walk_u64(io, &pit->entered_us);
    race_walk_u64(io, &pit->visit_us);
    race_walk_double(io, &pit->speed_mps_max);
    race_walk_bool(io, &pit->by_line);
    race_walk_bool(io, &pit->stopped);
    race_walk_bool(io, &pit->barred);
    race_walk_u8(io, &pit->refused);
    race_walk_bool(io, &pit->came_out);
    race_walk_double(io, &pit->since_m);
    io->ok = io->ok && pit->stops_counted <= pit->stops && pit->refused < 8 &&
             (pit->phase != APEX_PIT_STOPPED || (pit->box1 != 0 && pit->stopped));
}
