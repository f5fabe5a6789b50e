/// Keys of axles, and the list of them: each starts from what the file says for all.
#include "content/car_file/car_axles.h"

#include "content/car_file/car_draft.h"
#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"
#include "physics/car_def_ranges.h"

static const char *const tyre_models[] = {"magic", "linear", "brush", NULL};
static const char *const suspension_kinds[] = {"strut", "double-wishbone", "solid-axle", NULL};
static const char *const differential_kinds[] = {"open", "locked", "limited-slip", "viscous", NULL};

static const content_field tyre_axis_fields[] = {
    RANGED(apex_tyre_axis, b, "stiffness factor of the magic formula"),
    RANGED(apex_tyre_axis, c, "shape factor"),
    RANGED(apex_tyre_axis, d, "peak friction on dry asphalt at the nominal load"),
    RANGED(apex_tyre_axis, e, "curvature factor"),
    RANGED(apex_tyre_axis, stiffness, "models linear and brush: force per load and unit slip"),
    RANGED(apex_tyre_axis, relaxation_m, "way the contact patch needs to build up force"),
};
static const content_table tyre_axis_table = CONTENT_TABLE(tyre_axis_fields);

static const content_field tyre_fields[] = {
    CHOICE(apex_tyre_def, model, tyre_models, "magic (Pacejka), linear or brush (Fiala)"),
    RANGED(apex_tyre_def, radius_m, "unloaded"),
    RANGED(apex_tyre_def, width_m, "of the tread"),
    MAP(apex_tyre_def, longitudinal, tyre_axis_table, "force over slip ratio"),
    MAP(apex_tyre_def, lateral, tyre_axis_table, "force over slip angle in radians"),
    RANGED(apex_tyre_def, load_nominal_n, "load at which friction is as stated"),
    RANGED(apex_tyre_def, load_sensitivity, "share of friction lost when the load doubles"),
    RANGED(apex_tyre_def, camber_stiffness, "lateral force per load and radian of camber"),
    RANGED(apex_tyre_def, pneumatic_trail_m, "at small slip; self-aligning torque"),
    RANGED(apex_tyre_def, rolling_coefficient, "rolling resistance per load"),
    RANGED(apex_tyre_def, rolling_coefficient_s_per_m, "part of it that grows with speed, per m/s"),
    RANGED(apex_tyre_def, vertical_stiffness_n_per_m, "of the carcass"),
    RANGED(apex_tyre_def, vertical_damping_ns_per_m, "of the carcass"),
    RANGED(apex_tyre_def, slide_force_ratio, "share of force kept once sliding"),
    RANGED(apex_tyre_def, inertia_kgm2, "wheel with tyre about its axle"),
    RANGED(apex_tyre_def, temperature_best_c, "grip is best here"),
    RANGED(apex_tyre_def, temperature_window_c, "grip falls to 90 % this far from the best"),
    RANGED(apex_tyre_def, heat_capacity_j_per_k, "of one tyre"),
    RANGED(apex_tyre_def, wear_per_mj, "share worn off for each megajoule of sliding"),
};
const content_table content_tyre_table = CONTENT_TABLE(tyre_fields);

#define CURVE(member, text)                                                                     \
    {                                                                                           \
        FIELD(apex_suspension_def, #member, CONTENT_PAIRS, member.travel_m, text),              \
            .second_offset = offsetof(apex_suspension_def, member.value_rad),                   \
            .count_offset = offsetof(apex_suspension_def, member.count),                        \
            .count_max = APEX_CURVE_POINTS_MAX, RANGE(APEX_RANGE(apex_travel_curve, travel_m)), \
            SECOND_RANGE(DEGREES(APEX_RANGE(apex_travel_curve, value_rad))),                    \
            .second_scale = CONTENT_RADIANS_PER_DEGREE                                          \
    }

static const content_field suspension_fields[] = {
    CHOICE(apex_suspension_def, kind, suspension_kinds, "strut, double-wishbone or solid-axle"),
    RANGED(apex_suspension_def, spring_n_per_m, "at the wheel"),
    RANGED(apex_suspension_def, bump_ns_per_m, "damping when the wheel goes up"),
    RANGED(apex_suspension_def, rebound_ns_per_m, "damping when the wheel goes down"),
    RANGED(apex_suspension_def, travel_bump_m, "from ride height up to the bump stop"),
    RANGED(apex_suspension_def, travel_rebound_m, "from ride height down to full droop"),
    RANGED(apex_suspension_def, bump_stop_n_per_m, "added by the stop"),
    RANGED(apex_suspension_def, anti_roll_n_per_m, "force per difference of travel"),
    RANGED(apex_suspension_def, roll_centre_height_m, "above the ground"),
    RANGED(apex_suspension_def, unsprung_mass_kg, "one wheel with hub and brake"),
    ANGLE_RANGED(apex_suspension_def, "toe_deg", toe_rad, "toe-in of each wheel"),
    ANGLE_RANGED(apex_suspension_def, "camber_deg", camber_rad,
                 "of each wheel, negative leans inwards"),
    CURVE(camber_curve, "[travel_m, degrees] added over travel, up positive"),
    CURVE(toe_curve, "[travel_m, degrees] added over travel, up positive"),
};
const content_table content_suspension_table = CONTENT_TABLE(suspension_fields);

static const content_field differential_fields[] = {
    CHOICE(apex_differential_def, kind, differential_kinds,
           "open, locked, limited-slip or viscous"),
    RANGED(apex_differential_def, preload_nm, "always locks"),
    RANGED(apex_differential_def, power_bias, "share of drive torque that locks under power"),
    RANGED(apex_differential_def, coast_bias, "the same off the throttle"),
    RANGED(apex_differential_def, viscous_nms_per_rad, "torque per speed difference"),
};
const content_table content_differential_table = CONTENT_TABLE(differential_fields);

static const content_field brake_fields[] = {
    RANGED(apex_brake_def, torque_nm_max, "each wheel, full pedal"),
    RANGED(apex_brake_def, handbrake_nm_max, "each wheel"),
    RANGED(apex_brake_def, heat_capacity_j_per_k, "of one brake"),
    RANGED(apex_brake_def, fade_start_c, "torque falls above"),
};
const content_table content_brake_table = CONTENT_TABLE(brake_fields);

static const content_field axle_fields[] = {
    NEED_RANGED(apex_axle_def, x_m, "ahead of the centre of mass"),
    NEED_RANGED(apex_axle_def, track_width_m,
                "between wheel middles; 0 is one wheel in the middle"),
    RANGED(apex_axle_def, steer_share, "of the steering angle; below 0 steers against"),
    RANGED(apex_axle_def, drive_share, "of gearbox torque; all axles' sum to 1"),
    MAP(apex_axle_def, differential, content_differential_table, "between its wheels"),
    MAP(apex_axle_def, suspension, content_suspension_table, "of its wheels"),
    MAP(apex_axle_def, brake, content_brake_table, "of its wheels"),
    MAP(apex_axle_def, tyre, content_tyre_table, "of its wheels"),
};
static const content_table axle_table = CONTENT_TABLE(axle_fields);

static bool read_axle(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    content_car_file *file = base;
    file->car.axles[index] = file->axle;
    return content_read_map(reader, item, &axle_table, &file->car.axles[index]);
}

bool content_read_axles(content_reader *reader, const yaml_node_t *node, void *base) {
    content_car_file *file = base;
    if (!content_need_list(reader, node, 2, APEX_AXLES_MAX)) {
        return false;
    }
    file->car.axle_count = (uint32_t)content_list_count(node);
    return content_read_items(reader, node, read_axle, file);
}

void content_write_axles(content_writer *writer, const void *base) {
    const content_car_file *file = base;
    content_writer item = *writer;
    item.indent += 4;
    for (uint32_t i = 0; i < file->car.axle_count; i++) {
        fprintf(writer->out, "%*s-\n", writer->indent + 2, "");
        content_write_map(&item, &axle_table, &file->car.axles[i], &file->axle);
    }
}
