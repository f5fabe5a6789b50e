/// Keys of axles, and the list of them: each starts from what the file says for all.
#include "content/car_file/car_axles.h"

#include "content/car_file/car_draft.h"
#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"

static const char *const tyre_models[] = {"magic", "linear", "brush", NULL};
static const char *const suspension_kinds[] = {"strut", "double-wishbone", "solid-axle", NULL};
static const char *const differential_kinds[] = {"open", "locked", "limited-slip", "viscous", NULL};

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
const content_table content_tyre_table = CONTENT_TABLE(tyre_fields);

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
const content_table content_suspension_table = CONTENT_TABLE(suspension_fields);

static const content_field differential_fields[] = {
    CHOICE(apex_differential_def, kind, differential_kinds,
           "open, locked, limited-slip or viscous"),
    REAL(apex_differential_def, preload_nm, 0, 10000, "always locks"),
    REAL(apex_differential_def, power_bias, 0, 1, "share of drive torque that locks under power"),
    REAL(apex_differential_def, coast_bias, 0, 1, "the same off the throttle"),
    REAL(apex_differential_def, viscous_nms_per_rad, 0, 10000, "torque per speed difference"),
};
const content_table content_differential_table = CONTENT_TABLE(differential_fields);

static const content_field brake_fields[] = {
    REAL(apex_brake_def, torque_nm_max, 0, 50000, "each wheel, full pedal"),
    REAL(apex_brake_def, handbrake_nm_max, 0, 50000, "each wheel"),
    REAL(apex_brake_def, heat_capacity_j_per_k, 100, 1000000, "of one brake"),
    REAL(apex_brake_def, fade_start_c, 50, 2000, "torque falls above"),
};
const content_table content_brake_table = CONTENT_TABLE(brake_fields);

static const content_field axle_fields[] = {
    NEED_REAL(apex_axle_def, x_m, -12, 12, "ahead of the centre of mass"),
    NEED_REAL(apex_axle_def, track_width_m, 0, 4,
              "between wheel middles; 0 is one wheel in the middle"),
    REAL(apex_axle_def, steer_share, -1, 1, "of the steering angle; below 0 steers against"),
    REAL(apex_axle_def, drive_share, 0, 1, "of gearbox torque; all axles' sum to 1"),
    MAP(apex_axle_def, differential, content_differential_table, "between its wheels"),
    MAP(apex_axle_def, suspension, content_suspension_table, "of its wheels"),
    MAP(apex_axle_def, brake, content_brake_table, "of its wheels"),
    MAP(apex_axle_def, tyre, content_tyre_table, "of its wheels"),
};
static const content_table axle_table = CONTENT_TABLE(axle_fields);

bool content_read_axles(content_reader *reader, const yaml_node_t *node, void *base) {
    content_car_file *file = base;
    if (!content_need_list(reader, node, 2, APEX_AXLES_MAX)) {
        return false;
    }
    file->car.axle_count = (uint32_t)content_list_count(node);
    bool good = true;
    for (size_t i = 0; i < file->car.axle_count; i++) {
        size_t path = content_push_index(reader, i);
        file->car.axles[i] = file->axle;
        good &= content_read_map(reader, content_list_item(reader, node, i), &axle_table,
                                 &file->car.axles[i]);
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    return good;
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
