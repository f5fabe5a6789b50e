// The centre line at a lap distance, and places on and beside it.
#include "track/lap/centre_line.h"

#include "base/trig.h"

double track_wrap_s(const apex_track *track, double s_m) {
    if (!track->closed || (s_m >= 0 && s_m < track->length_m)) {
        return s_m;
    }
    if (s_m < 0 && s_m >= -track->length_m) { // what a gap is, as often as not
        s_m += track->length_m;
        return s_m >= track->length_m ? s_m - track->length_m : s_m;
    }
    double laps = s_m / track->length_m;
    if (!(laps > -1e9 && laps < 1e9)) {
        return 0;
    }
    s_m -= track_floor(laps) * track->length_m;
    // Rounding may have left either end.
    return s_m >= track->length_m ? s_m - track->length_m : s_m < 0 ? 0 : s_m;
}

static double heading_of(const apex_track *track, const track_span *at) {
    const track_station *from = at->from;
    const track_station *to = at->to;
    double turn_rad = apex_wrap_angle(to->heading_rad - from->heading_rad);
    double heading_rad =
        from->heading_rad +
        track_hermite(0, from->curvature_per_m * (track->spacing_m * from->slope_cos), turn_rad,
                      to->curvature_per_m * (track->spacing_m * to->slope_cos), at->t);
    return apex_wrap_angle(heading_rad);
}

double apex_track_heading_rad(const apex_track *track, double s_m) {
    track_span at = track_span_at(track, s_m);
    return heading_of(track, &at);
}

apex_track_frame apex_track_frame_at(const apex_track *track, double s_m) {
    track_span at = track_span_at(track, s_m);
    const track_station *from = at.from;
    const track_station *to = at.to;
    double t = at.t;
    double from_plan_m = track->spacing_m * from->slope_cos;
    double to_plan_m = track->spacing_m * to->slope_cos;
    double slope_sin = track_lerp(from->slope_sin, to->slope_sin, t);
    return (apex_track_frame){
        .x_m = track_hermite(from->x_m, from->along_x * from_plan_m, to->x_m,
                             to->along_x * to_plan_m, t),
        .y_m = track_hermite(from->y_m, from->along_y * from_plan_m, to->y_m,
                             to->along_y * to_plan_m, t),
        .z_m = track_hermite(from->z_m, from->slope_sin * track->spacing_m, to->z_m,
                             to->slope_sin * track->spacing_m, t),
        .heading_rad = heading_of(track, &at),
        .curvature_per_m = track_lerp(from->curvature_per_m, to->curvature_per_m, t),
        .slope_rad = apex_asin(slope_sin),
        .banking_rad = track_lerp(from->banking_rad, to->banking_rad, t),
        .left_m = track_lerp(from->left_m, to->left_m, t),
        .right_m = track_lerp(from->right_m, to->right_m, t),
    };
}

double apex_track_gap_m(const apex_track *track, double from_s_m, double to_s_m) {
    if (!track->closed) {
        return to_s_m - from_s_m;
    }
    double gap_m = track_wrap_s(track, to_s_m - from_s_m);
    return gap_m > track->length_m / 2 ? gap_m - track->length_m : gap_m;
}

apex_placement apex_track_placement(const apex_track *track, double s_m, double offset_m) {
    apex_track_frame frame = apex_track_frame_at(track, s_m);
    double sin;
    double cos;
    apex_sincos(frame.heading_rad, &sin, &cos);
    // No apex_tan: the last bit of every start's height rests on this order.
    double bank_sin;
    double bank_cos;
    apex_sincos(frame.banking_rad, &bank_sin, &bank_cos);
    return (apex_placement){
        .x_m = frame.x_m - offset_m * sin,
        .y_m = frame.y_m + offset_m * cos,
        .z_m = frame.z_m + offset_m * bank_sin / bank_cos,
        .yaw_rad = frame.heading_rad,
    };
}
