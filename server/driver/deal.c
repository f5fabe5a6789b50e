// Lots for a field of drivers. Each thing is laid out in even steps, with some chance within a
// step, and then shuffled: a field drawn at random throughout would now and then be all alike.
//
// Different strengths alone changed no places: a straight is too short to gain two cars' lengths on
// a car a few per cent slower, so the leader of a train led it for ever. A weaker bot therefore
// lets by, on a straight and at its right edge, whatever car it has held up for some seconds, the
// sooner the weaker it is. Passing at a higher risk was tried first: cars left the road by the
// dozen (DECISIONS 46).
#include "driver/driver.h"

#include "base/assert.h"
#include "driver/clamp.h"

static const double LEAST_PATIENCE_S = 4.0;

// Steele, Lea, Flood 2014: splitmix64.
static uint64_t draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// 0 or more, and less than 1.
static double draw_share(uint64_t *state) {
    return (double)(draw(state) >> 11) * 0x1p-53;
}

// A step of `count` even ones, by lot within it.
static double step_share(uint64_t *state, uint32_t step, uint32_t count) {
    return (step + draw_share(state)) / count;
}

static uint32_t draw_below(uint64_t *state, uint32_t end) {
    return (uint32_t)(draw_share(state) * end);
}

static void swap(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

void apex_driver_deal(const apex_driver_field *field, apex_driver_lot out[]) {
    APEX_ASSERT(field->car_count > 0);
    uint64_t state = field->seed;
    double low = driver_clamped(field->skill - 0.5 * field->skill_spread, 0.5, 1.0);
    double high = driver_clamped(field->skill + 0.5 * field->skill_spread, 0.5, 1.0);
    for (uint32_t i = 0; i < field->count; i++) {
        double lane = 2.0 * step_share(&state, i, field->count) - 1.0;
        out[i] = (apex_driver_lot){
            .skill = low + (high - low) * step_share(&state, i, field->count),
            .patience_s = field->skill_spread > 0.0 ? LEAST_PATIENCE_S * (1 + i) : 0.0,
            .lane_m = field->lane_m * lane,
            .car = i % field->car_count,
        };
    }
    for (uint32_t i = field->count; i > 1; i--) {
        uint32_t stronger = draw_below(&state, i);
        swap(&out[i - 1].skill, &out[stronger].skill);
        swap(&out[i - 1].patience_s, &out[stronger].patience_s);
        swap(&out[i - 1].lane_m, &out[draw_below(&state, i)].lane_m);
        uint32_t other = draw_below(&state, i);
        uint32_t car = out[other].car;
        out[other].car = out[i - 1].car;
        out[i - 1].car = car;
    }
}
