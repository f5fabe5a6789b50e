// Courses with gates: two lane changes and a slalom. A car passes when no part of its outline
// leaves a gate's lane. The driver practises at each speed, as testers do: after a cone is hit, the
// line keeps further away from it, and the hands try to be earlier or firmer.
#include "proving/course/cone_course.h"

#include <math.h>

#include "proving/course/gates.h"
#include "proving/course/practice_line.h"
#include "proving/rig/rig.h"
#include "proving/rig/run.h"
#include "proving/rig/units.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/hands.h"

static const double KMH_LOWEST = 20.0, KMH_HIGHEST = 300.0;

// The lead and the firmness of the driver's steering, in shares of the usual.
typedef struct course_way {
    double lead_share, return_share;
} course_way;

static const course_way WAYS[] = {{1.0, 1.0}, {1.0, 0.6}, {1.6, 1.0},
                                  {0.5, 0.6}, {1.5, 0.6}, {0.5, 1.0}};

enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0], ATTEMPTS = 6 };

typedef struct course_try {
    bool passed, fell, missed;
    uint32_t first_missed;
    double missed_x_m; ///< of the car, at its worst in that gate
    proving_misses misses;
    double entry_mps, exit_mps;
    double ay_mps2_max, slip_angle_rad_max, time_s;
} course_try;

typedef struct course_plan {
    const proving_course *course;
    double speed_mps;
    proving_driver driver;       ///< has learned the car's steering at this speed
    const proving_lesson *first; ///< the driver's lesson before practising
    proving_lesson lesson;
} course_plan;

static void watch_gates(const proving_course *course, const proving_rig *rig, course_try *got) {
    for (uint32_t gate = 0; gate < course->gate_count; gate++) {
        double beyond[2];
        proving_gate_miss_m(&course->gates[gate], &rig->pose, &rig->car->hull, beyond);
        for (uint32_t side = 0; side < 2; side++) {
            if (beyond[side] <= got->misses.beyond_m[gate][side]) {
                continue;
            }
            if (!got->missed) {
                got->missed = true;
                got->first_missed = gate;
            }
            got->misses.beyond_m[gate][side] = beyond[side];
            if (gate == got->first_missed) {
                got->missed_x_m = rig->pose.position_m[0];
            }
        }
    }
}

static course_try drive(proving_rig *rig, const course_plan *plan, bool record) {
    const double RUN_UP_S = 3.0, RUN_UP_M = 10.0, TIME_S_MAX = 60.0;
    const proving_course *course = plan->course;
    const apex_hull_def *hull = &rig->car->hull;
    const double start_m = course->gates[0].from_x_m - hull->centre_x_m - 0.5 * hull->length_m;
    proving_driver driver = plan->driver;
    const apex_placement at = {.x_m = start_m - RUN_UP_M - RUN_UP_S * plan->speed_mps,
                               .y_m = plan->lesson.line.y_m[0],
                               .speed_mps = plan->speed_mps};
    proving_rig_place(rig, &at);
    if (record) {
        proving_rig_record(rig);
    }
    course_try got = {0};
    bool is_in = false;
    double end_m = course->end_x_m + hull->length_m, entered_s = 0.0;
    while (rig->pose.position_m[0] < end_m && !got.fell) {
        if (!is_in && rig->pose.position_m[0] >= start_m) {
            is_in = true;
            got.entry_mps = rig->speed_mps;
            entered_s = proving_rig_time_s(rig);
        }
        proving_driver_follow(&driver, rig, &plan->lesson.line);
        if (is_in && course->coasts) {
            proving_driver_coast(&driver, rig);
        } else {
            proving_driver_hold_speed(&driver, rig, plan->speed_mps);
        }
        proving_rig_step(rig);
        watch_gates(course, rig, &got);
        got.ay_mps2_max = fmax(got.ay_mps2_max, fabs(rig->ay_mps2));
        got.slip_angle_rad_max = fmax(got.slip_angle_rad_max, fabs(rig->slip_angle_rad));
        got.fell = !proving_rig_is_in_hand(rig) || proving_rig_time_s(rig) > TIME_S_MAX ||
                   (is_in && rig->speed_mps < 1.0);
    }
    got.passed = !got.missed && !got.fell;
    got.exit_mps = rig->speed_mps;
    got.time_s = proving_rig_time_s(rig) - entered_s;
    return got;
}

static double total_m(const course_try *got) {
    double sum = 0.0;
    for (uint32_t gate = 0; gate < PROVING_GATES_MAX; gate++) {
        sum += got->misses.beyond_m[gate][0] + got->misses.beyond_m[gate][1];
    }
    return sum;
}

// Practises until it passes. *plan is then how; else how it came nearest to passing.
static bool practise(proving_rig *rig, course_plan *plan) {
    const double FELL_M = 100.0;
    proving_driver learner = proving_driver_for(rig->car);
    proving_driver_choose_gear(&learner, rig, plan->speed_mps);
    proving_driver_learn(&learner, rig, plan->speed_mps);
    plan->driver = learner;
    course_plan best = *plan, trial = *plan;
    double least = (double)INFINITY;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        trial.driver.lead_s = WAYS[way].lead_share * learner.lead_s;
        trial.driver.return_s = WAYS[way].return_share * learner.return_s;
        trial.lesson = *plan->first;
        for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
            course_try got = drive(rig, &trial, false);
            double off = total_m(&got) + (got.fell ? FELL_M : 0.0);
            if (off < least) {
                least = off;
                best = trial;
            }
            if (got.passed || got.fell) {
                break;
            }
            proving_lesson_learn(&trial.lesson, &rig->car->hull, &got.misses);
        }
        if (least <= 0.0) {
            break;
        }
    }
    *plan = best;
    return least <= 0.0;
}

// Upwards in steps until it fails, then halving; what was learnt is kept. *plan is left as it
// passed at its highest speed. @return false if it fails from the beginning
static bool find_highest(proving_rig *rig, course_plan *plan) {
    const double STEP = 1.25, CLOSE_MPS = 0.1 * PROVING_KMH;
    plan->speed_mps = KMH_LOWEST * PROVING_KMH;
    course_plan trial = *plan;
    if (!practise(rig, &trial)) {
        return false;
    }
    *plan = trial;
    double high = STEP * KMH_HIGHEST * PROVING_KMH, next = STEP * plan->speed_mps;
    while (high - plan->speed_mps > CLOSE_MPS && plan->speed_mps < KMH_HIGHEST * PROVING_KMH) {
        trial = *plan;
        trial.speed_mps = next;
        if (practise(rig, &trial)) {
            *plan = trial;
        } else {
            high = next;
        }
        next = fmin(STEP * plan->speed_mps, 0.5 * (plan->speed_mps + high));
    }
    return true;
}

static void say_why(const proving_run *run, const course_try *got) {
    apex_manoeuvre_result *result = run->result;
    if (got->missed) {
        uint32_t gate = got->first_missed;
        const double *beyond = got->misses.beyond_m[gate];
        bool is_left = beyond[1] > beyond[0];
        snprintf(result->remark, sizeof result->remark,
                 "gate %u missed: %.3f m beyond its %s edge, car at x = %.1f m", gate + 1,
                 is_left ? beyond[1] : beyond[0], is_left ? "left" : "right", got->missed_x_m);
    } else {
        snprintf(result->remark, sizeof result->remark, "the car spun, fell or stopped");
    }
}

void proving_manoeuvre_course(const proving_run *run) {
    proving_rig *rig = run->rig;
    const proving_course course = proving_course_for(run->def, &rig->car->hull);
    proving_lesson first;
    proving_lesson_begin(&first, &course, &rig->car->hull);
    course_plan plan = {
        .course = &course, .speed_mps = run->def->speed_mps, .first = &first, .lesson = first};
    bool is_search = run->def->speed_mps <= 0.0;
    // A search without success shows how the lowest speed failed.
    if (!is_search || !find_highest(rig, &plan)) {
        practise(rig, &plan);
    }
    course_try got = drive(rig, &plan, true);
    run->result->verdict = got.passed ? APEX_VERDICT_PASS : APEX_VERDICT_FAIL;
    if (!got.passed) {
        say_why(run, &got);
    }
    if (is_search) {
        proving_run_add(run, "highest_speed", "km/h",
                        got.passed ? got.entry_mps / PROVING_KMH : proving_nothing());
    }
    proving_run_add(run, "entry_speed", "km/h", got.entry_mps / PROVING_KMH);
    proving_run_add(run, "exit_speed", "km/h", got.exit_mps / PROVING_KMH);
    proving_run_add(run, "time", "s", got.time_s);
    proving_run_add(run, "lateral_peak", "g", got.ay_mps2_max / APEX_EARTH_MPS2);
    proving_run_add(run, "slip_angle_peak", "deg", proving_degrees(got.slip_angle_rad_max));
}
