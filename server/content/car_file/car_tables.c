/// Keys of car files. They are those of apex_car_def, so that a problem found by physics can be
/// traced back to its line; angles are in degrees.
#include "content/car_file/car_draft.h"
#include "content/fields/field_macros.h"

_Static_assert(sizeof(apex_car_model) == sizeof(int), "choices are stored as int");

static const char *const tyre_models[] = {"magic", "linear", "brush", NULL};
static const char *const suspension_kinds[] = {"strut", "double-wishbone", "solid-axle", NULL};
static const char *const differential_kinds[] = {"open", "locked", "limited-slip", "viscous", NULL};
static const char *const car_models[] = {"dynamic", "kinematic", "motorcycle", NULL};
static const char *const kinematic_forms[] = {"rear-axle", "baseline", NULL};

static const content_field tyre_axis_fields[] = {
    REAL(apex_tyre_axis, b, 1, 50, "stiffness factor of the magic formula"),
    REAL(apex_tyre_axis, c, 1, 3, "shape factor"),
    REAL(apex_tyre_axis, d, 0.05, 5, "peak friction on dry asphalt at the nominal load"),
    REAL(apex_tyre_axis, e, -10, 1, "curvature factor"),
    REAL(apex_tyre_axis, stiffness, 1, 200,
         "models linear and brush: force per load and unit slip"),
    REAL(apex_tyre_axis, relaxation_m, 0.05, 1, "way the contact patch needs to build up force"),
};
static const content_table tyre_axis_table = CONTENT_TABLE(tyre_axis_fields);

static const content_field tyre_fields[] = {
    CHOICE(apex_tyre_def, model, tyre_models, "magic (Pacejka), linear or brush (Fiala)"),
    REAL(apex_tyre_def, radius_m, 0.1, 2, "unloaded"),
    REAL(apex_tyre_def, width_m, 0.02, 2, "of the tread"),
    MAP(apex_tyre_def, longitudinal, tyre_axis_table, "force over slip ratio"),
    MAP(apex_tyre_def, lateral, tyre_axis_table, "force over slip angle in radians"),
    REAL(apex_tyre_def, load_nominal_n, 50, 200000, "load at which friction is as stated"),
    REAL(apex_tyre_def, load_sensitivity, 0, 0.5, "share of friction lost when the load doubles"),
    REAL(apex_tyre_def, camber_stiffness, 0, 10, "lateral force per load and radian of camber"),
    REAL(apex_tyre_def, pneumatic_trail_m, 0, 0.5, "at small slip; self-aligning torque"),
    REAL(apex_tyre_def, rolling_coefficient, 0, 0.5, "rolling resistance per load"),
    REAL(apex_tyre_def, rolling_coefficient_s_per_m, 0, 0.05,
         "part of it that grows with speed, per m/s"),
    REAL(apex_tyre_def, vertical_stiffness_n_per_m, 10000, 5000000, "of the carcass"),
    REAL(apex_tyre_def, vertical_damping_ns_per_m, 0, 100000, "of the carcass"),
    REAL(apex_tyre_def, slide_force_ratio, 0.1, 1, "share of force kept once sliding"),
    REAL(apex_tyre_def, inertia_kgm2, 0.01, 500, "wheel with tyre about its axle"),
    REAL(apex_tyre_def, temperature_best_c, -50, 300, "grip is best here"),
    REAL(apex_tyre_def, temperature_window_c, 1, 500, "grip falls to 90 % this far from the best"),
    REAL(apex_tyre_def, heat_capacity_j_per_k, 100, 1000000, "of one tyre"),
    REAL(apex_tyre_def, wear_per_mj, 0, 1, "share worn off for each megajoule of sliding"),
};
static const content_table tyre_table = CONTENT_TABLE(tyre_fields);

#define CURVE(member, text)                                                                 \
    {                                                                                       \
        FIELD(apex_suspension_def, #member, CONTENT_PAIRS, member.travel_m, text),          \
            .second_offset = offsetof(apex_suspension_def, member.value_rad),               \
            .count_offset = offsetof(apex_suspension_def, member.count),                    \
            .count_max = APEX_CURVE_POINTS_MAX, .min = -0.5, .max = 0.5, .second_min = -20, \
            .second_max = 20, .second_scale = CONTENT_RADIANS_PER_DEGREE                    \
    }

static const content_field suspension_fields[] = {
    CHOICE(apex_suspension_def, kind, suspension_kinds, "strut, double-wishbone or solid-axle"),
    REAL(apex_suspension_def, spring_n_per_m, 1000, 2000000, "at the wheel"),
    REAL(apex_suspension_def, bump_ns_per_m, 0, 200000, "damping when the wheel goes up"),
    REAL(apex_suspension_def, rebound_ns_per_m, 0, 200000, "damping when the wheel goes down"),
    REAL(apex_suspension_def, travel_bump_m, 0.005, 1, "from ride height up to the bump stop"),
    REAL(apex_suspension_def, travel_rebound_m, 0.005, 1, "from ride height down to full droop"),
    REAL(apex_suspension_def, bump_stop_n_per_m, 0, 5000000, "added by the stop"),
    REAL(apex_suspension_def, anti_roll_n_per_m, 0, 1000000, "force per difference of travel"),
    REAL(apex_suspension_def, roll_centre_height_m, -1, 2, "above the ground"),
    REAL(apex_suspension_def, unsprung_mass_kg, 0.5, 2000, "one wheel with hub and brake"),
    ANGLE(apex_suspension_def, "toe_deg", toe_rad, -5, 5, "toe-in of each wheel"),
    ANGLE(apex_suspension_def, "camber_deg", camber_rad, -15, 15,
          "of each wheel, negative leans inwards"),
    CURVE(camber_curve, "[travel_m, degrees] added over travel, up positive"),
    CURVE(toe_curve, "[travel_m, degrees] added over travel, up positive"),
};
static const content_table suspension_table = CONTENT_TABLE(suspension_fields);

static const content_field differential_fields[] = {
    CHOICE(apex_differential_def, kind, differential_kinds,
           "open, locked, limited-slip or viscous"),
    REAL(apex_differential_def, preload_nm, 0, 10000, "always locks"),
    REAL(apex_differential_def, power_bias, 0, 1, "share of drive torque that locks under power"),
    REAL(apex_differential_def, coast_bias, 0, 1, "the same off the throttle"),
    REAL(apex_differential_def, viscous_nms_per_rad, 0, 10000, "torque per speed difference"),
};
static const content_table differential_table = CONTENT_TABLE(differential_fields);

static const content_field brake_fields[] = {
    REAL(apex_brake_def, torque_nm_max, 0, 50000, "each wheel, full pedal"),
    REAL(apex_brake_def, handbrake_nm_max, 0, 50000, "each wheel"),
    REAL(apex_brake_def, heat_capacity_j_per_k, 100, 1000000, "of one brake"),
    REAL(apex_brake_def, fade_start_c, 50, 2000, "torque falls above"),
};
static const content_table brake_table = CONTENT_TABLE(brake_fields);

static const content_field axle_fields[] = {
    NEED_REAL(apex_axle_def, x_m, -12, 12, "ahead of the centre of mass"),
    NEED_REAL(apex_axle_def, track_width_m, 0, 4,
              "between wheel middles; 0 is one wheel in the middle"),
    REAL(apex_axle_def, steer_share, -1, 1, "of the steering angle; below 0 steers against"),
    REAL(apex_axle_def, drive_share, 0, 1, "of gearbox torque; all axles' sum to 1"),
    MAP(apex_axle_def, differential, differential_table, "between its wheels"),
    MAP(apex_axle_def, suspension, suspension_table, "of its wheels"),
    MAP(apex_axle_def, brake, brake_table, "of its wheels"),
    MAP(apex_axle_def, tyre, tyre_table, "of its wheels"),
};
const content_table content_axle_table = CONTENT_TABLE(axle_fields);

static const content_field engine_fields[] = {
    {FIELD(apex_engine_def, "torque", CONTENT_PAIRS, torque_rpm,
           "[rpm, newton metres] at full throttle"),
     .second_offset = offsetof(apex_engine_def, torque_nm),
     .count_offset = offsetof(apex_engine_def, torque_count), .count_min = 2,
     .count_max = APEX_TORQUE_POINTS_MAX, .max = 30000, .second_min = 0, .second_max = 10000,
     .second_scale = 1},
    REAL(apex_engine_def, idle_rpm, 100, 5000, "held by itself"),
    REAL(apex_engine_def, limiter_rpm, 500, 25000, "fuel is cut here"),
    REAL(apex_engine_def, blow_rpm, 0, 30000, "it dies above; 0 never"),
    REAL(apex_engine_def, inertia_kgm2, 0.001, 20, "with flywheel"),
    REAL(apex_engine_def, brake_nm_per_rps, 0, 50, "drag torque per revolution a second"),
    REAL(apex_engine_def, turbo_lag_s, 0, 10, "time constant of boost; 0 none"),
    REAL(apex_engine_def, turbo_share, 0, 1, "part of the torque that needs boost"),
    REAL(apex_engine_def, fuel_kg_per_mj, 0, 1, "burnt for each megajoule at the crank"),
    REAL(apex_engine_def, fuel_idle_kg_per_s, 0, 0.1, "burnt while idling"),
};
static const content_table engine_table = CONTENT_TABLE(engine_fields);

static const content_field gearbox_fields[] = {
    {FIELD(apex_gearbox_def, "ratio", CONTENT_REALS, ratio,
           "of the forward gears, first gear first"),
     .count_offset = offsetof(apex_gearbox_def, gear_count), .count_min = 1,
     .count_max = APEX_GEARS_MAX, .min = 0.1, .max = 30},
    REAL(apex_gearbox_def, reverse_ratio, 0.1, 30, "positive"),
    REAL(apex_gearbox_def, final_drive, 0.1, 30, "of the axle"),
    REAL(apex_gearbox_def, efficiency, 0.1, 1, "of the whole driveline"),
    REAL(apex_gearbox_def, shift_time_s, 0, 5, "without drive"),
    REAL(apex_gearbox_def, shift_up_rpm, 200, 25000, "automatic"),
    REAL(apex_gearbox_def, shift_down_rpm, 100, 25000, "automatic"),
    REAL(apex_gearbox_def, clutch_nm_max, 1, 20000, "torque it carries"),
    FLAG(apex_gearbox_def, automatic, "what a car does that was asked for no gear"),
};
static const content_table gearbox_table = CONTENT_TABLE(gearbox_fields);

static const content_field steering_fields[] = {
    ANGLE(apex_steering_def, "angle_deg_max", angle_rad_max, 0, 74, "full lock at the wheels"),
    ANGLE(apex_steering_def, "rate_degps_max", rate_radps_max, 3, 2800, "how fast wheels turn"),
    REAL(apex_steering_def, ackermann, 0, 1, "0 wheels parallel, 1 each on its own circle"),
    REAL(apex_steering_def, fade_speed_mps, 0, 500, "the assist halves the lock here; 0 never"),
};
static const content_table steering_table = CONTENT_TABLE(steering_fields);

static const content_field aero_fields[] = {
    REAL(apex_aero_def, drag_coefficient, 0, 3, "cd"),
    REAL(apex_aero_def, frontal_area_m2, 0, 15, "that drag_coefficient refers to"),
    REAL(content_aero, drag_n_per_mps2, 0, 3.75,
         "drag over speed squared, instead of the two above; 0: by them"),
    REAL(content_aero, air_density_kg_per_m3, 0.5, 2, "that drag_n_per_mps2 refers to"),
    REAL(apex_aero_def, lift_front_m2, -10, 5, "lift coefficient times area; downforce below 0"),
    REAL(apex_aero_def, lift_rear_m2, -10, 5, "the same at the rear"),
    REAL(apex_aero_def, drag_height_m, -2, 4, "of the drag above the centre of mass"),
    REAL(apex_aero_def, slipstream_strength, 0, 1, "share of drag lost right behind an equal car"),
};
static const content_table aero_table = CONTENT_TABLE(aero_fields);

static const content_field aids_fields[] = {
    REAL(apex_aids_def, abs, 0, 1, "0 off, 1 full, as all aids"),
    REAL(apex_aids_def, traction_control, 0, 1, "against wheelspin"),
    REAL(apex_aids_def, stability_control, 0, 1, "against spins"),
    REAL(apex_aids_def, steering_assist, 0, 1, "counter-steers"),
    REAL(apex_aids_def, launch_control, 0, 1, "best revs for a start"),
    FLAG(apex_aids_def, automatic_clutch, "opens and closes it when shifting and at rest"),
};
static const content_table aids_table = CONTENT_TABLE(aids_fields);

static const content_field hull_fields[] = {
    REAL(apex_hull_def, length_m, 0.3, 25, "of the box that collides"),
    REAL(apex_hull_def, width_m, 0.2, 5, "of it"),
    REAL(apex_hull_def, height_m, 0.2, 6, "of it"),
    REAL(apex_hull_def, centre_x_m, -10, 10, "of the box ahead of the centre of mass"),
    REAL(apex_hull_def, centre_y_m, -2, 2, "to the left"),
    REAL(apex_hull_def, centre_z_m, -3, 5, "above it"),
    REAL(apex_hull_def, rounding_m, 0, 1, "corners are rounded by this much"),
    REAL(apex_hull_def, restitution, 0, 1, "0 no bounce, 1 full"),
    REAL(apex_hull_def, friction, 0, 2, "of bodywork"),
};
static const content_table hull_table = CONTENT_TABLE(hull_fields);

static const content_field kinematic_fields[] = {
    CHOICE(apex_kinematic_def, form, kinematic_forms, "rear-axle or baseline"),
    REAL(apex_kinematic_def, acceleration_mps2_max, 0, 100, "full throttle"),
    REAL(apex_kinematic_def, braking_mps2_max, 0, 100, "full pedal"),
    REAL(apex_kinematic_def, speed_mps_max, 0, 150, "forwards"),
    REAL(apex_kinematic_def, reverse_mps_max, 0, 150, "backwards"),
};
static const content_table kinematic_table = CONTENT_TABLE(kinematic_fields);

static const content_field notes_fields[] = {
    TEXT(apex_published_notes, top_speed_kmph, "on the figure of this name, as all"),
    TEXT(apex_published_notes, zero_to_100_s, "from rest to 100 km/h"),
    TEXT(apex_published_notes, zero_to_60mph_s, "from rest to 60 mph"),
    TEXT(apex_published_notes, braking_100_0_m, "from 100 km/h to rest"),
    TEXT(apex_published_notes, braking_60mph_0_m, "from 60 mph to rest"),
    TEXT(apex_published_notes, skidpad_g, "held on a small circle"),
};
static const content_table notes_table = CONTENT_TABLE(notes_fields);

static const content_field published_fields[] = {
    REAL(apex_car_published, top_speed_kmph, 0, 600, "0 where nothing is published, as in all"),
    REAL(apex_car_published, zero_to_100_s, 0, 300, "from rest to 100 km/h"),
    REAL(apex_car_published, zero_to_60mph_s, 0, 300, "from rest to 60 mph"),
    REAL(apex_car_published, braking_100_0_m, 0, 500, "from 100 km/h to rest"),
    REAL(apex_car_published, braking_60mph_0_m, 0, 500, "from 60 mph to rest"),
    REAL(apex_car_published, skidpad_g, 0, 10, "held on a small circle"),
    TEXT(apex_car_published, source, "who says so"),
    MAP(apex_car_published, notes, notes_table, "why a figure is doubtful, or why there is none"),
};
static const content_table published_table = CONTENT_TABLE(published_fields);

static const content_field car_fields[] = {
    KIND("a car file"),
    NEED_NAME(apex_car_def, name, "what races call it: a-z, 0-9 and -"),
    TEXT(apex_car_def, title, "what people read"),
    CHOICE(apex_car_def, model, car_models,
           "dynamic, kinematic (no slip, no forces) or motorcycle"),
    NEED_REAL(apex_car_def, mass_kg, 50, 60000, "with driver, without fuel"),
    REAL(apex_car_def, inertia_roll_kgm2, 1, 1000000, "left out: guessed from mass and hull"),
    REAL(apex_car_def, inertia_pitch_kgm2, 1, 1000000, "left out: guessed from mass and hull"),
    REAL(apex_car_def, inertia_yaw_kgm2, 1, 1000000, "left out: guessed from mass and hull"),
    REAL(apex_car_def, com_height_m, 0.05, 4, "of the centre of mass above level ground"),
    REAL(apex_car_def, fuel_kg_max, 0, 2000, "a full tank"),
    REAL(apex_car_def, fuel_x_m, -12, 12, "of the tank ahead of the centre of mass"),
    MAP(apex_car_def, engine, engine_table, "and its fuel"),
    MAP(apex_car_def, gearbox, gearbox_table, "gears and clutch"),
    MAP(apex_car_def, centre_differential, differential_table, "between driven axles"),
    MAP(apex_car_def, steering, steering_table, "from the wheel to the wheels"),
    MAP(content_car_file, aero, aero_table, "drag and lift"),
    MAP(apex_car_def, aids, aids_table, "what helps the driver, who may switch it off"),
    MAP(apex_car_def, hull, hull_table, "what collides"),
    MAP(apex_car_def, kinematic, kinematic_table, "for model kinematic"),
    {FIELD(content_car_file, "differential", CONTENT_MAP, axle.differential,
           "of every axle that says nothing else"),
     .table = &differential_table},
    {FIELD(content_car_file, "suspension", CONTENT_MAP, axle.suspension,
           "of every axle that says nothing else"),
     .table = &suspension_table},
    {FIELD(content_car_file, "brake", CONTENT_MAP, axle.brake,
           "of every axle that says nothing else"),
     .table = &brake_table},
    {FIELD(content_car_file, "tyre", CONTENT_MAP, axle.tyre,
           "of every axle that says nothing else"),
     .table = &tyre_table},
    MAP(content_car_file, published, published_table,
        "figures of the real car, to compare with; no car drives by them"),
    // Last: axles start from differential, suspension, brake and tyre.
    {.key = "axles",
     .type = CONTENT_CUSTOM,
     .required = true,
     .read = content_read_axles,
     .alone = true,
     .write = content_write_axles,
     .help = "front to rear; each may have differential, suspension, brake and tyre of its own"},
};
const content_table content_car_table = CONTENT_TABLE(car_fields);
