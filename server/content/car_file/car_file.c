/// Car files: `tyre`, `suspension`, `brake` and `differential` may stand at the top for all axles,
/// which take them over and change what they name themselves.
#include "content/car_file/car_file.h"

#include <string.h>

#include "content/car_file/car_draft.h"
#include "content/car_file/car_tables.h"
#include "content/document/nodes.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"

/// The default car with the axle that others start from: its front axle, neither steered nor
/// driven.
static content_car_file default_file(void) {
    content_car_file file = {.car = apex_default_car_def()};
    file.axle = file.car.axles[0];
    file.axle.steer_share = 0;
    file.axle.drive_share = 0;
    file.aero = (content_aero){.def = file.car.aero, .air_density_kg_per_m3 = 1.2};
    return file;
}

/// A car is nearly a box of its hull's size whose heavy parts lie inside: the BMW 320i of the
/// CommonRoad models (1093 kg, 1792 kgm2 in yaw) has 0.93 of an even box's inertia in yaw, sports
/// cars with the engine between the axles less.
static void guess_inertia(content_reader *reader, apex_car_def *car) {
    const apex_hull_def *hull = &car->hull;
    double twelfth = car->mass_kg / 12.0;
    double length2 = hull->length_m * hull->length_m;
    double width2 = hull->width_m * hull->width_m;
    double height2 = hull->height_m * hull->height_m;
    if (content_find(reader, reader->root, "inertia_roll_kgm2") == NULL) {
        car->inertia_roll_kgm2 = 0.65 * twelfth * (width2 + height2);
    }
    if (content_find(reader, reader->root, "inertia_pitch_kgm2") == NULL) {
        car->inertia_pitch_kgm2 = 0.9 * twelfth * (length2 + height2);
    }
    if (content_find(reader, reader->root, "inertia_yaw_kgm2") == NULL) {
        car->inertia_yaw_kgm2 = 0.9 * twelfth * (length2 + width2);
    }
}

/// The constant that Monster's "Car Physics for Games" makes of coefficient, area and density.
static bool take_drag(content_reader *reader, content_car_file *file) {
    static const char *const others[] = {"drag_coefficient", "frontal_area_m2"};
    file->car.aero = file->aero.def;
    if (file->aero.drag_n_per_mps2 <= 0) {
        return true;
    }
    const yaml_node_t *aero = content_find(reader, reader->root, "aero");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (content_find(reader, aero, others[i]) != NULL) {
            return content_fail(reader, content_locate(reader, "aero.drag_n_per_mps2"),
                                APEX_ERR_RANGE,
                                "aero.drag_n_per_mps2: there is %s already; drag is given either "
                                "by coefficient and area or by this",
                                others[i]);
        }
    }
    file->car.aero.drag_coefficient = 1;
    file->car.aero.frontal_area_m2 =
        file->aero.drag_n_per_mps2 / (0.5 * file->aero.air_density_kg_per_m3);
    return true;
}

static bool check_published(content_reader *reader, const apex_car_published *published) {
    bool has_figure = published->top_speed_kmph > 0 || published->zero_to_100_s > 0 ||
                      published->zero_to_60mph_s > 0 || published->braking_100_0_m > 0 ||
                      published->braking_60mph_0_m > 0 || published->skidpad_g > 0;
    if (!has_figure || published->source[0] != '\0') {
        return true;
    }
    return content_fail(reader, content_locate(reader, "published"), APEX_ERR_PARSE,
                        "published.source: missing (who says so)");
}

bool content_read_car(content_reader *reader, apex_car_def *out, apex_car_published *published) {
    content_car_file file = default_file();
    memset(file.car.title, 0, sizeof file.car.title);
    memset(file.car.axles, 0, sizeof file.car.axles);
    if (!content_read_map(reader, reader->root, &content_car_table, &file)) {
        return false;
    }
    if (file.car.title[0] == '\0') {
        memcpy(file.car.title, file.car.name, sizeof file.car.name);
    }
    if (!take_drag(reader, &file) || !check_published(reader, &file.published)) {
        return false;
    }
    guess_inertia(reader, &file.car);
    apex_def_problem problem = {0};
    if (!apex_car_def_check(&file.car, &problem)) {
        return content_fail(reader, content_locate(reader, problem.field), APEX_ERR_RANGE, "%s: %s",
                            problem.field, problem.reason);
    }
    if (out != NULL) {
        *out = file.car;
    }
    if (published != NULL) {
        *published = file.published;
    }
    return true;
}

void content_write_car(FILE *out) {
    content_writer writer = {.out = out, .kind = "car"};
    content_car_file file = default_file();
    fputs("# A car. Angles are in degrees, all else in SI units; x is ahead of and z above the\n"
          "# centre of mass. A key that is left out has the value that stands here.\n",
          out);
    content_write_map(&writer, &content_car_table, &file, NULL);
}
