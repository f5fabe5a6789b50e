/// Eight cars at a time: a vector of eight reals and what the step needs to compute with it. The
/// only file that uses the compilers' vector extension. Each operation is the same IEEE 754
/// operation in each lane, so that AVX2, SSE2, NEON and the double build agree with scalar code and
/// with each other bit for bit. Functions are always inlined: no vector crosses a call.
///
/// Cars stand in blocks of eight, slot by slot, and a stage of the step computes all eight with one
/// stream of instructions. The numbers of their kinds stand side by side, too: shared by all blocks
/// of one kind, a block's own where kinds mix. Rare events (a gear, a landing, a blown engine, a
/// hull on the ground) is done one car at a time, for the lanes that a mask names. The files of the
/// step are compiled once for each instruction set; `-mavx2` brings no fused multiply-add
/// (DECISIONS 16).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/trig.h"
#include "physics/lanes/real.h"

enum { PHYSICS_LANES = 8 };

#ifdef APEX_REAL_DOUBLE
typedef int64_t lanes_int;
#else
typedef int32_t lanes_int;
#endif

typedef real lanes __attribute__((vector_size(PHYSICS_LANES * sizeof(real))));
typedef lanes_int lanes_mask __attribute__((vector_size(PHYSICS_LANES * sizeof(real))));
typedef uint32_t lanes_bits __attribute__((vector_size(PHYSICS_LANES * sizeof(uint32_t))));
typedef int32_t lanes_index __attribute__((vector_size(PHYSICS_LANES * sizeof(int32_t))));

typedef double lanes_half_wide __attribute__((vector_size(4 * sizeof(double))));
typedef real lanes_half __attribute__((vector_size(4 * sizeof(real))));

typedef int64_t lanes_half_wide_mask __attribute__((vector_size(4 * sizeof(double))));

/// Eight doubles, for what must not be rounded: places and directions in the world.
typedef struct lanes_wide {
    lanes_half_wide low, high;
} lanes_wide;

typedef struct lanes_wide_mask {
    lanes_half_wide_mask low, high;
} lanes_wide_mask;

#define LANES_INLINE static inline __attribute__((always_inline))

LANES_INLINE lanes lanes_all(real x) {
    return (lanes){x, x, x, x, x, x, x, x};
}

LANES_INLINE lanes lanes_zero(void) {
    return (lanes){R(0.0)};
}

// gcc without 256-bit registers compares lane by lane; two halves stay packed.
#if !defined(__clang__) && !defined(__AVX__) && !defined(APEX_REAL_DOUBLE)
typedef int32_t lanes_half_mask __attribute__((vector_size(16)));
typedef union lanes_halves {
    lanes whole;
    lanes_half half[2];
} lanes_halves;
typedef union lanes_mask_halves {
    lanes_mask whole;
    lanes_half_mask half[2];
} lanes_mask_halves;
#define LANES_COMPARE(a, b, operator)                                                              \
    lanes_halves first = {.whole = a}, second = {.whole = b};                                      \
    lanes_mask_halves result = {                                                                   \
        .half = {first.half[0] operator second.half[0], first.half[1] operator second.half[1] } }; \
    return result.whole
#else
#define LANES_COMPARE(a, b, operator) return a operator b
#endif

LANES_INLINE lanes_mask lanes_less(lanes a, lanes b) {
    LANES_COMPARE(a, b, <);
}

LANES_INLINE lanes_mask lanes_at_most(lanes a, lanes b) {
    LANES_COMPARE(a, b, <=);
}

LANES_INLINE lanes_mask lanes_equal(lanes a, lanes b) {
    LANES_COMPARE(a, b, ==);
}

LANES_INLINE lanes_mask lanes_more(lanes a, lanes b) {
    return lanes_less(b, a);
}

/// For numbers that stand for yes and no: 1 and 0.
LANES_INLINE lanes_mask lanes_true(lanes x) {
    return lanes_more(x, lanes_all(R(0.5)));
}

LANES_INLINE lanes lanes_select(lanes_mask mask, lanes yes, lanes no) {
    return (lanes)((mask & (lanes_mask)yes) | (~mask & (lanes_mask)no));
}

/// x where the mask is set, else 0.
LANES_INLINE lanes lanes_keep(lanes_mask mask, lanes x) {
    return (lanes)(mask & (lanes_mask)x);
}

/// Masks are all ones or all zeros in each lane.
LANES_INLINE bool lanes_any(lanes_mask mask) {
#if defined(__AVX__) && !defined(APEX_REAL_DOUBLE)
    return __builtin_ia32_movmskps256((lanes)mask) != 0; // one instruction instead of six
#else
    union {
        lanes_mask mask;
        uint64_t words[sizeof(lanes_mask) / sizeof(uint64_t)];
    } all = {mask};
    uint64_t bits = 0;
    for (uint32_t i = 0; i < sizeof all.words / sizeof *all.words; i++) {
        bits |= all.words[i];
    }
    return bits != 0;
#endif
}

/// A bit for each lane of a mask.
LANES_INLINE uint32_t lanes_which(lanes_mask mask) {
#if defined(__AVX__) && !defined(APEX_REAL_DOUBLE)
    return (uint32_t)__builtin_ia32_movmskps256((lanes)mask);
#else
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        bits |= mask[lane] != 0 ? 1u << lane : 0u;
    }
    return bits;
#endif
}

/// The same for the result of comparing indices.
LANES_INLINE uint32_t index_which(lanes_index mask) {
#ifdef __AVX__
    typedef float whole __attribute__((vector_size(32)));
    return (uint32_t)__builtin_ia32_movmskps256((whole)mask);
#else
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        bits |= (uint32_t)mask[lane] & 1u << lane;
    }
    return bits;
#endif
}

// x86 has one instruction for a < b ? a : b, which compilers do not find behind a select.
LANES_INLINE lanes lanes_min(lanes a, lanes b) {
#if defined(__AVX__) && !defined(APEX_REAL_DOUBLE)
    return __builtin_ia32_minps256(a, b);
#else
    return lanes_select(lanes_less(a, b), a, b);
#endif
}

/// b < a ? a : b
LANES_INLINE lanes lanes_max(lanes a, lanes b) {
#if defined(__AVX__) && !defined(APEX_REAL_DOUBLE)
    return __builtin_ia32_maxps256(a, b);
#else
    return lanes_select(lanes_less(b, a), a, b);
#endif
}

LANES_INLINE lanes lanes_clamp(lanes x, lanes low, lanes high) {
    return lanes_min(lanes_max(x, low), high);
}

/// Between 0 and 1.
LANES_INLINE lanes lanes_share(lanes x) {
    return lanes_clamp(x, lanes_zero(), lanes_all(R(1.0)));
}

LANES_INLINE lanes_mask lanes_sign_bit(lanes x) {
    return (lanes_mask)x & (lanes_mask)lanes_all(R(-0.0));
}

LANES_INLINE lanes lanes_abs(lanes x) {
    return (lanes)((lanes_mask)x & ~(lanes_mask)lanes_all(R(-0.0)));
}

/// |size| with the sign of `sign`.
LANES_INLINE lanes lanes_with_sign(lanes size, lanes sign) {
    return (lanes)((lanes_mask)lanes_abs(size) | lanes_sign_bit(sign));
}

LANES_INLINE lanes lanes_sqrt(lanes x) {
    return (lanes){real_sqrt(x[0]), real_sqrt(x[1]), real_sqrt(x[2]), real_sqrt(x[3]),
                   real_sqrt(x[4]), real_sqrt(x[5]), real_sqrt(x[6]), real_sqrt(x[7])};
}

LANES_INLINE lanes_mask lanes_finite(lanes x) {
    return lanes_equal(x * lanes_zero(), lanes_zero());
}

/// a + b, wrapping: what lies off the world's end is somewhere, not undefined.
LANES_INLINE lanes_index index_add(lanes_index a, lanes_index b) {
    return (lanes_index)((lanes_bits)a + (lanes_bits)b);
}

/// The whole number below each, and what is left of it; for numbers below 2^31.
LANES_INLINE lanes lanes_cell(lanes x, lanes_index *cell) {
    lanes_index cut = __builtin_convertvector(x, lanes_index);
    lanes_mask is_above = lanes_less(x, __builtin_convertvector(cut, lanes));
    *cell = index_add(cut, __builtin_convertvector(is_above, lanes_index));
    return x - __builtin_convertvector(*cell, lanes);
}

LANES_INLINE lanes lanes_smoothstep(lanes x, lanes low, lanes high) {
    lanes t = lanes_share((x - low) / (high - low));
    return t * t * (R(3.0) - R(2.0) * t);
}

// The oracle's angles are exact, so that what the float's polynomials cost shows against it.
#ifdef APEX_REAL_DOUBLE
LANES_INLINE lanes lanes_atan(lanes x) {
    return (lanes){apex_atan(x[0]), apex_atan(x[1]), apex_atan(x[2]), apex_atan(x[3]),
                   apex_atan(x[4]), apex_atan(x[5]), apex_atan(x[6]), apex_atan(x[7])};
}

LANES_INLINE lanes lanes_sin(lanes x) {
    return (lanes){apex_sin(x[0]), apex_sin(x[1]), apex_sin(x[2]), apex_sin(x[3]),
                   apex_sin(x[4]), apex_sin(x[5]), apex_sin(x[6]), apex_sin(x[7])};
}
#else
/// As real_atan.
LANES_INLINE lanes lanes_atan(lanes x) {
    const lanes ONE = lanes_all(R(1.0));
    lanes size = lanes_abs(x);
    lanes_mask is_steep = lanes_more(size, ONE);
    lanes t = lanes_select(is_steep, ONE, size) / lanes_select(is_steep, size, ONE);
    lanes z = t * t;
    lanes z2 = z * z;
    // Pairs first (Estrin): half the wait of Horner's order.
    lanes low = R(-0.333284916227) + R(0.198978681841) * z;
    lanes middle = R(-0.135445509288) + R(0.0848405093914) * z;
    lanes high = R(-0.0377962212262) + R(0.00810619437873) * z;
    lanes p = low + z2 * (middle + z2 * high);
    lanes angle = t + t * z * p;
    angle = lanes_select(is_steep, R(1.57079632679489662) - angle, angle);
    return (lanes)((lanes_mask)angle | lanes_sign_bit(x));
}

/// As real_sin: for -3 pi/2 .. 3 pi/2.
LANES_INLINE lanes lanes_sin(lanes x) {
    const lanes HALF_PI = lanes_all(R(1.57079632679489662));
    lanes folded = lanes_with_sign(lanes_all(R(3.14159265358979324)), x) - x;
    lanes t = lanes_select(lanes_more(lanes_abs(x), HALF_PI), folded, x);
    lanes z = t * t;
    lanes low = R(-0.166666595509) + R(0.00833306625678) * z;
    lanes high = R(-0.000198096035987) + R(2.60578203496e-6) * z;
    lanes p = low + (z * z) * high;
    return t + t * z * p;
}
#endif

/// As real_cos: for -pi .. pi.
LANES_INLINE lanes lanes_cos(lanes x) {
    return lanes_sin(lanes_abs(x) + R(1.57079632679489662));
}

typedef lanes lanes_anywhere __attribute__((aligned(sizeof(real)), may_alias));

/// Eight numbers that stand one behind the other.
LANES_INLINE lanes lanes_load(const void *from) {
    return *(const lanes_anywhere *)from;
}

LANES_INLINE void lanes_store(void *to, lanes x) {
    *(lanes_anywhere *)to = x;
}

/// Eight rows of eight become eight columns: what stands in one place of eight structs is then one
/// vector, and the other way round.
LANES_INLINE void lanes_transpose(lanes rows[PHYSICS_LANES]) {
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
    lanes pairs[PHYSICS_LANES], quads[PHYSICS_LANES];
    for (uint32_t i = 0; i < PHYSICS_LANES; i += 2) {
        pairs[i] = LOW(rows[i], rows[i + 1]);
        pairs[i + 1] = HIGH(rows[i], rows[i + 1]);
    }
#undef LOW
#undef HIGH
    for (uint32_t i = 0; i < PHYSICS_LANES; i += 4) {
        for (uint32_t k = 0; k < 2; k++) {
            lanes first = pairs[i + k], second = pairs[i + k + 2];
            quads[i + 2 * k] = __builtin_shufflevector(first, second, 0, 1, 8, 9, 4, 5, 12, 13);
            quads[i + 2 * k + 1] =
                __builtin_shufflevector(first, second, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        rows[i] = __builtin_shufflevector(quads[i], quads[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[i + 4] = __builtin_shufflevector(quads[i], quads[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

LANES_INLINE lanes_wide lanes_widen(lanes x) {
    lanes_half low = __builtin_shufflevector(x, x, 0, 1, 2, 3);
    lanes_half high = __builtin_shufflevector(x, x, 4, 5, 6, 7);
    return (lanes_wide){__builtin_convertvector(low, lanes_half_wide),
                        __builtin_convertvector(high, lanes_half_wide)};
}

LANES_INLINE lanes lanes_narrow(lanes_wide x) {
    lanes_half low = __builtin_convertvector(x.low, lanes_half);
    lanes_half high = __builtin_convertvector(x.high, lanes_half);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

LANES_INLINE lanes_wide wide_add(lanes_wide a, lanes_wide b) {
    return (lanes_wide){a.low + b.low, a.high + b.high};
}

LANES_INLINE lanes_wide wide_subtract(lanes_wide a, lanes_wide b) {
    return (lanes_wide){a.low - b.low, a.high - b.high};
}

LANES_INLINE lanes_wide wide_multiply(lanes_wide a, lanes_wide b) {
    return (lanes_wide){a.low * b.low, a.high * b.high};
}

LANES_INLINE lanes_wide wide_divide(lanes_wide a, lanes_wide b) {
    return (lanes_wide){a.low / b.low, a.high / b.high};
}

LANES_INLINE lanes_wide wide_scale(lanes_wide a, double by) {
    return (lanes_wide){a.low * by, a.high * by};
}

LANES_INLINE lanes_wide wide_all(double x) {
    return (lanes_wide){{x, x, x, x}, {x, x, x, x}};
}

LANES_INLINE lanes_wide_mask wide_less(lanes_wide a, lanes_wide b) {
    return (lanes_wide_mask){a.low < b.low, a.high < b.high};
}

LANES_INLINE lanes_wide wide_choose(lanes_wide_mask mask, lanes_wide yes, lanes_wide no) {
    typedef lanes_half_wide_mask bits;
    return (lanes_wide){
        (lanes_half_wide)((mask.low & (bits)yes.low) | (~mask.low & (bits)no.low)),
        (lanes_half_wide)((mask.high & (bits)yes.high) | (~mask.high & (bits)no.high))};
}

/// The first where the mask is set, else the second.
LANES_INLINE lanes_wide wide_select(lanes_mask mask, lanes_wide yes, lanes_wide no) {
    typedef lanes_int half_int __attribute__((vector_size(4 * sizeof(real))));
    half_int low = __builtin_shufflevector(mask, mask, 0, 1, 2, 3);
    half_int high = __builtin_shufflevector(mask, mask, 4, 5, 6, 7);
    return wide_choose((lanes_wide_mask){__builtin_convertvector(low, lanes_half_wide_mask),
                                         __builtin_convertvector(high, lanes_half_wide_mask)},
                       yes, no);
}

LANES_INLINE lanes_wide wide_negate(lanes_wide x) {
    return (lanes_wide){-x.low, -x.high};
}

LANES_INLINE lanes_wide wide_abs(lanes_wide x) {
    typedef lanes_half_wide_mask bits;
    const bits SIGN = (bits)wide_all(-0.0).low;
    return (lanes_wide){(lanes_half_wide)((bits)x.low & ~SIGN),
                        (lanes_half_wide)((bits)x.high & ~SIGN)};
}

LANES_INLINE lanes_wide wide_sqrt(lanes_wide x) {
    return (lanes_wide){{sqrt(x.low[0]), sqrt(x.low[1]), sqrt(x.low[2]), sqrt(x.low[3])},
                        {sqrt(x.high[0]), sqrt(x.high[1]), sqrt(x.high[2]), sqrt(x.high[3])}};
}

/// Rows of a table: of each number, which must not be negative, the row of its whole part.
/// @param[out] whole these parts.
LANES_INLINE lanes_wide wide_look_up(const double table[], lanes_wide x, lanes_wide *whole) {
    typedef int32_t half_index __attribute__((vector_size(16)));
    half_index low = __builtin_convertvector(x.low, half_index);
    half_index high = __builtin_convertvector(x.high, half_index);
    *whole = (lanes_wide){__builtin_convertvector(low, lanes_half_wide),
                          __builtin_convertvector(high, lanes_half_wide)};
    return (lanes_wide){{table[low[0]], table[low[1]], table[low[2]], table[low[3]]},
                        {table[high[0]], table[high[1]], table[high[2]], table[high[3]]}};
}

LANES_INLINE void wide_store(double to[PHYSICS_LANES], lanes_wide x) {
    typedef lanes_half_wide anywhere __attribute__((aligned(sizeof(double)), may_alias));
    *(anywhere *)to = x.low;
    *(anywhere *)(to + 4) = x.high;
}

/// As lanes_cell.
LANES_INLINE lanes wide_cell(lanes_wide x, lanes_index *cell) {
    typedef int32_t half_index __attribute__((vector_size(16)));
    half_index low = __builtin_convertvector(x.low, half_index);
    half_index high = __builtin_convertvector(x.high, half_index);
    half_index low_step =
        __builtin_convertvector(x.low < __builtin_convertvector(low, lanes_half_wide), half_index);
    half_index high_step = __builtin_convertvector(
        x.high < __builtin_convertvector(high, lanes_half_wide), half_index);
    *cell = index_add(__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7),
                      __builtin_shufflevector(low_step, high_step, 0, 1, 2, 3, 4, 5, 6, 7));
    low = __builtin_shufflevector(*cell, *cell, 0, 1, 2, 3);
    high = __builtin_shufflevector(*cell, *cell, 4, 5, 6, 7);
    lanes_wide rest = {x.low - __builtin_convertvector(low, lanes_half_wide),
                       x.high - __builtin_convertvector(high, lanes_half_wide)};
    return lanes_narrow(rest);
}

/// Of two places: four doubles each, the fourth without meaning. The rest is 0.
LANES_INLINE lanes lanes_difference(const double *a, const double *b) {
    typedef lanes_half_wide anywhere __attribute__((aligned(sizeof(double)), may_alias));
    lanes_half_wide apart = *(const anywhere *)a - *(const anywhere *)b;
    lanes_half half = __builtin_convertvector(apart, lanes_half);
    return __builtin_shufflevector(half, (lanes_half){R(0.0)}, 0, 1, 2, 3, 4, 4, 4, 4);
}

LANES_INLINE void lanes_set(lanes *x, uint32_t lane, real value) {
    (*x)[lane] = value;
}

LANES_INLINE double wide_get(const lanes_wide *x, uint32_t lane) {
    return lane < 4 ? x->low[lane] : x->high[lane - 4];
}

LANES_INLINE void wide_set(lanes_wide *x, uint32_t lane, double value) {
    if (lane < 4) {
        x->low[lane] = value;
    } else {
        x->high[lane - 4] = value;
    }
}
