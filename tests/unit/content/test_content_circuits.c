// Surveyed circuits: each is imported, written, read back, and lapped.

#include "content/content.h"
#include "driver/driver.h"
#include "support/base/check_main.h"
#include "support/driver/driver_view.h"
#include "support/track/surveyed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct circuit {
    const char *name;
    double length_m; // of the polyline through its points, to the metre
    uint32_t bridges;
    double lap_s; // the first, by a good driver in a sports car
} circuit;

// The sanitizers import the first and the one with a bridge, and lap the shortest.
static const circuit circuits[] = {
    {"Norisring", 2296, 0, 77.4}, {"Suzuka", 5803, 1, 179.3},       {"Monza", 5790, 0, 160.7},
    {"Spa", 7000, 0, 206.0},      {"Oschersleben", 3692, 0, 129.9}, {"Silverstone", 5886, 0, 176.2},
};

enum { CIRCUITS = sizeof circuits / sizeof circuits[0], HZ = 60, LAP_S_MAX = 300 };

// At the limit, where these roads brake into a bend.
static const double SKILL = 1.0;
static const double LAP_SHARE = 0.03; // a lap is so near to its time

static apex_circuit import_one(const circuit *sample) {
    static apex_circuit imported;
    char path[SURVEYED_PATH_BYTES];
    apex_content_problem problem = {{0}};
    surveyed_path(sample->name, path);
    memset(&imported, 0, sizeof imported);
    apex_err err = apex_content_import_circuit(path, &imported, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    return imported;
}

// The track as a server would load it: from the file that the importer writes.
static apex_track_def write_and_read(const apex_circuit *imported) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(apex_content_write_circuit(imported, "a/table.csv", out), APEX_OK);
    fclose(out);
    apex_track_def def;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_parse_track(text, length, "written", &def, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    free(text);
    return def;
}

// @return the track as it is read back
static apex_track_def import_and_read(const circuit *sample) {
    apex_circuit imported = import_one(sample);
    // A smooth curve is a little longer than the polyline.
    ck_assert_double_ge(imported.length_m, sample->length_m - 1);
    ck_assert_double_le(imported.length_m, sample->length_m + 4);
    ck_assert_uint_eq(imported.bridge_count, sample->bridges);
    ck_assert_uint_eq(imported.eased_count, 0);
    ck_assert_uint_ge(imported.kerb_count, 10);
    ck_assert_uint_ge(imported.trap_count, 2);
    apex_track_def read = write_and_read(&imported);
    ck_assert_uint_eq(read.point_count, imported.def.point_count);
    ck_assert_mem_eq(read.points, imported.def.points, read.point_count * sizeof *read.points);
    ck_assert_mem_eq(read.strips, imported.def.strips, sizeof read.strips);
    ck_assert_mem_eq(read.walls, imported.def.walls, sizeof read.walls);
    apex_track_def_free(&imported.def);
    return read;
}

typedef struct outing {
    apex_track *track;
    apex_driver_plan *plan;
    apex_world *world;
    apex_car_id id;
    apex_driver driver;
    double lap_s;
    double off_s_max;
} outing;

static void set_out(outing *out, const apex_track_def *def, const apex_car_def *car) {
    memset(out, 0, sizeof *out);
    ck_assert_int_eq(apex_track_create(def, &out->track, NULL), APEX_OK);
    ck_assert_int_eq(apex_driver_plan_create(out->track, car, 9.81, &out->plan), APEX_OK);
    apex_world_def world_def = apex_default_world_def();
    world_def.car_capacity = 1;
    world_def.tick_hz = HZ;
    ck_assert_int_eq(apex_world_create(&world_def, apex_track_ground(out->track),
                                       apex_track_walls(out->track), &out->world),
                     APEX_OK);
    apex_car_type type;
    ck_assert_int_eq(apex_world_add_type(out->world, car, &type), APEX_OK);
    apex_placement at = apex_track_grid_placement(out->track, 0);
    ck_assert_int_eq(apex_world_add_car(out->world, type, &at, &out->id), APEX_OK);
    out->driver = apex_driver_create(SKILL, 0.0);
}

static void come_home(outing *out) {
    apex_world_destroy(out->world);
    apex_driver_plan_destroy(out->plan);
    apex_track_destroy(out->track);
}

static apex_car_pose step(outing *out) {
    apex_car_pose pose;
    ck_assert(apex_world_pose(out->world, out->id, &pose));
    apex_driver_view view = driver_view_alone(&pose, 1.0 / HZ);
    apex_controls controls = apex_driver_drive(&out->driver, out->plan, &view);
    apex_world_step(out->world, &controls, NULL);
    return pose;
}

// From a standing start to the line, and once round.
static void drive_lap(outing *out) {
    double length_m = apex_track_length_m(out->track);
    double before_m = length_m;
    double off_s = 0;
    int crossings = 0;
    double since_s = 0;
    for (int i = 0; i < HZ * LAP_S_MAX && crossings < 2; i++) {
        apex_car_pose pose = step(out);
        off_s = pose.wheels_on_road == 0 ? off_s + 1.0 / HZ : 0;
        out->off_s_max = fmax(out->off_s_max, off_s);
        since_s += 1.0 / HZ;
        if (before_m > 0.9 * length_m && out->driver.s_m < 0.1 * length_m) {
            crossings++;
            out->lap_s = since_s;
            since_s = 0;
        }
        before_m = out->driver.s_m;
    }
    ck_assert_msg(crossings == 2, "no lap: %.0f m from the line after %d s", out->driver.s_m,
                  LAP_S_MAX);
}

static void lap_it(const circuit *sample, const apex_track_def *def) {
    static apex_car_def car; // borrowed by the plan
    apex_content_problem problem = {{0}};
    ck_assert_int_eq(apex_content_load_car("boxster-s", NULL, &car, &problem), APEX_OK);
    outing out;
    set_out(&out, def, &car);
    drive_lap(&out);
    ck_assert_uint_eq(out.driver.resets, 0);
    ck_assert_double_le(out.off_s_max, 0.3);
    ck_assert_msg(fabs(out.lap_s / sample->lap_s - 1.0) <= LAP_SHARE, "%s in %.1f s", sample->name,
                  out.lap_s);
    come_home(&out);
}

NEEDS(surveyed_are_here)

TEST_OVER(a_surveyed_circuit_is_imported_and_lapped, 0, check_is_whole() ? CIRCUITS : 2) {
    apex_track_def def = import_and_read(&circuits[_i]);
    if (_i < check_cases(CIRCUITS)) {
        lap_it(&circuits[_i], &def);
    }
    apex_track_def_free(&def);
}
