/// What figures and manoeuvres are made of.
#pragma once

#include "proving/test_driver/driver_state.h"

// --- Tests --------------------------------------------------------------------------------------

/// Standing start, full throttle; NaN for what is not reached.
typedef struct proving_sprint {
    double to_60mph_s, to_100kmh_s, to_160kmh_s, to_200kmh_s;
    double quarter_mile_s, quarter_mile_mps;
    double end_mps;
    double ax_mps2_max; ///< mean over a tenth of a second
} proving_sprint;

proving_sprint proving_sprint_run(proving_rig *rig);

typedef struct proving_top_speed {
    double speed_mps, rpm;
    int32_t gear;
} proving_top_speed;

/// In the best gear. @param from_mps where to begin; the nearer the sooner it is done.
proving_top_speed proving_top_speed_run(proving_rig *rig, double from_mps);

typedef struct proving_stop {
    double distance_m; ///< from exactly `speed_mps`: scaled by the square of the true one
    double time_s;
    double drift_m;           ///< sideways
    double deceleration_mps2; ///< mean over the distance
} proving_stop;

proving_stop proving_stop_run(proving_rig *rig, double speed_mps);

typedef struct proving_circle {
    double ay_mps2; ///< mean over the best whole circle
    double speed_mps;
    double steer_rad; ///< mean over the same
    double slip_angle_rad, roll_rad;
    bool is_limit; ///< false if it was speed that ran out, not grip
} proving_circle;

/// Speed rises slowly until the car leaves the circle. @param radius_m left positive
proving_circle proving_skidpad_run(proving_rig *rig, double radius_m);

/// Straight lines through what was seen below a lateral acceleration, per m/s2.
typedef struct proving_gradient {
    double understeer_rad; ///< steering beyond what the curvature asks
    double slip_angle_rad, roll_rad;
    double ay_mps2_max; ///< reached
} proving_gradient;

/// ISO 4138, constant radius, speed raised slowly to a lateral acceleration.
proving_gradient proving_gradient_run(proving_rig *rig, double radius_m, double ay_mps2);

/// A line through points by least squares.
typedef struct proving_line {
    double n, x, y, xx, xy;
} proving_line;

void proving_line_add(proving_line *line, double x, double y);
double proving_line_slope(const proving_line *line); ///< NaN of fewer than two places
double proving_line_start(const proving_line *line); ///< y at x = 0

// --- Manoeuvres ---------------------------------------------------------------------------------

/// One run under way: what was asked for, the rig it is driven on, and where figures go.
typedef struct proving_run {
    const apex_manoeuvre_def *def;
    proving_rig *rig;
    apex_manoeuvre_result *result;
} proving_run;

void proving_run_add(const proving_run *run, const char *name, const char *unit, double value);
double proving_run_side(const proving_run *run); ///< 1 left, -1 right
double proving_degrees(double angle_rad);

void proving_manoeuvre_ramp_steer(const proving_run *run);
void proving_manoeuvre_step_steer(const proving_run *run);
void proving_manoeuvre_sine_sweep(const proving_run *run);
void proving_manoeuvre_brake_in_turn(const proving_run *run);
void proving_manoeuvre_course(const proving_run *run);
void proving_manoeuvre_hill_hold(const proving_run *run);
void proving_manoeuvre_jump(const proving_run *run);
