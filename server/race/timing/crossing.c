// The moment of a crossing between two ticks.
//
// With d0 and d1 the steps of the tick before and of this one, in ticks the speed was (d0 + d1) / 2
// in between and the acceleration is d1 - d0. So the way b to the gate is done after f with
// (d1 - d0) f^2 / 2 + (d0 + d1) f / 2 = b, of which the root below is the one that also holds for
// d1 = d0. Positions alone are asked: speeds are those of the body, which in a bend are not those
// along the centre line.
#include "race/timing/crossing.h"

#include "base/assert.h"

#include <math.h>

// Nothing that drives changes its step by as much in a tick; who was pushed or put down does.
static const double STEP_CHANGE_MAX = 0.25;

double race_crossing_share(const race_way *way) {
    APEX_ASSERT(way->before_m > 0.0 && way->after_m <= 0.0);
    double step_m = way->before_m - way->after_m;
    double steady = way->before_m / step_m;
    double gain_m = step_m - way->step_m;
    if (way->step_m <= 0.0 || fabs(gain_m) > STEP_CHANGE_MAX * step_m) {
        return steady;
    }
    double speed_m = 0.5 * (step_m + way->step_m);
    double square = speed_m * speed_m + 2.0 * gain_m * way->before_m;
    if (square < 0.0) {
        return steady;
    }
    double share = 2.0 * way->before_m / (speed_m + sqrt(square));
    return share < 1.0 ? share : 1.0;
}
