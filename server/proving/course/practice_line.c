// The line through a course: of all that keep a car within the gates the one whose sharpest bend is
// mildest. A thin elastic rod between walls finds it.
#include "proving/course/practice_line.h"

#include <math.h>

#include "proving/course/gates.h"
#include "proving/rig/units.h"
#include "proving/test_driver/path.h"

// The corridor of the line: between two values of y at each of its points.
typedef struct line_corridor {
    double low_m[PROVING_LINE_POINTS], high_m[PROVING_LINE_POINTS];
} line_corridor;

static const double STRAIGHT_M = 30.0; ///< before the first gate, straight on

// Second differences of points `gap` apart; the start stands level, the end is free.
static double bend_at(const double *y, int32_t i, int32_t gap, int32_t last) {
    if (i < 0 || i >= last) {
        return 0.0;
    }
    return i == 0 ? y[gap] - y[0] : y[i - gap] - 2.0 * y[i] + y[i + gap];
}

typedef struct rod {
    proving_path *line;
    double *stiffness; ///< at each point
    const line_corridor *corridor;
} rod;

static double stiffness_at(const rod *of, int32_t i, int32_t last) {
    return i < 0 || i >= last ? 0.0 : of->stiffness[i];
}

// Each point moves to where the sum of stiffness times bend squared is least, or as near as the
// corridor lets it (projected successive over-relaxation).
static void relax(const rod *of, int32_t gap) {
    const double OVER = 1.6;
    int32_t last = ((int32_t)of->line->point_count - 1) / gap * gap;
    double *y = of->line->y_m;
    for (int32_t i = 0; i <= last; i += gap) {
        double before = stiffness_at(of, i - gap, last), here = stiffness_at(of, i, last);
        double after = stiffness_at(of, i + gap, last);
        double share = i == 0 ? 1.0 : 2.0; // of this point in its own bend
        double pull = before * bend_at(y, i - gap, gap, last) -
                      share * here * bend_at(y, i, gap, last) +
                      after * bend_at(y, i + gap, gap, last);
        double hold = before + share * share * here + after;
        double moved = y[i] - OVER * pull / hold;
        y[i] = proving_clamp(moved, of->corridor->low_m[i], of->corridor->high_m[i]);
    }
}

static void fill_between(proving_path *line, uint32_t step) {
    uint32_t last = (line->point_count - 1) / step * step;
    for (uint32_t i = 0; i < line->point_count; i++) {
        uint32_t below = i / step * step;
        if (below + step > last) {
            line->y_m[i] = line->y_m[i > last ? last : i];
            continue;
        }
        double share = (double)(i - below) / step;
        line->y_m[i] = (1.0 - share) * line->y_m[below] + share * line->y_m[below + step];
    }
}

// Stiff where the line bent most: repeated, that evens out the bends, and it is the sharpest one
// that limits speed.
static void stiffen(const rod *of) {
    const double LEAST = 0.1;
    int32_t last = (int32_t)of->line->point_count - 1;
    double most = 0.0;
    for (int32_t i = 0; i < last; i++) {
        most = fmax(most, fabs(bend_at(of->line->y_m, i, 1, last)));
    }
    for (int32_t i = 0; i <= last; i++) {
        double share = most > 0.0 ? fabs(bend_at(of->line->y_m, i, 1, last)) / most : 1.0;
        share = LEAST + (1.0 - LEAST) * share;
        double wanted = share * share * share;
        of->stiffness[i] = most > 0.0 ? sqrt(of->stiffness[i] * wanted) : 1.0;
    }
}

static void smooth(const rod *of, const uint32_t sweeps_by_gap[3]) {
    for (uint32_t level = 0; level < 3; level++) {
        uint32_t gap = 4u >> level;
        for (uint32_t sweep = 0; sweep < sweeps_by_gap[level]; sweep++) {
            relax(of, (int32_t)gap);
        }
        if (sweeps_by_gap[level] > 0) {
            fill_between(of->line, gap);
        }
    }
}

// Finds the width of lane that the car needs to the right and to the left of its centre at point i
// of the line: half its own, seen askew, and the strip that a straight car sweeps beside a bent
// line.
static void needed_m(const proving_path *line, const apex_hull_def *hull, uint32_t i,
                     double out[2]) {
    const double SWEPT_M_MAX = 0.5, SLOPE_MAX = 0.5;
    out[0] = out[1] = 0.5 * hull->width_m;
    if (i == 0 || i + 1 >= line->point_count) {
        return;
    }
    const double *y = &line->y_m[i];
    double slope = proving_clamp(0.5 * (y[1] - y[-1]) / PROVING_LINE_STEP_M, -SLOPE_MAX, SLOPE_MAX);
    double bend = (y[-1] - 2.0 * y[0] + y[1]) / (PROVING_LINE_STEP_M * PROVING_LINE_STEP_M);
    double swept = 0.5 * bend * 0.25 * hull->length_m * hull->length_m;
    out[0] = out[1] = 0.5 * hull->width_m * sqrt(1.0 + slope * slope);
    out[swept > 0.0 ? 0 : 1] += fmin(fabs(swept), SWEPT_M_MAX);
}

// Narrows the corridor to a gate's lane. The first lane begins early: a car comes straight at it.
static void narrow(line_corridor *corridor, const proving_lesson *lesson, uint32_t index,
                   const apex_hull_def *hull) {
    const proving_path *line = &lesson->line;
    const proving_gate *gate = &lesson->course->gates[index];
    const double *keep_m = lesson->keep_m[index];
    double from_m = index == 0 ? line->from_x_m : gate->from_x_m - 0.5 * PROVING_LINE_STEP_M;
    for (uint32_t i = 0; i < line->point_count; i++) {
        double x = line->from_x_m + i * PROVING_LINE_STEP_M;
        if (x < from_m || x > gate->to_x_m + 0.5 * PROVING_LINE_STEP_M) {
            continue;
        }
        double beside[2];
        needed_m(line, hull, i, beside);
        double low = fmax(corridor->low_m[i], gate->right_y_m + beside[0] + keep_m[0]);
        double high = fmin(corridor->high_m[i], gate->left_y_m - beside[1] - keep_m[1]);
        // In too narrow a lane the line keeps to the middle.
        double middle = 0.5 * (gate->right_y_m + gate->left_y_m);
        corridor->low_m[i] = low <= high ? low : middle;
        corridor->high_m[i] = low <= high ? high : middle;
    }
}

static void lay_corridor(line_corridor *corridor, const proving_lesson *lesson,
                         const apex_hull_def *hull) {
    const double WIDE_M = 50.0;
    for (uint32_t i = 0; i < PROVING_LINE_POINTS; i++) {
        corridor->low_m[i] = -WIDE_M;
        corridor->high_m[i] = WIDE_M;
    }
    for (uint32_t gate = 0; gate < lesson->course->gate_count; gate++) {
        narrow(corridor, lesson, gate, hull);
    }
}

void proving_lesson_begin(proving_lesson *lesson, const proving_course *course,
                          const apex_hull_def *hull) {
    const double KEEP_M = 0.08, AFTER_M = 30.0;
    const uint32_t ROUNDS = 12;
    *lesson = (proving_lesson){.course = course};
    proving_path *line = &lesson->line;
    line->kind = PROVING_PATH_LINE;
    line->from_x_m = course->gates[0].from_x_m - STRAIGHT_M;
    double length_m = course->end_x_m + AFTER_M - line->from_x_m;
    line->point_count = (uint32_t)(length_m / PROVING_LINE_STEP_M);
    for (uint32_t gate = 0; gate < PROVING_GATES_MAX; gate++) {
        lesson->keep_m[gate][0] = lesson->keep_m[gate][1] = KEEP_M;
    }
    line_corridor corridor;
    const rod of = {line, lesson->stiffness, &corridor};
    for (uint32_t i = 0; i < PROVING_LINE_POINTS; i++) {
        lesson->stiffness[i] = 1.0;
    }
    // The swept strip depends on the line, and the line on the strip: rounds settle that.
    for (uint32_t round = 0; round < ROUNDS; round++) {
        lay_corridor(&corridor, lesson, hull);
        // Coarse first: a change has to travel the whole length, and fine points pass it on slowly.
        smooth(&of, round == 0 ? (const uint32_t[]){400, 400, 400} : (const uint32_t[]){0, 0, 200});
        stiffen(&of);
    }
}

void proving_lesson_learn(proving_lesson *lesson, const apex_hull_def *hull,
                          const proving_misses *misses) {
    // A car that went wide by metres teaches no more than to keep away.
    const double MORE_M = 0.02, KEEP_M_MAX = 1.0;
    const uint32_t ROUNDS = 2;
    for (uint32_t gate = 0; gate < lesson->course->gate_count; gate++) {
        for (uint32_t side = 0; side < 2; side++) {
            double beyond = misses->beyond_m[gate][side];
            double keep = lesson->keep_m[gate][side] + (beyond > 0.0 ? beyond + MORE_M : 0.0);
            lesson->keep_m[gate][side] = fmin(keep, KEEP_M_MAX);
        }
    }
    line_corridor corridor;
    const rod of = {&lesson->line, lesson->stiffness, &corridor};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        lay_corridor(&corridor, lesson, hull);
        smooth(&of, (const uint32_t[]){0, 0, 150});
        stiffen(&of);
    }
}
