// The list of all ids, the tolerances of rows, and the cars of the books that they are worked on.
#include "support/physics/source_rows.h"

#include "base/assert.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

// The table of worked numbers: M Monster, P Palmer, B the steering blog, T the thesis, F the note
// on Pacejka's formula.
static const char *const KNOWN[] = {
    "M01",     "M02",      "M03",      "M04",        "M05",      "M06",      "M07",      "M08",
    "M09",     "M10",      "M11",      "M12",        "M13",      "M14",      "M15",      "M16",
    "M17",     "M18",      "M19",      "M20",        "M21",      "M22",      "M23",      "M24",
    "M25",     "M26",      "M27",      "M28",        "M29",      "M30",      "M31",      "M32",
    "M33",     "M34",      "M35",      "M36",        "M37",      "M38",      "M39",      "M40.1",
    "M40.2",   "M40.3",    "M40.4",    "M40.5",      "M40.6",    "M40.R",    "P01",      "P02",
    "P03.500", "P03.1000", "P03.2800", "P03.4599.9", "P03.4600", "P03.6200", "P03.7200", "P04",
    "P05.1",   "P05.2",    "P05.3",    "P05.4",      "P05.5",    "P05.6",    "P06.1",    "P06.2",
    "P06.3",   "P06.4",    "P06.5",    "P07",        "P08",      "P09",      "P10",      "P11",
    "P12",     "P13",      "P14",      "P15",        "P16",      "P17",      "P18",      "P18.1",
    "P18.6",   "P19",      "P20",      "P21",        "P22",      "P23",      "P24",      "P25",
    "P26",     "P27",      "P28.0.0",  "P28.0.25",   "P28.1.0",  "P29",      "P30",      "P31",
    "P32",     "P33",      "P34",      "P35",        "P36",      "P37",      "P38",      "P39",
    "B01.0",   "B02.0",    "B01.1",    "B02.1",      "B01.2",    "B02.2",    "B03",      "B04",
    "B05",     "B06",      "B07",      "B08",        "B09",      "B10",      "T01",      "T02",
    "T03",     "T04",      "T05",      "T06",        "T07",      "T08",      "T09",      "T10",
    "T11",     "T12",      "T13",      "T14",        "T15",      "T16",      "T17",      "T18",
    "T19",     "T20",      "T21",      "T22",        "T23",      "T24",      "T25a",     "T25b",
    "T25c",    "T26",      "F01.0.01", "F01.0.05",   "F01.0.1",  "F01.0.15", "F01.0.2",  "F01.0.3",
    "F01.0.5", "F01.1.0",  "F01.2.0",  "F02",        "F03",      "F04",      "F05",      "F06",
    "F07.0",   "F07.1",    "F07.2",    "F07.3",      "F08",      "F09",      "F10",      "F11",
};

const char *const *rows_known(size_t *count) {
    *count = sizeof KNOWN / sizeof *KNOWN;
    return KNOWN;
}

static const char *current_id = "no row";
static uint32_t noted;

bool row_note(bool holds) {
    noted++;
    return holds;
}

const char *row_id(void) {
    return current_id;
}

double row_tolerance_of(double wanted, double share, double amount, double rounding) {
    double size = fabs(wanted), own = fmax(share * size, amount);
    return fmax(own, size > 0.0 ? rounding * size : rounding);
}

void row_run(const row *one) {
    current_id = one->id;
    noted = 0;
    one->test();
    ck_assert_msg(noted > 0, "%s looks at nothing", one->id);
}

scene_solo rows_solo(const apex_car_def *def, const rows_place *place) {
    scene_solo solo = {.controls = {.gear = APEX_GEAR_NEUTRAL}};
    apex_world_def world = scene_world_def(1);
    world.tick_hz = place->ticks_at_60_hz ? 60 : 240;
    world.gravity_mps2 = place->gravity_mps2 > 0.0 ? place->gravity_mps2 : world.gravity_mps2;
    if (place->is_vacuum || place->air_kg_per_m3 > 0.0) {
        world.air_density_kg_per_m3 = place->is_vacuum ? 0.0 : place->air_kg_per_m3;
    }
    const apex_ground *ground = place->ground != NULL ? place->ground : scene_flat();
    apex_car_type type;
    apex_placement at = {0};
    apex_def_problem problem;
    ck_assert_msg(apex_car_def_check(def, &problem), "%s: %s: %s", row_id(), problem.field,
                  problem.reason);
    APEX_ASSERT(apex_world_create(&world, ground, NULL, &solo.world) == APEX_OK);
    APEX_ASSERT(apex_world_add_type(solo.world, def, &type) == APEX_OK);
    APEX_ASSERT(apex_world_add_car(solo.world, type, &at, &solo.car) == APEX_OK);
    return solo;
}

void rows_roll(scene_solo *solo, double speed_mps) {
    const apex_placement at = {.speed_mps = speed_mps};
    apex_world_place_car(solo->world, solo->car, &at);
}

// Everything away that the sources' formulas do not have.
static void strip(apex_car_def *def) {
    def->fuel_kg_max = 0.0;
    def->aids = (apex_aids_def){0};
    def->engine.inertia_kgm2 = 0.001;
    def->engine.brake_nm_per_rps = 0.0;
    def->engine.blow_rpm = 0.0;
    def->gearbox.efficiency = 1.0;
    def->gearbox.shift_time_s = 0.0;
    def->gearbox.automatic = false;
    def->aero = (apex_aero_def){0};
    def->steering.fade_speed_mps = 0.0;
    for (uint32_t a = 0; a < 2; a++) {
        apex_tyre_def *tyre = &def->axles[a].tyre;
        tyre->inertia_kgm2 = 0.01;
        tyre->rolling_coefficient = 0.0;
        tyre->rolling_coefficient_s_per_m = 0.0;
    }
}

apex_car_def rows_monster_car(void) {
    apex_car_def def = scene_plain_car();
    strip(&def);
    def.com_height_m = 1.0;
    return def;
}

apex_car_def rows_palmer_car(void) {
    static const double RATIO[] = {3.82, 2.20, 1.52, 1.22, 1.02, 0.84};
    // 8.17: level to 1000 rpm, then 0.025 rpm + 195, from 4600 on 457.2 - 0.032 rpm.
    static const double RPM[] = {1000.0, 4600.0, 7200.0}, NM[] = {220.0, 310.0, 226.8};
    apex_car_def def = scene_plain_car();
    strip(&def);
    strcpy(def.name, "boxster");
    def.mass_kg = 1393.0;
    def.aero.drag_coefficient = 0.31;
    def.aero.frontal_area_m2 = 1.94;
    def.engine.torque_count = 3;
    memcpy(def.engine.torque_rpm, RPM, sizeof RPM);
    memcpy(def.engine.torque_nm, NM, sizeof NM);
    def.engine.idle_rpm = 800.0;
    def.engine.limiter_rpm = 7200.0;
    def.engine.blow_rpm = 8000.0;
    def.engine.brake_nm_per_rps = 0.74;
    memcpy(def.gearbox.ratio, RATIO, sizeof RATIO);
    def.gearbox.final_drive = 3.44;
    def.gearbox.shift_up_rpm = 7200.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].x_m = a == 0 ? 1.205 : -1.205;
        def.axles[a].tyre.radius_m = 0.3186;
        def.axles[a].tyre.rolling_coefficient = 0.015;
    }
    return def;
}

double rows_turning_kg(const apex_car_def *def) {
    double sum = 0.0;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        const apex_axle_def *axle = &def->axles[a];
        double wheels = axle->track_width_m > 0.0 ? 2.0 : 1.0;
        sum += wheels * axle->tyre.inertia_kgm2 / (axle->tyre.radius_m * axle->tyre.radius_m);
    }
    return sum;
}

void rows_set_rolling(apex_car_def *def, double ns_per_m, double gravity_mps2) {
    for (uint32_t a = 0; a < def->axle_count; a++) {
        def->axles[a].tyre.rolling_coefficient_s_per_m = ns_per_m / (def->mass_kg * gravity_mps2);
    }
}

void rows_set_drag(apex_car_def *def, double n_per_mps2) {
    def->aero.frontal_area_m2 = 1.0;
    def->aero.drag_coefficient = n_per_mps2 / (0.5 * 1.2);
}

void rows_stiffen(apex_car_def *def) {
    for (uint32_t a = 0; a < def->axle_count; a++) {
        apex_suspension_def *suspension = &def->axles[a].suspension;
        suspension->spring_n_per_m = 400000.0;
        suspension->bump_ns_per_m = 9000.0;
        suspension->rebound_ns_per_m = 9000.0;
        def->axles[a].tyre.vertical_stiffness_n_per_m = 1600000.0;
    }
}

void rows_set_force(apex_car_def *def, double force_n) {
    double radius = def->axles[1].tyre.radius_m;
    def->gearbox.gear_count = 1;
    def->gearbox.ratio[0] = 1.0;
    def->gearbox.final_drive = 1.0;
    def->gearbox.clutch_nm_max = force_n * radius;
    def->engine.torque_count = 1;
    def->engine.torque_rpm[0] = 1000.0;
    def->engine.torque_nm[0] = 1.5 * force_n * radius;
    def->engine.inertia_kgm2 = 1.0;
    def->engine.idle_rpm = 5000.0;
    def->engine.limiter_rpm = 9000.0;
    def->engine.blow_rpm = 0.0;
    def->gearbox.shift_up_rpm = 8000.0;
}

static double rise_x, rise_y;

static double plane(double x_m, double y_m) {
    return rise_x * x_m + rise_y * y_m;
}

scene_ground *rows_slope(double rise_per_x, double rise_per_y) {
    rise_x = rise_per_x;
    rise_y = rise_per_y;
    return scene_ground_create(32.0, plane);
}
