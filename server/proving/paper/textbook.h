/// The texts' formulas, worked out on paper for a car as it is defined: no slip, no springs that
/// give, no wheels to spin up. Printed beside what a car is measured to do; the step uses none of
/// it.
///
/// Pure functions in SI units, doubles in every build. A car stands full of fuel, as one that is
/// added to a world does. Sources: Monster "Car Physics for Games", Palmer "Physics for Game
/// Programmers" ch. 8 (by equation), the thesis "Development of a car physics engine for games" (by
/// equation), Abe "Vehicle Handling Dynamics". If a text errs, this is the corrected form.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "physics/physics.h"

#define APEX_RADPS_PER_RPM 0.104719755119659775
#define APEX_MPS_PER_KMH   (1.0 / 3.6)
#define APEX_MPS_PER_MPH   0.44704
#define APEX_W_PER_HP      745.69987158227022
#define APEX_NM_PER_LBFT   1.3558179483314004
#define APEX_N_PER_LBF     4.4482216152605
#define APEX_M_PER_FT      0.3048
#define APEX_GRAVITY_MPS2  9.80665 ///< the unit "g"

/// The place in which a car is thought to drive.
typedef struct apex_textbook_place {
    double gravity_mps2, air_density_kg_per_m3;
} apex_textbook_place;

typedef struct apex_textbook_tyre {
    double width_m, aspect, rim_m, radius_m;
} apex_textbook_tyre;

/// Reads a tyre's size: "275/40-18", "225/40 ZR 18". @return false if it is none.
bool apex_textbook_tyre_size(const char *code, apex_textbook_tyre *out);
/// Of a solid disc: about what a wheel with its tyre has (Monster).
double apex_textbook_disc_kgm2(double mass_kg, double radius_m);
/// 85 % of the rectangle round a car's front (Palmer 8.16).
double apex_textbook_frontal_area_m2(double width_m, double height_m);

typedef struct apex_textbook_drag_range {
    const char *kind;
    double low, high;
} apex_textbook_drag_range;

/// Drag coefficients that kinds of vehicles have (Palmer, table 8-3).
const apex_textbook_drag_range *apex_textbook_drag_ranges(size_t *count);

/// At full throttle; linear between the curve's points, level outside them (Monster).
double apex_textbook_torque_nm(const apex_car_def *def, double rpm);
double apex_textbook_power_w(double torque_nm, double rpm);

typedef struct apex_textbook_peaks {
    double torque_nm, torque_rpm;
    double power_w, power_rpm;
} apex_textbook_peaks;

/// Of the torque curve up to the limiter.
apex_textbook_peaks apex_textbook_engine_peaks(const apex_car_def *def);

/// Of the gearbox and the final drive together; reverse is positive, too. Gears -1, 1 ..
double apex_textbook_ratio(const apex_car_def *def, int gear);
/// Mean radius of the driven wheels.
double apex_textbook_driven_radius_m(const apex_car_def *def);
/// Force at the driven wheels for each N m at the crank (Monster: xg xd n / R).
double apex_textbook_leverage_n_per_nm(const apex_car_def *def, int gear);
/// Speed in a gear at an engine speed (Palmer 8.23, Monster's table for the Corvette).
double apex_textbook_gear_mps(const apex_car_def *def, int gear, double rpm);
/// Engine speed in a gear, no lower than idle (Monster).
double apex_textbook_engine_rpm(const apex_car_def *def, int gear, double speed_mps);
/// The engine's speed after a change of gear (Palmer 8.14).
double apex_textbook_shifted_rpm(const apex_car_def *def, int from, int to, double rpm);

typedef struct apex_textbook_drive {
    int gear;
    double speed_mps, grade_rad; ///< uphill positive
} apex_textbook_drive;

/// At full throttle (Palmer 8.5, thesis 3-1 to 3-3). Forces are amounts: drive pushes, the others
/// hold back.
typedef struct apex_textbook_forces {
    double drive_n, drag_n, rolling_n, slope_n;
    double acceleration_mps2;
} apex_textbook_forces;

apex_textbook_forces apex_textbook_forces_at(const apex_car_def *def,
                                             const apex_textbook_place *place,
                                             const apex_textbook_drive *drive);

/// Palmer 8.21: full throttle on the level gives c1 v^2 + c2 v + c3, within a piece of the curve.
typedef struct apex_textbook_balance {
    double c1_per_m, c2_per_s, c3_mps2;
} apex_textbook_balance;

/// @param piece of the torque curve: between its points `piece` and `piece` + 1.
apex_textbook_balance apex_textbook_balance_of(const apex_car_def *def,
                                               const apex_textbook_place *place, int gear,
                                               uint32_t piece);
/// The speed at which a balance is even, coming from below (Palmer 8.25). @return < 0 if never.
double apex_textbook_even_mps(const apex_textbook_balance *balance);

typedef struct apex_textbook_top {
    double speed_mps, rpm;
    int gear;
    bool is_limited; ///< by the engine's limiter, not by drag
} apex_textbook_top;

apex_textbook_top apex_textbook_top_speed(const apex_car_def *def,
                                          const apex_textbook_place *place);
/// From here on drag is greater than rolling resistance (Monster: 30 m/s). 0 without drag.
double apex_textbook_crossover_mps(const apex_car_def *def, const apex_textbook_place *place);
/// Deceleration by the engine's drag in a gear, through the gears (Palmer 8.30, corrected).
double apex_textbook_engine_brake_mps2(const apex_car_def *def, int gear, double rpm);
/// Mean deceleration of a stop within a distance (Palmer 8.31).
double apex_textbook_braking_mps2(double speed_mps, double distance_m);

typedef struct apex_textbook_stop {
    double time_s, distance_m;
} apex_textbook_stop;

apex_textbook_stop apex_textbook_stop_from(double speed_mps, double deceleration_mps2);

/// Of each axle; the shift by `forward_mps2` is (h / L) m a (Monster, thesis 8). With more than two
/// axles the springs share it out.
void apex_textbook_axle_loads(const apex_car_def *def, double gravity_mps2, double forward_mps2,
                              double out_n[APEX_AXLES_MAX]);
/// Of each wheel, in the interface's order; `left_mps2` moves (a / g) W h / t to the right (thesis
/// 7-3), which axles share by their roll centres and roll stiffness.
void apex_textbook_wheel_loads(const apex_car_def *def, double gravity_mps2,
                               const double forward_left_mps2[2], double out_n[APEX_WHEELS_MAX]);
/// The angle by which the body leans outwards for each m/s2 of a steady bend.
double apex_textbook_roll_rad_per_mps2(const apex_car_def *def, double gravity_mps2);

/// Greatest acceleration that the driven axles' loads allow, once it has shifted them: mu g b / (L
/// - mu h) for rear drive, mu g c / (L + mu h) for front drive, and at most mu g. An open centre
/// differential lets one axle spin, any other uses both.
double apex_textbook_traction_mps2(const apex_car_def *def, double friction, double gravity_mps2);
/// Acceleration that lifts the front wheels, braking that lifts the rear ones.
double apex_textbook_wheelie_mps2(const apex_car_def *def, double gravity_mps2);
double apex_textbook_stoppie_mps2(const apex_car_def *def, double gravity_mps2);
/// Lateral acceleration that lifts the inner wheels, g t / 2 h; 0 for a motorcycle.
double apex_textbook_rollover_mps2(const apex_car_def *def, double gravity_mps2);
/// Fastest round a radius (Palmer 8.33), and the smallest radius of a lateral acceleration.
double apex_textbook_corner_mps(double friction, double radius_m, double gravity_mps2);
double apex_textbook_corner_radius_m(double speed_mps, double lateral_mps2);
/// Of a car that gains speed in a bend: what its tyres must give (Palmer 8.35).
double apex_textbook_total_mps2(double forward_mps2, double speed_mps, double radius_m);
/// The friction that the tyres lack in a bend, as acceleration outwards (Palmer 8.41); never
/// negative.
double apex_textbook_slide_mps2(double friction, double gravity_mps2, double speed_mps,
                                double radius_m);
/// Of a motorcycle in a steady bend.
double apex_textbook_lean_rad(double speed_mps, double radius_m, double gravity_mps2);

/// A slow turn without slip: the front wheels' path and speed (Monster, Palmer 8.36 to 8.40).
typedef struct apex_textbook_turn {
    double radius_m, rear_radius_m;
    double yaw_radps, quarter_s; ///< of 90 degrees
} apex_textbook_turn;

apex_textbook_turn apex_textbook_turn_of(double wheelbase_m, double steer_rad, double speed_mps);

/// Motion of a car's centre of mass along its own axes.
typedef struct apex_textbook_motion {
    double forward_mps, left_mps, yaw_radps;
} apex_textbook_motion;

/// Of a wheel `x_m` ahead of the centre of mass (thesis 5-2); positive when it moves to the left of
/// where it points. Backwards, too.
double apex_textbook_slip_angle_rad(const apex_textbook_motion *motion, double x_m,
                                    double steer_rad);

/// The single-track car at small slip (Abe, ch. 3). Tyres are taken at their loads at rest.
typedef struct apex_textbook_handling {
    double wheelbase_m;             ///< of more than two axles: of the two that turn alike
    double understeer_rad_per_mps2; ///< positive: more steering, the faster
    double characteristic_mps; ///< of an understeering car, else 0: turns best for its steering
    double critical_mps;       ///< of an oversteering car, else 0: unstable from here on
} apex_textbook_handling;

apex_textbook_handling apex_textbook_handling_of(const apex_car_def *def, double gravity_mps2);

/// In a steady turn, for each radian of steering.
typedef struct apex_textbook_gains {
    double yaw_per_s, lateral_mps2, sideslip; ///< sideslip positive: moves to the left of its nose
} apex_textbook_gains;

apex_textbook_gains apex_textbook_gains_at(const apex_car_def *def, double gravity_mps2,
                                           double speed_mps);
