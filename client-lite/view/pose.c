// Curves between poses, and offsets that fade away.
#include "client-lite/view/pose.h"

#include <math.h>

#include "base/trig.h"

// Time in which a correction falls to 1 / e.
static const double DECAY_S = 0.1, EASE_S = 0.4;
// Metres and radians that nobody sees.
static const double NOTHING = 1e-6;

apex_client_pose client_pose_of_wire(const apex_wire_car *car, double tick) {
    return (apex_client_pose){
        .car = car->id,
        .tick = tick,
        .position_m = {car->x_mm / 1000.0, car->y_mm / 1000.0, car->z_mm / 1000.0},
        .velocity_mps = {car->vx_cmps / 100.0, car->vy_cmps / 100.0, car->vz_cmps / 100.0},
        .yaw_rad = car->yaw_q / APEX_ANGLE_UNITS_PER_RAD,
        .pitch_rad = car->pitch_q / APEX_ANGLE_UNITS_PER_RAD,
        .roll_rad = car->roll_q / APEX_ANGLE_UNITS_PER_RAD,
        .yaw_rate_radps = car->yaw_rate_q / APEX_YAW_RATE_UNITS_PER_RADPS,
        .steer_rad = car->steer_q / APEX_ANGLE_UNITS_PER_RAD,
        .rpm = car->rpm,
        .gear = car->gear,
        .throttle = car->throttle,
        .brake = car->brake,
        .flags = car->flags,
        .damage = car->damage,
        .damage_zones = car->damage_zones,
    };
}

client_offset client_offset_between(const apex_client_pose *from, const apex_client_pose *to) {
    client_offset offset;
    for (int i = 0; i < 3; i++) {
        offset.position_m[i] = from->position_m[i] - to->position_m[i];
    }
    offset.angle_rad[0] = apex_wrap_angle(from->yaw_rad - to->yaw_rad);
    offset.angle_rad[1] = apex_wrap_angle(from->pitch_rad - to->pitch_rad);
    offset.angle_rad[2] = apex_wrap_angle(from->roll_rad - to->roll_rad);
    return offset;
}

double client_offset_m(const client_offset *offset) {
    const double *at = offset->position_m;
    return sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
}

double client_offset_rad(const client_offset *offset) {
    return fmax(fabs(offset->angle_rad[0]),
                fmax(fabs(offset->angle_rad[1]), fabs(offset->angle_rad[2])));
}

void client_offset_add(client_offset *offset, const client_offset *more) {
    for (int i = 0; i < 3; i++) {
        offset->position_m[i] += more->position_m[i];
        offset->angle_rad[i] = apex_wrap_angle(offset->angle_rad[i] + more->angle_rad[i]);
    }
}

static bool is_none(const client_offset *offset) {
    const double *at = offset->position_m, *turned = offset->angle_rad;
    return at[0] == 0.0 && at[1] == 0.0 && at[2] == 0.0 && turned[0] == 0.0 && turned[1] == 0.0 &&
           turned[2] == 0.0;
}

void client_offset_decay(client_offset *offset, double elapsed_s) {
    enum { DECAYS_MAX = 20 }; // by then it is less than a micrometre
    if (is_none(offset) || elapsed_s <= 0.0) {
        return;
    }
    double left = elapsed_s < DECAYS_MAX * DECAY_S ? apex_exp(-elapsed_s / DECAY_S) : 0.0;
    for (int i = 0; i < 3; i++) {
        offset->position_m[i] *= left;
        offset->angle_rad[i] *= left;
    }
    if (client_offset_m(offset) < NOTHING && client_offset_rad(offset) < NOTHING) {
        *offset = (client_offset){0};
    }
}

void client_offset_ease(client_offset *offset, double elapsed_s, double most_mps) {
    if (is_none(offset) || elapsed_s <= 0.0) {
        return;
    }
    double left = apex_exp(-fmin(elapsed_s / EASE_S, 20.0)), size_m = client_offset_m(offset);
    double most_m = most_mps * elapsed_s;
    double left_m = size_m * (1.0 - left) > most_m ? 1.0 - most_m / size_m : left;
    for (int i = 0; i < 3; i++) {
        offset->position_m[i] *= left_m;
        offset->angle_rad[i] *= left;
    }
}

void client_pose_shift(apex_client_pose *pose, const client_offset *offset) {
    if (is_none(offset)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        pose->position_m[i] += offset->position_m[i];
    }
    pose->yaw_rad = apex_wrap_angle(pose->yaw_rad + offset->angle_rad[0]);
    pose->pitch_rad = apex_wrap_angle(pose->pitch_rad + offset->angle_rad[1]);
    pose->roll_rad = apex_wrap_angle(pose->roll_rad + offset->angle_rad[2]);
}

static double mix(double from, double to, double share) {
    return from + (to - from) * share;
}

static double mix_angle(double from_rad, double to_rad, double share) {
    return apex_wrap_angle(from_rad + apex_wrap_angle(to_rad - from_rad) * share);
}

apex_client_pose client_pose_between(const apex_client_pose *from, const apex_client_pose *to,
                                     double share) {
    apex_client_pose pose = *to;
    pose.tick = mix(from->tick, to->tick, share);
    for (int i = 0; i < 3; i++) {
        pose.position_m[i] = mix(from->position_m[i], to->position_m[i], share);
        pose.velocity_mps[i] = mix(from->velocity_mps[i], to->velocity_mps[i], share);
    }
    pose.yaw_rad = mix_angle(from->yaw_rad, to->yaw_rad, share);
    pose.pitch_rad = mix_angle(from->pitch_rad, to->pitch_rad, share);
    pose.roll_rad = mix_angle(from->roll_rad, to->roll_rad, share);
    pose.yaw_rate_radps = mix(from->yaw_rate_radps, to->yaw_rate_radps, share);
    pose.steer_rad = mix(from->steer_rad, to->steer_rad, share);
    pose.rpm = mix(from->rpm, to->rpm, share);
    return pose;
}

typedef struct curve_point {
    double value, rate;
} curve_point;

// Hermite's cubic: both values and both rates are met.
static curve_point curve(curve_point from, curve_point to, double share, double span_s) {
    double s = share, s2 = s * s, s3 = s2 * s;
    double lean_from = from.rate * span_s, lean_to = to.rate * span_s;
    curve_point at;
    at.value = (2.0 * s3 - 3.0 * s2 + 1.0) * from.value + (s3 - 2.0 * s2 + s) * lean_from +
               (3.0 * s2 - 2.0 * s3) * to.value + (s3 - s2) * lean_to;
    double slope = (6.0 * s2 - 6.0 * s) * (from.value - to.value) +
                   (3.0 * s2 - 4.0 * s + 1.0) * lean_from + (3.0 * s2 - 2.0 * s) * lean_to;
    at.rate = span_s > 0.0 ? slope / span_s : to.rate;
    return at;
}

apex_client_pose client_pose_curve(const apex_client_pose *from, const apex_client_pose *to,
                                   double share, double span_s) {
    apex_client_pose pose = client_pose_between(from, to, share);
    for (int i = 0; i < 3; i++) {
        curve_point at =
            curve((curve_point){from->position_m[i], from->velocity_mps[i]},
                  (curve_point){to->position_m[i], to->velocity_mps[i]}, share, span_s);
        pose.position_m[i] = at.value;
        pose.velocity_mps[i] = at.rate;
    }
    double turn_rad = apex_wrap_angle(to->yaw_rad - from->yaw_rad);
    curve_point yaw = curve((curve_point){0.0, from->yaw_rate_radps},
                            (curve_point){turn_rad, to->yaw_rate_radps}, share, span_s);
    pose.yaw_rad = apex_wrap_angle(from->yaw_rad + yaw.value);
    pose.yaw_rate_radps = yaw.rate;
    return pose;
}

static void turn(double velocity_mps[3], double angle_rad) {
    double sine, cosine;
    apex_sincos(angle_rad, &sine, &cosine);
    double x = velocity_mps[0] * cosine - velocity_mps[1] * sine;
    velocity_mps[1] = velocity_mps[0] * sine + velocity_mps[1] * cosine;
    velocity_mps[0] = x;
}

void client_pose_turn_on(apex_client_pose *pose, double ahead_s) {
    if ((pose->flags & APEX_CAR_FLAG_HELD) != 0) {
        return; // it stays, whatever its velocity says
    }
    double turn_rad = pose->yaw_rate_radps * ahead_s;
    // The chord of an arc points half the turn away from its beginning, and is shorter than it.
    double half_rad = 0.5 * turn_rad;
    double chord = fabs(half_rad) > 1e-6 ? apex_sin(half_rad) / half_rad : 1.0;
    turn(pose->velocity_mps, half_rad);
    pose->position_m[0] += pose->velocity_mps[0] * ahead_s * chord;
    pose->position_m[1] += pose->velocity_mps[1] * ahead_s * chord;
    pose->position_m[2] += pose->velocity_mps[2] * ahead_s;
    turn(pose->velocity_mps, half_rad);
    pose->yaw_rad = apex_wrap_angle(pose->yaw_rad + turn_rad);
}
