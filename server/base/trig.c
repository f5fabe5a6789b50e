// Trigonometry that gives the same bits on every machine: sums and polynomials, no libm.
#include "base/trig.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// pi/2 in three parts (Cody and Waite, Software Manual for the Elementary Functions, 1980): the
// first two have 33 bits, so that their products with a quadrant number below 2^20 are exact.
#define HALF_PI_HIGH 1.57079632673412561417e+00
#define HALF_PI_MID  6.07710050630396597660e-11
#define HALF_PI_LOW  2.02226624879595063154e-21

#define TWO_OVER_PI 0.63661977236758134308
#define REDUCE_MAX  1.0e6

#define HALF_PI      (APEX_PI / 2.0)
#define HALF_PI_TAIL (APEX_PI_TAIL / 2.0)

// An angle in -pi/4..pi/4 as the sum of two doubles, and the quarter turns taken off.
typedef struct reduced_angle {
    double high, low;
    uint32_t quadrant;
} reduced_angle;

static reduced_angle reduce(double x) {
    double quarter_turns = x * TWO_OVER_PI;
    int32_t n = (int32_t)(quarter_turns + (quarter_turns < 0.0 ? -0.5 : 0.5));
    double count = (double)n;
    double rest = x - count * HALF_PI_HIGH;
    double mid = count * HALF_PI_MID;
    double high = rest - mid;
    double low = ((rest - high) - mid) - count * HALF_PI_LOW;
    double sum = high + low;
    return (reduced_angle){sum, (high - sum) + low, (uint32_t)n & 3u};
}

// Taylor's series: on -pi/4..pi/4 the first term left out is below 1e-19.
static double sin_kernel(double x, double tail) {
    double z = x * x;
    double p = 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return x + (tail * (1.0 - 0.5 * z) + x * z * p);
}

static double cos_kernel(double x, double tail) {
    double z = x * x;
    double p = -1.0 / 6402373705728000.0;
    p = p * z + 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    // 1 - z/2 loses bits that are put back.
    double half = 0.5 * z;
    double head = 1.0 - half;
    return head + (((1.0 - head) - half) + (z * z * p - x * tail));
}

void apex_sincos(double x_rad, double *sin, double *cos) {
    double x = x_rad;
    if (!(fabs(x) <= REDUCE_MAX)) {
        // Rounding to whole turns is crude but the same everywhere; past 2^52 no turn is left.
        double turns = x / (2.0 * APEX_PI);
        if (!(fabs(turns) < 4.0e15)) {
            *sin = *cos = x - x == 0.0 ? 0.0 : x - x;
            return;
        }
        x -= (double)(int64_t)turns * (2.0 * APEX_PI);
        x = fabs(x) <= REDUCE_MAX ? x : 0.0;
    }
    reduced_angle angle = reduce(x);
    double s = sin_kernel(angle.high, angle.low);
    double c = cos_kernel(angle.high, angle.low);
    double swapped_s = angle.quadrant & 1u ? c : s;
    double swapped_c = angle.quadrant & 1u ? s : c;
    *sin = angle.quadrant & 2u ? -swapped_s : swapped_s;
    *cos = (angle.quadrant + 1u) & 2u ? -swapped_c : swapped_c;
}

double apex_sin(double x_rad) {
    double s, c;
    apex_sincos(x_rad, &s, &c);
    return s;
}

double apex_cos(double x_rad) {
    double s, c;
    apex_sincos(x_rad, &s, &c);
    return c;
}

double apex_tan(double x_rad) {
    double s, c;
    apex_sincos(x_rad, &s, &c);
    return s / c;
}

const double APEX_ATAN_SIXTEENTHS[17] = {
    0.0,
    0.0624188099959573484740,
    0.1243549945467614350314,
    0.1853479499956947648860,
    0.2449786631268641541721,
    0.3028848683749714055606,
    0.3587706702705722203959,
    0.4124104415973873068998,
    0.4636476090008061162143,
    0.5123894603107377066666,
    0.5585993153435624359715,
    0.6022873461349641816821,
    0.6435011087932843868028,
    0.6823165548747480782564,
    0.7188299996216245054170,
    0.7531512809621943895247,
    0.7853981633974483096157,
};

// atan of a number in 0..1: the table gives the nearest sixteenth, the addition theorem and a
// series in at most 1/32 the rest. physics/lanes/wide_angles.h has the same for eight
// numbers.
static double atan_unit(double x) {
    int32_t k = (int32_t)(x * 16.0 + 0.5);
    double centre = (double)k / 16.0;
    double t = (x - centre) / (1.0 + x * centre);
    double z = t * t;
    double p = -1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z - 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z - 1.0 / 3.0;
    return APEX_ATAN_SIXTEENTHS[k] + (t + t * z * p);
}

double apex_atan(double x) {
    if (x != x) {
        return x;
    }
    double size = fabs(x);
    double angle = size <= 1.0 ? atan_unit(size) : HALF_PI - (atan_unit(1.0 / size) - HALF_PI_TAIL);
    return x < 0.0 ? -angle : angle;
}

double apex_atan2(double y, double x) {
    double ax = fabs(x), ay = fabs(y);
    if (ax == 0.0 && ay == 0.0) {
        return 0.0;
    }
    if (x != x || y != y) {
        return x + y;
    }
    if (ax == ay) { // also the only way to make infinity over infinity
        ax = ay = 1.0;
    }
    double angle = ay <= ax ? atan_unit(ay / ax) : HALF_PI - (atan_unit(ax / ay) - HALF_PI_TAIL);
    if (x < 0.0) {
        angle = APEX_PI - (angle - APEX_PI_TAIL);
    }
    return y < 0.0 ? -angle : angle;
}

double apex_asin(double x) {
    double square = (1.0 - x) * (1.0 + x);
    return apex_atan2(x, square > 0.0 ? sqrt(square) : square != square ? square : 0.0);
}

static double power_of_two(int32_t n) {
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double apex_exp(double x) {
    // ln 2 with 32 bits in front, so that its product with the exponent is exact.
    const double LN2_HIGH = 6.93147180369123816490e-01;
    const double LN2_LOW = 1.90821492927058770002e-10;
    if (x != x) {
        return x;
    }
    if (x > 709.78) {
        return HUGE_VAL;
    }
    if (x < -708.0) {
        return 0.0;
    }
    double doublings = x / (LN2_HIGH + LN2_LOW);
    int32_t n = (int32_t)(doublings + (doublings < 0.0 ? -0.5 : 0.5));
    double high = x - (double)n * LN2_HIGH;
    double low = (double)n * LN2_LOW;
    double r = high - low;
    double p = 1.0;
    for (int32_t k = 14; k >= 2; k--) {
        p = 1.0 + p * r / (double)k;
    }
    // 1 + r + ..., with what high - low lost put back at the end.
    double value = 1.0 + (r * p + ((high - r) - low));
    return n > 1000 ? value * power_of_two(1000) * power_of_two(n - 1000) : value * power_of_two(n);
}

double apex_wrap_angle(double angle_rad) {
    if (angle_rad >= -APEX_PI && angle_rad <= APEX_PI) {
        return angle_rad;
    }
    double s, c;
    apex_sincos(angle_rad, &s, &c);
    return apex_atan2(s, c);
}
