/// The texts' formulas that no figure of a car shows: tests set physics beside them. The rest
/// stands in proving/paper/textbook.h, with the sources.
#pragma once

#include "proving/paper/textbook.h"

#define APEX_MPS_PER_KMH  (1.0 / 3.6)
#define APEX_MPS_PER_MPH  0.44704
#define APEX_W_PER_HP     745.69987158227022
#define APEX_NM_PER_LBFT  1.3558179483314004
#define APEX_N_PER_LBF    4.4482216152605
#define APEX_M_PER_FT     0.3048
#define APEX_GRAVITY_MPS2 9.80665 ///< the unit "g"

typedef struct textbook_tyre {
    double width_m, aspect, rim_m, radius_m;
} textbook_tyre;

/// Reads a tyre's size: "275/40-18", "225/40 ZR 18". @return false if it is none.
bool textbook_tyre_size(const char *code, textbook_tyre *out);
/// Of a solid disc: about what a wheel with its tyre has (Monster).
double textbook_disc_kgm2(double mass_kg, double radius_m);
/// 85 % of the rectangle round a car's front (Palmer 8.16).
double textbook_frontal_area_m2(double width_m, double height_m);

typedef struct textbook_drag_range {
    const char *kind;
    double low, high;
} textbook_drag_range;

/// Drag coefficients that kinds of vehicles have (Palmer, table 8-3).
const textbook_drag_range *textbook_drag_ranges(size_t *count);
/// The engine's speed after a change of gear (Palmer 8.14).
double textbook_shifted_rpm(const apex_car_def *def, int from, int to, double rpm);
/// From here on drag is greater than rolling resistance (Monster: 30 m/s). 0 without drag.
double textbook_crossover_mps(const apex_car_def *def, const apex_textbook_place *place);
/// @param piece of the torque curve: between its points `piece` and `piece` + 1.
apex_textbook_balance textbook_balance_of(const apex_car_def *def, const apex_textbook_place *place,
                                          int gear, uint32_t piece);
/// Deceleration by the engine's drag in a gear, through the gears (Palmer 8.30, corrected).
double textbook_engine_brake_mps2(const apex_car_def *def, int gear, double rpm);
/// Mean deceleration of a stop within a distance (Palmer 8.31).
double textbook_braking_mps2(double speed_mps, double distance_m);
/// Fastest round a radius (Palmer 8.33), and the smallest radius of a lateral acceleration.
double textbook_corner_mps(double friction, double radius_m, double gravity_mps2);
double textbook_corner_radius_m(double speed_mps, double lateral_mps2);
/// Of a car that gains speed in a bend: what its tyres must give (Palmer 8.35).
double textbook_total_mps2(double forward_mps2, double speed_mps, double radius_m);
/// The friction that the tyres lack in a bend, as acceleration outwards (Palmer 8.41); never
/// negative.
double textbook_slide_mps2(double friction, double gravity_mps2, double speed_mps, double radius_m);
/// Of a motorcycle in a steady bend.
double textbook_lean_rad(double speed_mps, double radius_m, double gravity_mps2);

/// A slow turn without slip: the front wheels' path and speed (Monster, Palmer 8.36 to 8.40).
typedef struct textbook_turn {
    double radius_m, rear_radius_m;
    double yaw_radps, quarter_s; ///< of 90 degrees
} textbook_turn;

textbook_turn textbook_turn_of(double wheelbase_m, double steer_rad, double speed_mps);

/// Motion of a car's centre of mass along its own axes.
typedef struct textbook_motion {
    double forward_mps, left_mps, yaw_radps;
} textbook_motion;

/// Of a wheel `x_m` ahead of the centre of mass (thesis 5-2); positive when it moves to the left of
/// where it points. Backwards, too.
double textbook_slip_angle_rad(const textbook_motion *motion, double x_m, double steer_rad);
