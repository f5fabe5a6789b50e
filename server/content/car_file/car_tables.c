/// Keys of car files. They are those of apex_car_def, so that a problem found by physics can be
/// traced back to its line; angles are in degrees.
#include "content/car_file/car_tables.h"

#include "content/car_file/car_axles.h"
#include "content/car_file/car_draft.h"
#include "content/fields/field_macros.h"
#include "physics/car_def_ranges.h"

_Static_assert(sizeof(apex_car_model) == sizeof(int), "choices are stored as int");

static const char *const car_models[] = {"dynamic", "kinematic", "motorcycle", NULL};
static const char *const kinematic_forms[] = {"rear-axle", "baseline", NULL};

static const content_field engine_fields[] = {
    {FIELD(apex_engine_def, "torque", CONTENT_PAIRS, torque_rpm,
           "[rpm, newton metres] at full throttle"),
     .second_offset = offsetof(apex_engine_def, torque_nm),
     .count_offset = offsetof(apex_engine_def, torque_count), .count_min = 2,
     .count_max = APEX_TORQUE_POINTS_MAX, RANGE(APEX_RANGE(apex_engine_def, torque_rpm)),
     SECOND_RANGE(APEX_RANGE(apex_engine_def, torque_nm)), .second_scale = 1},
    RANGED(apex_engine_def, idle_rpm, "held by itself"),
    RANGED(apex_engine_def, limiter_rpm, "fuel is cut here"),
    RANGED(apex_engine_def, blow_rpm, "it dies above; 0 never"),
    RANGED(apex_engine_def, inertia_kgm2, "with flywheel"),
    RANGED(apex_engine_def, brake_nm_per_rps, "drag torque per revolution a second"),
    RANGED(apex_engine_def, turbo_lag_s, "time constant of boost; 0 none"),
    RANGED(apex_engine_def, turbo_share, "part of the torque that needs boost"),
    RANGED(apex_engine_def, fuel_kg_per_mj, "burnt for each megajoule at the crank"),
    RANGED(apex_engine_def, fuel_idle_kg_per_s, "burnt while idling"),
};
static const content_table engine_table = CONTENT_TABLE(engine_fields);

static const content_field gearbox_fields[] = {
    {FIELD(apex_gearbox_def, "ratio", CONTENT_REALS, ratio,
           "of the forward gears, first gear first"),
     .count_offset = offsetof(apex_gearbox_def, gear_count), .count_min = 1,
     .count_max = APEX_GEARS_MAX, RANGE(APEX_RANGE(apex_gearbox_def, ratio))},
    RANGED(apex_gearbox_def, reverse_ratio, "positive"),
    RANGED(apex_gearbox_def, final_drive, "of the axle"),
    RANGED(apex_gearbox_def, efficiency, "of the whole driveline"),
    RANGED(apex_gearbox_def, shift_time_s, "without drive"),
    RANGED(apex_gearbox_def, shift_up_rpm, "automatic"),
    RANGED(apex_gearbox_def, shift_down_rpm, "automatic"),
    RANGED(apex_gearbox_def, clutch_nm_max, "torque it carries"),
    FLAG(apex_gearbox_def, automatic, "what a car does that was asked for no gear"),
};
static const content_table gearbox_table = CONTENT_TABLE(gearbox_fields);

static const content_field steering_fields[] = {
    ANGLE_RANGED(apex_steering_def, "angle_deg_max", angle_rad_max, "full lock at the wheels"),
    ANGLE_RANGED(apex_steering_def, "rate_degps_max", rate_radps_max, "how fast wheels turn"),
    RANGED(apex_steering_def, ackermann, "0 wheels parallel, 1 each on its own circle"),
    RANGED(apex_steering_def, fade_speed_mps, "the assist halves the lock here; 0 never"),
};
static const content_table steering_table = CONTENT_TABLE(steering_fields);

static const content_field aero_fields[] = {
    RANGED(apex_aero_def, drag_coefficient, "cd"),
    RANGED(apex_aero_def, frontal_area_m2, "that drag_coefficient refers to"),
    REAL(content_aero, drag_n_per_mps2, 0, 3.75,
         "drag over speed squared, instead of the two above; 0: by them"),
    REAL(content_aero, air_density_kg_per_m3, 0.5, 2, "that drag_n_per_mps2 refers to"),
    RANGED(apex_aero_def, lift_front_m2, "lift coefficient times area; downforce below 0"),
    RANGED(apex_aero_def, lift_rear_m2, "the same at the rear"),
    RANGED(apex_aero_def, drag_height_m, "of the drag above the centre of mass"),
    RANGED(apex_aero_def, slipstream_strength, "share of drag lost right behind an equal car"),
};
static const content_table aero_table = CONTENT_TABLE(aero_fields);

static const content_field aids_fields[] = {
    RANGED(apex_aids_def, abs, "0 off, 1 full, as all aids"),
    RANGED(apex_aids_def, traction_control, "against wheelspin"),
    RANGED(apex_aids_def, stability_control, "against spins"),
    RANGED(apex_aids_def, steering_assist, "counter-steers"),
    RANGED(apex_aids_def, launch_control, "best revs for a start"),
    FLAG(apex_aids_def, automatic_clutch, "opens and closes it when shifting and at rest"),
};
static const content_table aids_table = CONTENT_TABLE(aids_fields);

static const content_field hull_fields[] = {
    RANGED(apex_hull_def, length_m, "of the box that collides"),
    RANGED(apex_hull_def, width_m, "of it"),
    RANGED(apex_hull_def, height_m, "of it"),
    RANGED(apex_hull_def, centre_x_m, "of the box ahead of the centre of mass"),
    RANGED(apex_hull_def, centre_y_m, "to the left"),
    RANGED(apex_hull_def, centre_z_m, "above it"),
    RANGED(apex_hull_def, rounding_m, "corners are rounded by this much"),
    RANGED(apex_hull_def, restitution, "0 no bounce, 1 full"),
    RANGED(apex_hull_def, friction, "of bodywork"),
};
static const content_table hull_table = CONTENT_TABLE(hull_fields);

static const content_field kinematic_fields[] = {
    CHOICE(apex_kinematic_def, form, kinematic_forms, "rear-axle or baseline"),
    RANGED(apex_kinematic_def, acceleration_mps2_max, "full throttle"),
    RANGED(apex_kinematic_def, braking_mps2_max, "full pedal"),
    RANGED(apex_kinematic_def, speed_mps_max, "forwards"),
    RANGED(apex_kinematic_def, reverse_mps_max, "backwards"),
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
    NEED_RANGED(apex_car_def, mass_kg, "with driver, without fuel"),
    RANGED(apex_car_def, inertia_roll_kgm2, "left out: guessed from mass and hull"),
    RANGED(apex_car_def, inertia_pitch_kgm2, "left out: guessed from mass and hull"),
    RANGED(apex_car_def, inertia_yaw_kgm2, "left out: guessed from mass and hull"),
    RANGED(apex_car_def, com_height_m, "of the centre of mass above level ground"),
    RANGED(apex_car_def, fuel_kg_max, "a full tank"),
    RANGED(apex_car_def, fuel_x_m, "of the tank ahead of the centre of mass"),
    MAP(apex_car_def, engine, engine_table, "and its fuel"),
    MAP(apex_car_def, gearbox, gearbox_table, "gears and clutch"),
    MAP(apex_car_def, centre_differential, content_differential_table, "between driven axles"),
    MAP(apex_car_def, steering, steering_table, "from the wheel to the wheels"),
    MAP(content_car_file, aero, aero_table, "drag and lift"),
    MAP(apex_car_def, aids, aids_table, "what helps the driver, who may switch it off"),
    MAP(apex_car_def, hull, hull_table, "what collides"),
    MAP(apex_car_def, kinematic, kinematic_table, "for model kinematic"),
    {FIELD(content_car_file, "differential", CONTENT_MAP, axle.differential,
           "of every axle that says nothing else"),
     .table = &content_differential_table},
    {FIELD(content_car_file, "suspension", CONTENT_MAP, axle.suspension,
           "of every axle that says nothing else"),
     .table = &content_suspension_table},
    {FIELD(content_car_file, "brake", CONTENT_MAP, axle.brake,
           "of every axle that says nothing else"),
     .table = &content_brake_table},
    {FIELD(content_car_file, "tyre", CONTENT_MAP, axle.tyre,
           "of every axle that says nothing else"),
     .table = &content_tyre_table},
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
