// The check of a definition: ranges, then what no range of a single field can tell.

#include "physics/car_def.h"
#include "physics/car_def_ranges.h"
#include "physics/type/car_def_fields.h"
#include "physics/type/type.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The definition being checked, and the place for its first problem.
typedef struct def_check {
    const apex_car_def *def;
    apex_def_problem *problem;
} def_check;

// `prefix` is "" or "axles[1]."; the field and the reason are cut if they do not fit.
static bool refuse(const def_check *check, const char *prefix, const char *field,
                   const char *reason) {
    if (check->problem != NULL) {
        snprintf(check->problem->field, sizeof check->problem->field, "%s%s", prefix, field);
        snprintf(check->problem->reason, sizeof check->problem->reason, "%s", reason);
    }
    return false;
}

static bool check_ranges(const def_check *check, const char *prefix, const void *base,
                         const physics_def_ranges *ranges) {
    for (size_t i = 0; i < ranges->count; i++) {
        double value;
        memcpy(&value, (const char *)base + ranges->items[i].offset, sizeof value);
        if (!apex_is_within(value, ranges->items[i].low, ranges->items[i].high)) {
            char reason[128];
            snprintf(reason, sizeof reason, "%.6g is outside %g..%g", value, ranges->items[i].low,
                     ranges->items[i].high);
            return refuse(check, prefix, ranges->items[i].name, reason);
        }
    }
    return true;
}

static bool check_name(const def_check *check) {
    const char *name = check->def->name;
    size_t length = strnlen(name, APEX_NAME_BYTES);
    if (length == 0 || length == APEX_NAME_BYTES) {
        return refuse(check, "", "name", "must have 1 to 31 characters");
    }
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != length) {
        return refuse(check, "", "name", "may hold only a-z, 0-9 and -");
    }
    if (memchr(check->def->title, 0, APEX_TITLE_BYTES) == NULL) {
        return refuse(check, "", "title", "is longer than 63 bytes");
    }
    return true;
}

static bool check_choices(const def_check *check) {
    const apex_car_def *def = check->def;
    if ((uint32_t)def->model > APEX_CAR_MOTORCYCLE) {
        return refuse(check, "", "model", "is not one of dynamic, kinematic, motorcycle");
    }
    if ((uint32_t)def->centre_differential.kind > APEX_DIFFERENTIAL_VISCOUS) {
        return refuse(check, "", "centre_differential.kind",
                      "is not one of open, locked, limited_slip, viscous");
    }
    if ((uint32_t)def->kinematic.form > APEX_KINEMATIC_BASELINE) {
        return refuse(check, "", "kinematic.form", "is not one of rear_axle, baseline");
    }
    if (def->axle_count < 2 || def->axle_count > APEX_AXLES_MAX) {
        return refuse(check, "", "axle_count", "must be 2 to 4");
    }
    return true;
}

static bool check_curve(const def_check *check, const char *prefix, const char *field,
                        const apex_travel_curve *curve) {
    if (curve->count > APEX_CURVE_POINTS_MAX) {
        return refuse(check, prefix, field, "has more than 8 points");
    }
    for (uint32_t i = 0; i < curve->count; i++) {
        bool is_small = curve->value_rad[i] >= -0.5 && curve->value_rad[i] <= 0.5 &&
                        curve->travel_m[i] >= -1.0 && curve->travel_m[i] <= 1.0;
        if (!is_small || (i > 0 && !(curve->travel_m[i] > curve->travel_m[i - 1]))) {
            return refuse(check, prefix, field,
                          "points must rise in travel, within 1 m and 0.5 rad");
        }
    }
    return true;
}

static bool check_tyre(const def_check *check, const char *prefix, const apex_axle_def *axle) {
    if ((uint32_t)axle->tyre.model > APEX_TYRE_BRUSH) {
        return refuse(check, prefix, "tyre.model", "is not one of magic, linear, brush");
    }
    if (axle->tyre.model == APEX_TYRE_MAGIC) {
        return check_ranges(check, prefix, axle, &PHYSICS_MAGIC_RANGES);
    }
    return check_ranges(check, prefix, axle, &PHYSICS_STIFFNESS_RANGES);
}

static bool check_axle(const def_check *check, uint32_t index) {
    char prefix[24];
    snprintf(prefix, sizeof prefix, "axles[%u].", index);
    const apex_car_def *def = check->def;
    const apex_axle_def *axle = &def->axles[index];
    if ((uint32_t)axle->differential.kind > APEX_DIFFERENTIAL_VISCOUS) {
        return refuse(check, prefix, "differential.kind",
                      "is not one of open, locked, limited_slip, viscous");
    }
    if ((uint32_t)axle->suspension.kind > APEX_SUSPENSION_SOLID_AXLE) {
        return refuse(check, prefix, "suspension.kind",
                      "is not one of strut, double_wishbone, solid_axle");
    }
    if (!check_ranges(check, prefix, axle, &PHYSICS_AXLE_RANGES) ||
        !check_tyre(check, prefix, axle) ||
        !check_curve(check, prefix, "suspension.camber_curve", &axle->suspension.camber_curve) ||
        !check_curve(check, prefix, "suspension.toe_curve", &axle->suspension.toe_curve)) {
        return false;
    }
    if (index > 0 && !(axle->x_m <= def->axles[index - 1].x_m - 0.1)) {
        return refuse(check, prefix, "x_m",
                      "must lie at least 0.1 m behind the axle before it (front to rear)");
    }
    if (index > 0 && axle->x_m + axle->tyre.radius_m >
                         def->axles[index - 1].x_m - def->axles[index - 1].tyre.radius_m) {
        return refuse(check, prefix, "tyre.radius_m",
                      "makes its wheels run into those of the axle before it");
    }
    if (axle->track_width_m > 0.0 && axle->tyre.width_m > axle->track_width_m) {
        return refuse(check, prefix, "tyre.width_m",
                      "makes left and right wheels run into each other");
    }
    double ahead = def->hull.centre_x_m + 0.5 * def->hull.length_m;
    double behind = def->hull.centre_x_m - 0.5 * def->hull.length_m;
    if (axle->x_m > ahead || axle->x_m < behind) {
        return refuse(check, prefix, "x_m", "lies outside the hull's length");
    }
    double side = fabs(def->hull.centre_y_m) + 0.5 * axle->track_width_m;
    if (side > 0.5 * def->hull.width_m) {
        return refuse(check, prefix, "track_width_m", "puts wheels outside the hull's width");
    }
    // Steeper links press an axle against the road the harder it is pushed sideways, and then more.
    if (axle->track_width_m > 0.0 &&
        fabs(axle->suspension.roll_centre_height_m) > 0.5 * axle->track_width_m) {
        return refuse(check, prefix, "suspension.roll_centre_height_m",
                      "is more than half the track: links would stand steeper than 45 degrees");
    }
    bool is_motorcycle = def->model == APEX_CAR_MOTORCYCLE;
    if (is_motorcycle && axle->track_width_m != 0.0) {
        return refuse(check, prefix, "track_width_m", "must be 0: a motorcycle runs on one track");
    }
    return true;
}

static bool check_axles(const def_check *check) {
    const apex_car_def *def = check->def;
    double drive = 0.0, widest = 0.0;
    bool steers = false;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        if (!check_axle(check, a)) {
            return false;
        }
        drive += def->axles[a].drive_share;
        steers = steers || def->axles[a].steer_share != 0.0;
        widest = def->axles[a].track_width_m > widest ? def->axles[a].track_width_m : widest;
    }
    if (!(drive > 1.0 - 1e-9 && drive < 1.0 + 1e-9) && drive != 0.0) {
        return refuse(check, "", "axles[].drive_share", "must sum to 1 over all axles");
    }
    if (drive == 0.0 && def->model != APEX_CAR_KINEMATIC) {
        return refuse(check, "", "axles[].drive_share", "no axle is driven");
    }
    if (!steers) {
        return refuse(check, "", "axles[].steer_share", "no axle steers");
    }
    if (widest == 0.0 && def->model == APEX_CAR_DYNAMIC) {
        return refuse(check, "", "axles[].track_width_m",
                      "a car on one track falls over: model motorcycle, or give an axle a width");
    }
    if (def->axles[0].x_m <= 0.0 || def->axles[def->axle_count - 1].x_m >= 0.0) {
        return refuse(check, "", "axles[].x_m",
                      "the centre of mass must lie between the first and the last axle");
    }
    return true;
}

// A car that stands must not lie on its hull: corners in the road carry what wheels should.
static bool check_hull(const def_check *check) {
    const apex_car_def *def = check->def;
    double lower_m = def->com_height_m + def->hull.centre_z_m - 0.5 * def->hull.height_m;
    if (lower_m < 0.0) {
        char reason[128];
        snprintf(reason, sizeof reason,
                 "puts the hull's lower face %.3g m under the road: com_height_m + centre_z_m must "
                 "be half of height_m or more",
                 -lower_m);
        return refuse(check, "", "hull.centre_z_m", reason);
    }
    return true;
}

// Checks that no axle can make by itself: the centre of mass with a full tank, and whether
// carcasses carry the car before they are half flat.
static bool check_load(const def_check *check) {
    const apex_car_def *def = check->def;
    double full_kg = def->mass_kg + def->fuel_kg_max, bearing_n = 0.0;
    double com_x_m = def->fuel_kg_max * def->fuel_x_m / full_kg;
    if (com_x_m >= def->axles[0].x_m || com_x_m <= def->axles[def->axle_count - 1].x_m) {
        return refuse(check, "", "fuel_x_m",
                      "brings the centre of mass, when the tank is full, out from between the "
                      "first and the last axle");
    }
    for (uint32_t a = 0; a < def->axle_count; a++) {
        const apex_axle_def *axle = &def->axles[a];
        double wheels = axle->track_width_m > 0.0 ? 2.0 : 1.0;
        bearing_n += wheels * axle->tyre.vertical_stiffness_n_per_m * 0.5 * axle->tyre.radius_m;
    }
    if (full_kg * APEX_EARTH_MPS2 > bearing_n) {
        return refuse(check, "", "mass_kg",
                      "presses the tyres flat, more than half of their radius: they need more "
                      "vertical_stiffness_n_per_m");
    }
    return true;
}

// A body between its axles has I / m near a b; one of a hundredth of that turns so readily that
// tyre forces throw it about within a substep.
static bool check_inertia(const def_check *check) {
    const double SHARE_MIN = 0.1;
    const apex_car_def *def = check->def;
    double front_m = def->axles[0].x_m, rear_m = -def->axles[def->axle_count - 1].x_m;
    if (def->inertia_yaw_kgm2 < SHARE_MIN * def->mass_kg * front_m * rear_m) {
        return refuse(check, "", "inertia_yaw_kgm2",
                      "is far too small for the mass and the places of the axles");
    }
    return true;
}

/// The stiffness and damping of one motion of the body, and the inertia that resists it.
typedef struct body_mode {
    const char *inertia_field, *reason;
    double inertia, unsprung, stiffness, damping;
} body_mode;

// Within a substep a spring may take part of a motion away, but not more than there is of it.
static bool check_mode(const def_check *check, const body_mode *mode) {
    const double UNSPRUNG_MAX = 0.75, ANSWER_MAX = 1.5;
    if (mode->unsprung > UNSPRUNG_MAX * mode->inertia) {
        return refuse(check, "", mode->inertia_field,
                      "leaves next to nothing for the body: the "
                      "wheels' unsprung masses have most of it");
    }
    double answer =
        PHYSICS_SUBSTEP_S_MAX * (PHYSICS_SUBSTEP_S_MAX * mode->stiffness + mode->damping);
    if (answer > ANSWER_MAX * (mode->inertia - mode->unsprung)) {
        return refuse(check, "", mode->inertia_field, mode->reason);
    }
    return true;
}

static bool check_suspension(const def_check *check) {
    const apex_car_def *def = check->def;
    const char *reason = "is too small for springs and dampers as stiff as these";
    body_mode heave = {"mass_kg", reason, def->mass_kg, 0.0, 0.0, 0.0};
    body_mode roll = {"inertia_roll_kgm2", reason, def->inertia_roll_kgm2, 0.0, 0.0, 0.0};
    body_mode pitch = {"inertia_pitch_kgm2", reason, def->inertia_pitch_kgm2, 0.0, 0.0, 0.0};
    for (uint32_t a = 0; a < def->axle_count; a++) {
        const apex_axle_def *axle = &def->axles[a];
        const apex_suspension_def *from = &axle->suspension;
        double wheels = axle->track_width_m > 0.0 ? 2.0 : 1.0, half = 0.5 * axle->track_width_m;
        double x2 = axle->x_m * axle->x_m, y2 = half * half, mass = from->unsprung_mass_kg;
        double spring = from->spring_n_per_m + from->bump_stop_n_per_m;
        double damper = from->bump_ns_per_m > from->rebound_ns_per_m ? from->bump_ns_per_m
                                                                     : from->rebound_ns_per_m;
        body_mode *const modes[] = {&heave, &pitch, &roll};
        const double levers[] = {1.0, x2, y2};
        for (uint32_t m = 0; m < 3; m++) {
            modes[m]->unsprung += wheels * mass * levers[m];
            modes[m]->stiffness += wheels * spring * levers[m];
            modes[m]->damping += wheels * damper * levers[m];
        }
        roll.stiffness += 2.0 * wheels * from->anti_roll_n_per_m * y2;
        // A hub between tyre and spring swings at sqrt(k / m); a radian in a substep is plenty.
        if (axle->tyre.vertical_stiffness_n_per_m >
            mass / (PHYSICS_SUBSTEP_S_MAX * PHYSICS_SUBSTEP_S_MAX)) {
            char prefix[24];
            snprintf(prefix, sizeof prefix, "axles[%u].", a);
            return refuse(
                check, prefix, "suspension.unsprung_mass_kg",
                "is too small for a tyre as stiff as this (at most 40000 N/m for each kg)");
        }
    }
    return check_mode(check, &heave) && check_mode(check, &roll) && check_mode(check, &pitch);
}

static bool check_engine(const def_check *check) {
    const apex_engine_def *engine = &check->def->engine;
    if (engine->torque_count < 1 || engine->torque_count > APEX_TORQUE_POINTS_MAX) {
        return refuse(check, "", "engine.torque_count", "must be 1 to 32");
    }
    double best_nm = 0.0;
    for (uint32_t i = 0; i < engine->torque_count; i++) {
        double rpm = engine->torque_rpm[i], nm = engine->torque_nm[i];
        best_nm = nm > best_nm ? nm : best_nm;
        if (!apex_is_within(rpm, APEX_RANGE(apex_engine_def, torque_rpm)) ||
            !apex_is_within(nm, APEX_RANGE(apex_engine_def, torque_nm))) {
            return refuse(check, "", "engine.torque_nm",
                          "points must lie within 0..30000 rpm and 0..10000 N m");
        }
        if (i > 0 && !(rpm > engine->torque_rpm[i - 1])) {
            return refuse(check, "", "engine.torque_rpm", "must rise from point to point");
        }
    }
    if (best_nm <= 0.0) {
        return refuse(check, "", "engine.torque", "is 0 throughout: the car would never move");
    }
    if (engine->limiter_rpm <= engine->idle_rpm) {
        return refuse(check, "", "engine.limiter_rpm", "must lie above idle_rpm");
    }
    if (engine->blow_rpm > 0.0 && engine->blow_rpm <= engine->limiter_rpm) {
        return refuse(check, "", "engine.blow_rpm", "must lie above limiter_rpm, or be 0");
    }
    return true;
}

// An automatic box takes the next gear only where that runs a tenth above shift_down_rpm.
static bool check_reach(const def_check *check) {
    const double MARGIN = 1.1;
    const apex_gearbox_def *gearbox = &check->def->gearbox;
    for (uint32_t g = 1; g < gearbox->gear_count && gearbox->automatic; g++) {
        double step = gearbox->ratio[g] / gearbox->ratio[g - 1];
        double most_rpm = check->def->engine.limiter_rpm * step / MARGIN;
        if (gearbox->shift_down_rpm >= most_rpm) {
            char reason[128];
            snprintf(reason, sizeof reason,
                     "must lie below %.0f, or gear %u is never taken: it would be left at once",
                     most_rpm, g + 1);
            return refuse(check, "", "gearbox.shift_down_rpm", reason);
        }
    }
    return true;
}

static bool check_gearbox(const def_check *check) {
    const apex_gearbox_def *gearbox = &check->def->gearbox;
    if (gearbox->gear_count < 1 || gearbox->gear_count > APEX_GEARS_MAX) {
        return refuse(check, "", "gearbox.gear_count", "must be 1 to 10");
    }
    for (uint32_t g = 0; g < gearbox->gear_count; g++) {
        if (!apex_is_within(gearbox->ratio[g], APEX_RANGE(apex_gearbox_def, ratio))) {
            return refuse(check, "", "gearbox.ratio", "each ratio must lie within 0.1..30");
        }
        if (g > 0 && !(gearbox->ratio[g] < gearbox->ratio[g - 1])) {
            return refuse(check, "", "gearbox.ratio", "must fall from gear to gear");
        }
    }
    if (gearbox->shift_down_rpm >= gearbox->shift_up_rpm) {
        return refuse(check, "", "gearbox.shift_down_rpm", "must lie below shift_up_rpm");
    }
    if (gearbox->shift_up_rpm > check->def->engine.limiter_rpm) {
        return refuse(check, "", "gearbox.shift_up_rpm",
                      "lies above the engine's limiter_rpm: it would never shift");
    }
    if (gearbox->shift_up_rpm <= check->def->engine.idle_rpm) {
        return refuse(check, "", "gearbox.shift_up_rpm",
                      "must lie above the engine's idle_rpm: it would always shift up");
    }
    return check_reach(check);
}

bool apex_car_def_check(const apex_car_def *def, apex_def_problem *problem) {
    const def_check check = {def, problem};
    return check_name(&check) && check_choices(&check) &&
           check_ranges(&check, "", def, &PHYSICS_CAR_RANGES) && check_axles(&check) &&
           check_hull(&check) && check_load(&check) && check_inertia(&check) &&
           check_suspension(&check) && check_engine(&check) && check_gearbox(&check);
}
