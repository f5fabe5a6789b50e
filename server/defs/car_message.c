// A car definition as a message: every field, once.
#include "defs/defs_codec.h"

#include "defs.pb-c.h"

#include <stdlib.h>

#define TYRE_AXIS_FIELDS(D) \
    D##_REAL(b);            \
    D##_REAL(c);            \
    D##_REAL(d);            \
    D##_REAL(e);            \
    D##_REAL(stiffness);    \
    D##_REAL(relaxation_m);
DEFS_MESSAGE(tyre_axis, Apex__TyreAxis, APEX__TYRE_AXIS__INIT, apex_tyre_axis, TYRE_AXIS_FIELDS)

#define TYRE_FIELDS(D)                                    \
    D##_ENUM(Apex__TyreModel, apex_tyre_model, model, 2); \
    D##_REAL(radius_m);                                   \
    D##_REAL(width_m);                                    \
    D##_PART(tyre_axis, longitudinal);                    \
    D##_PART(tyre_axis, lateral);                         \
    D##_REAL(load_nominal_n);                             \
    D##_REAL(load_sensitivity);                           \
    D##_REAL(camber_stiffness);                           \
    D##_REAL(pneumatic_trail_m);                          \
    D##_REAL(rolling_coefficient);                        \
    D##_REAL(rolling_coefficient_s_per_m);                \
    D##_REAL(vertical_stiffness_n_per_m);                 \
    D##_REAL(vertical_damping_ns_per_m);                  \
    D##_REAL(slide_force_ratio);                          \
    D##_REAL(inertia_kgm2);                               \
    D##_REAL(temperature_best_c);                         \
    D##_REAL(temperature_window_c);                       \
    D##_REAL(heat_capacity_j_per_k);                      \
    D##_REAL(wear_per_mj);
DEFS_MESSAGE(tyre, Apex__TyreDef, APEX__TYRE_DEF__INIT, apex_tyre_def, TYRE_FIELDS)

#define CURVE_FIELDS(D)           \
    D##_LIST(travel_m, count, 8); \
    D##_LIST_TOO(value_rad, count, travel_m);
DEFS_MESSAGE(curve, Apex__TravelCurve, APEX__TRAVEL_CURVE__INIT, apex_travel_curve, CURVE_FIELDS)

#define SUSPENSION_FIELDS(D)                                       \
    D##_ENUM(Apex__SuspensionKind, apex_suspension_kind, kind, 2); \
    D##_REAL(spring_n_per_m);                                      \
    D##_REAL(bump_ns_per_m);                                       \
    D##_REAL(rebound_ns_per_m);                                    \
    D##_REAL(travel_bump_m);                                       \
    D##_REAL(travel_rebound_m);                                    \
    D##_REAL(bump_stop_n_per_m);                                   \
    D##_REAL(anti_roll_n_per_m);                                   \
    D##_REAL(roll_centre_height_m);                                \
    D##_REAL(unsprung_mass_kg);                                    \
    D##_REAL(toe_rad);                                             \
    D##_REAL(camber_rad);                                          \
    D##_PART(curve, camber_curve);                                 \
    D##_PART(curve, toe_curve);
DEFS_MESSAGE(suspension, Apex__SuspensionDef, APEX__SUSPENSION_DEF__INIT, apex_suspension_def,
             SUSPENSION_FIELDS)

#define DIFFERENTIAL_FIELDS(D)                                         \
    D##_ENUM(Apex__DifferentialKind, apex_differential_kind, kind, 3); \
    D##_REAL(preload_nm);                                              \
    D##_REAL(power_bias);                                              \
    D##_REAL(coast_bias);                                              \
    D##_REAL(viscous_nms_per_rad);
DEFS_MESSAGE(differential, Apex__DifferentialDef, APEX__DIFFERENTIAL_DEF__INIT,
             apex_differential_def, DIFFERENTIAL_FIELDS)

#define BRAKE_FIELDS(D)              \
    D##_REAL(torque_nm_max);         \
    D##_REAL(handbrake_nm_max);      \
    D##_REAL(heat_capacity_j_per_k); \
    D##_REAL(fade_start_c);
DEFS_MESSAGE(brake, Apex__BrakeDef, APEX__BRAKE_DEF__INIT, apex_brake_def, BRAKE_FIELDS)

#define AXLE_FIELDS(D)                    \
    D##_REAL(x_m);                        \
    D##_REAL(track_width_m);              \
    D##_REAL(steer_share);                \
    D##_REAL(drive_share);                \
    D##_PART(differential, differential); \
    D##_PART(suspension, suspension);     \
    D##_PART(brake, brake);               \
    D##_PART(tyre, tyre);
DEFS_MESSAGE(axle, Apex__AxleDef, APEX__AXLE_DEF__INIT, apex_axle_def, AXLE_FIELDS)

#define ENGINE_FIELDS(D)                               \
    D##_LIST(torque_rpm, torque_count, 32);            \
    D##_LIST_TOO(torque_nm, torque_count, torque_rpm); \
    D##_REAL(idle_rpm);                                \
    D##_REAL(limiter_rpm);                             \
    D##_REAL(blow_rpm);                                \
    D##_REAL(inertia_kgm2);                            \
    D##_REAL(brake_nm_per_rps);                        \
    D##_REAL(turbo_lag_s);                             \
    D##_REAL(turbo_share);                             \
    D##_REAL(fuel_kg_per_mj);                          \
    D##_REAL(fuel_idle_kg_per_s);
DEFS_MESSAGE(engine, Apex__EngineDef, APEX__ENGINE_DEF__INIT, apex_engine_def, ENGINE_FIELDS)

#define GEARBOX_FIELDS(D)            \
    D##_LIST(ratio, gear_count, 10); \
    D##_REAL(reverse_ratio);         \
    D##_REAL(final_drive);           \
    D##_REAL(efficiency);            \
    D##_REAL(shift_time_s);          \
    D##_REAL(shift_up_rpm);          \
    D##_REAL(shift_down_rpm);        \
    D##_REAL(clutch_nm_max);         \
    D##_FLAG(automatic);
DEFS_MESSAGE(gearbox, Apex__GearboxDef, APEX__GEARBOX_DEF__INIT, apex_gearbox_def, GEARBOX_FIELDS)

#define STEERING_FIELDS(D)    \
    D##_REAL(angle_rad_max);  \
    D##_REAL(rate_radps_max); \
    D##_REAL(ackermann);      \
    D##_REAL(fade_speed_mps);
DEFS_MESSAGE(steering, Apex__SteeringDef, APEX__STEERING_DEF__INIT, apex_steering_def,
             STEERING_FIELDS)

#define AERO_FIELDS(D)          \
    D##_REAL(drag_coefficient); \
    D##_REAL(frontal_area_m2);  \
    D##_REAL(lift_front_m2);    \
    D##_REAL(lift_rear_m2);     \
    D##_REAL(drag_height_m);    \
    D##_REAL(slipstream_strength);
DEFS_MESSAGE(aero, Apex__AeroDef, APEX__AERO_DEF__INIT, apex_aero_def, AERO_FIELDS)

#define AIDS_FIELDS(D)           \
    D##_REAL(abs);               \
    D##_REAL(traction_control);  \
    D##_REAL(stability_control); \
    D##_REAL(steering_assist);   \
    D##_REAL(launch_control);    \
    D##_FLAG(automatic_clutch);
DEFS_MESSAGE(aids, Apex__AidsDef, APEX__AIDS_DEF__INIT, apex_aids_def, AIDS_FIELDS)

#define HULL_FIELDS(D)     \
    D##_REAL(length_m);    \
    D##_REAL(width_m);     \
    D##_REAL(height_m);    \
    D##_REAL(centre_x_m);  \
    D##_REAL(centre_y_m);  \
    D##_REAL(centre_z_m);  \
    D##_REAL(rounding_m);  \
    D##_REAL(restitution); \
    D##_REAL(friction);
DEFS_MESSAGE(hull, Apex__HullDef, APEX__HULL_DEF__INIT, apex_hull_def, HULL_FIELDS)

#define KINEMATIC_FIELDS(D)                                      \
    D##_ENUM(Apex__KinematicForm, apex_kinematic_form, form, 1); \
    D##_REAL(acceleration_mps2_max);                             \
    D##_REAL(braking_mps2_max);                                  \
    D##_REAL(speed_mps_max);                                     \
    D##_REAL(reverse_mps_max);
DEFS_MESSAGE(kinematic, Apex__KinematicDef, APEX__KINEMATIC_DEF__INIT, apex_kinematic_def,
             KINEMATIC_FIELDS)

#define CAR_FIELDS(D)                                   \
    D##_TEXT(name);                                     \
    D##_TEXT(title);                                    \
    D##_ENUM(Apex__CarModel, apex_car_model, model, 2); \
    D##_REAL(mass_kg);                                  \
    D##_REAL(inertia_roll_kgm2);                        \
    D##_REAL(inertia_pitch_kgm2);                       \
    D##_REAL(inertia_yaw_kgm2);                         \
    D##_REAL(com_height_m);                             \
    D##_REAL(fuel_kg_max);                              \
    D##_REAL(fuel_x_m);                                 \
    D##_PARTS(axle, axles, axle_count, 4);              \
    D##_PART(engine, engine);                           \
    D##_PART(gearbox, gearbox);                         \
    D##_PART(differential, centre_differential);        \
    D##_PART(steering, steering);                       \
    D##_PART(aero, aero);                               \
    D##_PART(aids, aids);                               \
    D##_PART(hull, hull);                               \
    D##_PART(kinematic, kinematic);
DEFS_MESSAGE(car, Apex__CarDef, APEX__CAR_DEF__INIT, apex_car_def, CAR_FIELDS)

// The limits in the lists are literals because a refusal quotes them.
static_assert(APEX_CURVE_POINTS_MAX == 8 && APEX_TORQUE_POINTS_MAX == 32, "");
static_assert(APEX_GEARS_MAX == 10 && APEX_AXLES_MAX == 4, "");
static_assert((int)APEX_TYRE_BRUSH == APEX__TYRE_MODEL__TYRE_BRUSH, "");
static_assert((int)APEX_SUSPENSION_SOLID_AXLE == APEX__SUSPENSION_KIND__SUSPENSION_SOLID_AXLE, "");
static_assert((int)APEX_DIFFERENTIAL_VISCOUS == APEX__DIFFERENTIAL_KIND__DIFFERENTIAL_VISCOUS, "");
static_assert((int)APEX_KINEMATIC_BASELINE == APEX__KINEMATIC_FORM__KINEMATIC_BASELINE, "");
static_assert((int)APEX_CAR_MOTORCYCLE == APEX__CAR_MODEL__CAR_MOTORCYCLE, "");

uint8_t *apex_car_def_encode(const apex_car_def *def, size_t *length) {
    // At most 50 messages and texts, none of them longer than half a kilobyte.
    apex_arena arena;
    if (apex_arena_create(&arena, 32 * 1024) != APEX_OK) {
        return NULL;
    }
    uint8_t *bytes = defs_pack(&put_car(&arena, def)->base, length);
    apex_arena_destroy(&arena);
    return bytes;
}

bool apex_car_def_decode(const uint8_t *bytes, size_t length, apex_car_def *out,
                         apex_def_problem *problem) {
    defs_place root = {.problem = problem, .index = -1};
    memset(out, 0, sizeof *out); // the padding too: definitions are compared as bytes
    apex_arena arena;
    const Apex__CarDef *car =
        (const Apex__CarDef *)defs_unpack(&apex__car_def__descriptor, bytes, length, &arena, &root);
    bool ok = car != NULL && get_car(&root, car, out);
    apex_arena_destroy(&arena);
    return ok && apex_car_def_check(out, problem);
}
