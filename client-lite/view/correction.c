// A quintic with both ends at rest but for what was under way: Flash and Hogan's minimum jerk.
#include "client-lite/view/correction.h"

#include <math.h>

enum { AXES = 6 }; // place, then yaw, pitch, roll

// A car turned the wrong way by a radian looks as wrong as one that is two metres off.
static const double M_PER_RAD = 2.0;
// A rest of minimum jerk is fastest in the middle, by this share of its mean speed.
static const double PEAK = 1.875;
// Metres and radians that nobody sees.
static const double NOTHING = 1e-6;
// The span is lengthened by this until the offset is slow enough.
static const double LONGER = 1.25;
static const double SPAN_S_LIMIT = 4.0;

client_correction_limits client_correction_near(void) {
    return (client_correction_limits){
        .s_per_m = 1.2, .span_s_min = 0.15, .span_s_max = 0.6, .speed_mps_max = 4.5};
}

client_correction_limits client_correction_alone(void) {
    return (client_correction_limits){
        .s_per_m = 0.8, .span_s_min = 0.1, .span_s_max = 0.4, .speed_mps_max = 4.5};
}

static double *axis(client_offset *offset, int i) {
    return i < 3 ? &offset->position_m[i] : &offset->angle_rad[i - 3];
}

static double value(const client_offset *offset, int i) {
    return i < 3 ? offset->position_m[i] : offset->angle_rad[i - 3];
}

typedef struct course {
    double value, rate, acceleration;
} course;

// From `from` to rest at zero in `span_s`, after `since_s` of it.
static course course_at(course from, double span_s, double since_s) {
    double t = span_s, s = since_s / span_s;
    double c0 = from.value, c1 = from.rate * t, c2 = 0.5 * from.acceleration * t * t;
    double c3 = -10.0 * c0 - 6.0 * c1 - 3.0 * c2;
    double c4 = 15.0 * c0 + 8.0 * c1 + 3.0 * c2;
    double c5 = -6.0 * c0 - 3.0 * c1 - c2;
    return (course){
        .value = c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5)))),
        .rate = (c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / t,
        .acceleration = (2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (t * t),
    };
}

static course began(const client_correction *self, int i) {
    return (course){value(&self->from, i), value(&self->per_s, i), value(&self->per_s2, i)};
}

static bool is_over(const client_correction *self) {
    return self->since_s >= self->span_s;
}

static course now(const client_correction *self, int i) {
    return is_over(self) ? (course){0} : course_at(began(self, i), self->span_s, self->since_s);
}

// The fastest of it, looked up at so many moments.
static double fastest_mps(const client_correction *self) {
    enum { MOMENTS = 16 };
    double fastest = 0.0;
    for (int m = 0; m < MOMENTS; m++) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++) {
            double rate =
                course_at(began(self, i), self->span_s, self->span_s * (double)m / (double)MOMENTS)
                    .rate;
            sum += rate * rate;
        }
        fastest = fmax(fastest, sum);
    }
    return sqrt(fastest);
}

static double span_for(const client_offset *offset, const client_correction_limits *limits) {
    double off_m = fmax(client_offset_m(offset), M_PER_RAD * client_offset_rad(offset));
    double span_s = fmin(fmax(limits->s_per_m * off_m, limits->span_s_min), limits->span_s_max);
    return fmax(span_s, PEAK * client_offset_m(offset) / limits->speed_mps_max);
}

void client_correction_add(client_correction *self, const client_offset *jump,
                           const client_correction_limits *limits) {
    client_correction next = {0};
    for (int i = 0; i < AXES; i++) {
        course at = now(self, i);
        *axis(&next.from, i) = at.value;
        *axis(&next.per_s, i) = at.rate;
        *axis(&next.per_s2, i) = at.acceleration;
    }
    client_offset_add(&next.from, jump);
    if (is_over(self) && client_offset_m(&next.from) < NOTHING &&
        client_offset_rad(&next.from) < NOTHING) {
        *self = (client_correction){0};
        return;
    }
    next.span_s = span_for(&next.from, limits);
    while (next.span_s < SPAN_S_LIMIT && fastest_mps(&next) > limits->speed_mps_max) {
        next.span_s *= LONGER;
    }
    *self = next;
}

void client_correction_pass(client_correction *self, double elapsed_s) {
    if (is_over(self)) {
        return;
    }
    self->since_s += fmax(elapsed_s, 0.0);
    if (is_over(self)) {
        *self = (client_correction){0};
    }
}

client_offset client_correction_offset(const client_correction *self) {
    client_offset offset = {0};
    for (int i = 0; i < AXES && !is_over(self); i++) {
        *axis(&offset, i) = now(self, i).value;
    }
    return offset;
}

double client_correction_mps(const client_correction *self) {
    double sum = 0.0;
    for (int i = 0; i < 3 && !is_over(self); i++) {
        double rate = now(self, i).rate;
        sum += rate * rate;
    }
    return sqrt(sum);
}
