/// Who drives, and along what.
#pragma once

#include "proving/rig/rig.h"

// --- Paths --------------------------------------------------------------------------------------

typedef enum proving_path_kind {
    PROVING_PATH_STRAIGHT, ///< along x
    PROVING_PATH_CIRCLE,   ///< starts at the origin along x; centre at (0, radius)
    PROVING_PATH_LINE,     ///< y over x, level before the first point and straight after the last
} proving_path_kind;

#define PROVING_LINE_STEP_M 1.0
enum { PROVING_LINE_POINTS = 320 };

typedef struct proving_path {
    proving_path_kind kind;
    double radius_m; ///< left positive
    double from_x_m; ///< of the first point
    uint32_t point_count;
    double y_m[PROVING_LINE_POINTS];
} proving_path;

/// The path beside a place.
typedef struct proving_beside {
    double off_m;           ///< how far left of the path the place lies
    double along[2];        ///< unit, the way the path goes
    double curvature_per_m; ///< of the path, `ahead_m` further on
} proving_beside;

proving_path proving_path_straight(void);
proving_path proving_path_circle(double radius_m);
proving_beside proving_path_beside(const proving_path *path, const double place_m[2],
                                   double ahead_m);
double proving_path_offset_m(const proving_path *path, const double place_m[2]);

// --- Driver -------------------------------------------------------------------------------------

/// A foot that feels an axle get light.
typedef struct proving_balance {
    double limit;
    double share; ///< of the weight on the axle, smoothed
} proving_balance;

/// Hands and feet. Steers along a path and by what curvature came of it, so that it need not know
/// how the vehicle turns: by slip of its tyres, or by leaning.
typedef struct proving_driver {
    double lead_s;   ///< the path's bends are steered for this much ahead
    double return_s; ///< time in which an error of the path is taken back
    double turn_gain, turn_gain_per_s;
    double turn_scale; ///< of the wheel over what geometry asks
    double turn_memory;
    double speed_memory;
    double throttle_limit, brake_limit; ///< what the tyres take
    proving_balance wheelie, stoppie;   ///< what keeps both axles on the ground
    int8_t gear;                        ///< kept, unless APEX_GEAR_AUTOMATIC
    double shifted_s;                   ///< since the last shift by hand
} proving_driver;

proving_driver proving_driver_for(const apex_car_def *car);
/// Turns the wheel for a path of this curvature, left positive.
void proving_driver_turn(proving_driver *driver, proving_rig *rig, double curvature_per_m);
void proving_driver_follow(proving_driver *driver, proving_rig *rig, const proving_path *path);
/// Learns on a gentle circle how much wheel a bend takes at this speed, and how much throttle it
/// takes to hold it. Moves the car.
void proving_driver_learn(proving_driver *driver, proving_rig *rig, double speed_mps);
/// Works throttle and brake.
void proving_driver_hold_speed(proving_driver *driver, proving_rig *rig, double speed_mps);
/// As much as does not spin the wheels away, nor lift the front one off the ground.
void proving_driver_accelerate(proving_driver *driver, proving_rig *rig);
/// The whole pedal where the car has anti-lock brakes; else as much as its tyres take.
void proving_driver_brake(proving_driver *driver, proving_rig *rig);
void proving_driver_coast(proving_driver *driver, proving_rig *rig);
/// Gear and clutch; each of the four above has called it.
void proving_driver_shift(proving_driver *driver, proving_rig *rig);
/// From now on the highest gear in which the engine pulls without effort at this speed, and no
/// other.
void proving_driver_choose_gear(proving_driver *driver, const proving_rig *rig, double speed_mps);
/// Follows the path at a speed for a while.
void proving_driver_cruise(proving_driver *driver, proving_rig *rig, const proving_path *path,
                           const double speed_and_time[2]);
