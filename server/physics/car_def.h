/// The definition of a car: the constants of one kind, shared by every car of that kind.
///
/// Part of the public face of physics; include "physics/physics.h". Axes are ISO 8855 in the body
/// frame: x forward, y left, z up, origin at the centre of mass of the empty car standing on level
/// ground. SI units, angles in radians. All values are doubles so that a file, the wire and the
/// double-precision build of the step see the same number. Section numbers name the systems list of
/// the sources: Monster "Car Physics for Games", Palmer "Physics for Game Programmers" ch. 8,
/// Pacejka "Tyre and Vehicle Dynamics".
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APEX_NAME_BYTES = 32, ///< longest name of a car, track, surface or player, with its zero
    APEX_TITLE_BYTES = 64,
    APEX_AXLES_MAX = 4,
    APEX_WHEELS_MAX = 8,
    APEX_GEARS_MAX = 10, ///< forward gears
    APEX_TORQUE_POINTS_MAX = 32,
    APEX_CURVE_POINTS_MAX = 8,
};

/// Gravity, m/s2, where a world names no other. Springs are made for it everywhere: a car stands as
/// drawn on Earth, and higher on the Moon.
#define APEX_EARTH_MPS2 9.81

typedef enum apex_car_model {
    APEX_CAR_DYNAMIC,    ///< forces, tyres, springs
    APEX_CAR_KINEMATIC,  ///< pure bicycle geometry, no slip
    APEX_CAR_MOTORCYCLE, ///< two single-wheel axles; leans
} apex_car_model;

typedef enum apex_tyre_model {
    APEX_TYRE_MAGIC,  ///< D sin(C atan(Bs - E(Bs - atan Bs))), Pacejka
    APEX_TYRE_LINEAR, ///< stiffness times slip, capped by friction (Monster)
    APEX_TYRE_BRUSH,  ///< Fiala's parabolic brush
} apex_tyre_model;

/// One direction (longitudinal or lateral) of a tyre. Forces are normalised by load and friction.
typedef struct apex_tyre_axis {
    double b, c, d, e;   ///< magic formula; d scales the surface's friction
    double stiffness;    ///< linear and brush: force per load and unit slip, 1/rad or 1
    double relaxation_m; ///< contact-patch deflection length, 0.05..1
} apex_tyre_axis;

typedef struct apex_tyre_def {
    apex_tyre_model model;
    double radius_m; ///< unloaded
    double width_m;
    apex_tyre_axis longitudinal;
    apex_tyre_axis lateral;
    double load_nominal_n;      ///< load at which friction has its stated value
    double load_sensitivity;    ///< relative loss of friction per relative gain of load, 0..0.5
    double camber_stiffness;    ///< lateral force per load and radian of camber
    double pneumatic_trail_m;   ///< at small slip; gives the self-aligning torque
    double rolling_coefficient; ///< constant part, N per N of load (Palmer 8.12)
    double rolling_coefficient_s_per_m; ///< part that grows with speed, N per N and m/s (Monster)
    double vertical_stiffness_n_per_m;
    double vertical_damping_ns_per_m;
    double slide_force_ratio;    ///< force kept once sliding; 1 off, 0.5 the thesis's half force
    double inertia_kgm2;         ///< wheel with tyre about its axle
    double temperature_best_c;   ///< grip is best here; used when the world asks for temperatures
    double temperature_window_c; ///< grip falls to 90 % this far from the best
    double heat_capacity_j_per_k;
    double wear_per_mj; ///< worn fraction for each MJ of sliding work
} apex_tyre_def;

typedef enum apex_suspension_kind {
    APEX_SUSPENSION_STRUT,
    APEX_SUSPENSION_DOUBLE_WISHBONE,
    APEX_SUSPENSION_SOLID_AXLE,
} apex_suspension_kind;

/// A value over suspension travel, linear between points that rise in travel. count 0 means none.
typedef struct apex_travel_curve {
    uint32_t count;
    double travel_m[APEX_CURVE_POINTS_MAX]; ///< compression positive
    double value_rad[APEX_CURVE_POINTS_MAX];
} apex_travel_curve;

typedef struct apex_suspension_def {
    apex_suspension_kind kind;
    double spring_n_per_m; ///< at the wheel
    double bump_ns_per_m;
    double rebound_ns_per_m;
    double travel_bump_m;    ///< from static ride height up to the bump stop
    double travel_rebound_m; ///< from static ride height down to full droop
    double bump_stop_n_per_m;
    double anti_roll_n_per_m; ///< force difference per travel difference of the two wheels
    double roll_centre_height_m;
    double unsprung_mass_kg;        ///< one wheel with hub and brake
    double toe_rad;                 ///< toe-in positive, each wheel
    double camber_rad;              ///< top leaning inwards is negative, each wheel
    apex_travel_curve camber_curve; ///< added to camber_rad
    apex_travel_curve toe_curve;    ///< added to toe_rad
} apex_suspension_def;

typedef enum apex_differential_kind {
    APEX_DIFFERENTIAL_OPEN,
    APEX_DIFFERENTIAL_LOCKED,
    APEX_DIFFERENTIAL_LIMITED_SLIP,
    APEX_DIFFERENTIAL_VISCOUS,
} apex_differential_kind;

typedef struct apex_differential_def {
    apex_differential_kind kind;
    double preload_nm;
    double power_bias; ///< share of drive torque that locks under power, 0..1
    double coast_bias;
    double viscous_nms_per_rad;
} apex_differential_def;

typedef struct apex_brake_def {
    double torque_nm_max;    ///< each wheel, full pedal
    double handbrake_nm_max; ///< each wheel
    double heat_capacity_j_per_k;
    double fade_start_c; ///< torque falls above this; used when the world asks for temperatures
} apex_brake_def;

typedef struct apex_axle_def {
    double x_m;           ///< ahead of the centre of mass; axles are listed front to rear
    double track_width_m; ///< 0: one wheel on the centre line, else two
    double steer_share;   ///< of the steering angle; 1 front axle, 0 fixed, < 0 steers against
    double drive_share;   ///< of gearbox torque; the shares of all axles sum to 1 (or all are 0)
    apex_differential_def differential;
    apex_suspension_def suspension;
    apex_brake_def brake;
    apex_tyre_def tyre;
} apex_axle_def;

typedef struct apex_engine_def {
    uint32_t torque_count;
    double torque_rpm[APEX_TORQUE_POINTS_MAX]; ///< strictly rising
    double torque_nm[APEX_TORQUE_POINTS_MAX];
    double idle_rpm;
    double limiter_rpm;      ///< fuel is cut here
    double blow_rpm;         ///< engine dies above this; 0 never
    double inertia_kgm2;     ///< with flywheel
    double brake_nm_per_rps; ///< drag torque per revolution a second (Palmer 8.30)
    double turbo_lag_s;      ///< time constant of boost; 0 none
    double turbo_share;      ///< part of the torque that needs boost, 0..1
    double fuel_kg_per_mj;   ///< burnt for each MJ at the crank
    double fuel_idle_kg_per_s;
} apex_engine_def;

typedef struct apex_gearbox_def {
    uint32_t gear_count;
    double ratio[APEX_GEARS_MAX];
    double reverse_ratio; ///< positive
    double final_drive;
    double efficiency; ///< 0..1, all of the driveline
    double shift_time_s;
    double shift_up_rpm;   ///< automatic
    double shift_down_rpm; ///< automatic
    double clutch_nm_max;
    bool automatic; ///< whether a car that is asked for no gear shifts by itself
} apex_gearbox_def;

typedef struct apex_steering_def {
    double angle_rad_max; ///< at the wheels of an axle with steer_share 1
    double rate_radps_max;
    double ackermann;      ///< 0 parallel .. 1 full
    double fade_speed_mps; ///< speed at which the assist halves the lock; 0 never
} apex_steering_def;

typedef struct apex_aero_def {
    double drag_coefficient;
    double frontal_area_m2;
    double lift_front_m2; ///< lift coefficient times area; negative is downforce
    double lift_rear_m2;
    double drag_height_m;       ///< of the centre of pressure above the centre of mass
    double slipstream_strength; ///< share of drag lost right behind an equal car, 0..1
} apex_aero_def;

/// The strength of each driver aid, 0 off .. 1 full. A driver may switch off what the car has.
typedef struct apex_aids_def {
    double abs;
    double traction_control;
    double stability_control;
    double steering_assist;
    double launch_control;
    bool automatic_clutch;
} apex_aids_def;

/// The box that collides. Its centre is given from the centre of mass.
typedef struct apex_hull_def {
    double length_m, width_m, height_m;
    double centre_x_m, centre_y_m, centre_z_m;
    double rounding_m; ///< corners are rounded by this much
    double restitution;
    double friction;
} apex_hull_def;

typedef enum apex_kinematic_form {
    APEX_KINEMATIC_REAR_AXLE, ///< exact turning centre; speed is that of the rear axle
    APEX_KINEMATIC_BASELINE,  ///< both axle midpoints step, wheelbase conserved; speed is theirs
} apex_kinematic_form;

typedef struct apex_kinematic_def {
    apex_kinematic_form form;
    double acceleration_mps2_max;
    double braking_mps2_max;
    double speed_mps_max;
    double reverse_mps_max;
} apex_kinematic_def;

typedef struct apex_car_def {
    char name[APEX_NAME_BYTES]; ///< as in files and on the wire: [a-z0-9-]
    char title[APEX_TITLE_BYTES];
    apex_car_model model;
    double mass_kg; ///< with driver, without fuel and ballast
    double inertia_roll_kgm2, inertia_pitch_kgm2, inertia_yaw_kgm2; ///< about the centre of mass
    double com_height_m; ///< of the centre of mass above level ground at rest
    double fuel_kg_max;
    double fuel_x_m; ///< of the tank ahead of the centre of mass
    uint32_t axle_count;
    apex_axle_def axles[APEX_AXLES_MAX];
    apex_engine_def engine;
    apex_gearbox_def gearbox;
    apex_differential_def centre_differential; ///< between driven axles
    apex_steering_def steering;
    apex_aero_def aero;
    apex_aids_def aids;
    apex_hull_def hull;
    apex_kinematic_def kinematic;
} apex_car_def;

/// A plain rear-driven road car; a place to start from. Every field is set and valid.
apex_car_def apex_default_car_def(void);

/// The reason why a definition can't be used. `field` is a path such as "axles[1].tyre.radius_m".
typedef struct apex_def_problem {
    char field[96];
    char reason[160];
} apex_def_problem;

/// Checks what no range of a single field can tell (wheels inside the hull's length, torque points
/// rising, drive shares that sum to 1, at least one driven wheel, ...) and every range.
/// @return true when usable, else false with *problem filled (problem may be NULL).
bool apex_car_def_check(const apex_car_def *def, apex_def_problem *problem);

/// Wheels of a car in the order of axles, left before right; a single wheel counts as one.
uint32_t apex_car_def_wheel_count(const apex_car_def *def);
