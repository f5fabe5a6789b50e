// The place shown between two frames, along and across the car's heading.
#include "client-lite/prediction/rival_errors.h"

#include <math.h>

#include "base/trig.h"

static const double ERROR_MAX = 1e12; // not-a-number counts as that

void client_shown_track_add(client_shown_track *track, double own_tick,
                            const apex_client_pose *pose) {
    uint32_t at = track->count++ % CLIENT_SHOWN_FRAMES;
    track->frames[at].own_tick = own_tick;
    track->frames[at].position_m[0] = pose->position_m[0];
    track->frames[at].position_m[1] = pose->position_m[1];
}

// The frames on both sides of a tick: the newest pair of which the first is not later.
static bool find(const client_shown_track *track, double tick, double out_m[2]) {
    uint32_t kept = track->count < CLIENT_SHOWN_FRAMES ? track->count : CLIENT_SHOWN_FRAMES;
    for (uint32_t back = 1; back < kept; back++) {
        uint32_t to = (track->count - back) % CLIENT_SHOWN_FRAMES;
        uint32_t from = (track->count - back - 1) % CLIENT_SHOWN_FRAMES;
        double begin = track->frames[from].own_tick, end = track->frames[to].own_tick;
        if (begin <= tick && tick < end) {
            double share = (tick - begin) / (end - begin);
            for (int i = 0; i < 2; i++) {
                double a_m = track->frames[from].position_m[i];
                out_m[i] = a_m + share * (track->frames[to].position_m[i] - a_m);
            }
            return true;
        }
    }
    return false;
}

static void add(apex_histogram *histogram, double value) {
    apex_histogram_add(histogram,
                       value < ERROR_MAX ? (uint64_t)fmax(value, 0.0) : (uint64_t)ERROR_MAX);
}

bool client_rival_errors_compare(client_rival_errors *self, const client_shown_track *track,
                                 const apex_wire_car *told, uint32_t tick,
                                 const double own_position_m[3]) {
    double shown_m[2], at_m[2] = {told->x_mm / 1000.0, told->y_mm / 1000.0};
    bool is_near =
        hypot(at_m[0] - own_position_m[0], at_m[1] - own_position_m[1]) <= CLIENT_RIVAL_ERRORS_M;
    if (!is_near || !find(track, (double)tick, shown_m)) {
        return false;
    }
    double sine, cosine, x = shown_m[0] - at_m[0], y = shown_m[1] - at_m[1];
    apex_sincos(told->yaw_q / APEX_ANGLE_UNITS_PER_RAD, &sine, &cosine);
    add(&self->along_um, 1e6 * fabs(x * cosine + y * sine));
    add(&self->across_um, 1e6 * fabs(y * cosine - x * sine));
    return true;
}

void client_rival_errors_note(client_rival_errors *self, double horizon_s, double correction_mps,
                              bool is_late) {
    add(&self->horizon_us, 1e6 * horizon_s);
    add(&self->correction_mmps, 1e3 * correction_mps);
    self->correction_mps_max = fmax(self->correction_mps_max, correction_mps);
    self->late += is_late;
}

static double share_of(const apex_histogram *histogram, double share, double unit) {
    return (double)apex_histogram_quantile(histogram, share) * unit;
}

apex_client_rival_errors client_rival_errors_of(const client_rival_errors *self) {
    return (apex_client_rival_errors){
        .compared = self->along_um.count,
        .along_m_p50 = share_of(&self->along_um, 0.5, 1e-6),
        .along_m_p95 = share_of(&self->along_um, 0.95, 1e-6),
        .along_m_p99 = share_of(&self->along_um, 0.99, 1e-6),
        .across_m_p50 = share_of(&self->across_um, 0.5, 1e-6),
        .across_m_p95 = share_of(&self->across_um, 0.95, 1e-6),
        .across_m_p99 = share_of(&self->across_um, 0.99, 1e-6),
        .horizon_s_p50 = share_of(&self->horizon_us, 0.5, 1e-6),
        .horizon_s_p99 = share_of(&self->horizon_us, 0.99, 1e-6),
        .correction_mps_p99 = share_of(&self->correction_mmps, 0.99, 1e-3),
        .correction_mps_max = self->correction_mps_max,
        .late = self->late,
    };
}
