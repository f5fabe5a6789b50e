// Cars as numbers, once a frame: rows that JavaScript reads in place.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/wasm/page.h"
#include "defs/defs.h"

static void write_row(double row[PAGE_POSE_FIELDS], const apex_client_pose *pose) {
    const double values[PAGE_POSE_FIELDS] = {
        [PAGE_POSE_CAR] = (double)pose->car,
        [PAGE_POSE_X] = pose->position_m[0],
        [PAGE_POSE_Y] = pose->position_m[1],
        [PAGE_POSE_Z] = pose->position_m[2],
        [PAGE_POSE_YAW] = pose->yaw_rad,
        [PAGE_POSE_PITCH] = pose->pitch_rad,
        [PAGE_POSE_ROLL] = pose->roll_rad,
        [PAGE_POSE_VX] = pose->velocity_mps[0],
        [PAGE_POSE_VY] = pose->velocity_mps[1],
        [PAGE_POSE_VZ] = pose->velocity_mps[2],
        [PAGE_POSE_YAW_RATE] = pose->yaw_rate_radps,
        [PAGE_POSE_STEER] = pose->steer_rad,
        [PAGE_POSE_RPM] = pose->rpm,
        [PAGE_POSE_GEAR] = (double)pose->gear,
        [PAGE_POSE_THROTTLE] = (double)pose->throttle / 255.0,
        [PAGE_POSE_BRAKE] = (double)pose->brake / 255.0,
        [PAGE_POSE_FLAGS] = (double)pose->flags,
        [PAGE_POSE_DAMAGE] = (double)pose->damage / 255.0,
        [PAGE_POSE_TICK] = pose->tick,
        [PAGE_POSE_STALE] = pose->stale ? 1.0 : 0.0,
    };
    memcpy(row, values, sizeof values);
}

static bool has_room(page_instance *page, size_t count) {
    if (count <= page->pose_capacity) {
        return true;
    }
    size_t capacity = count + count / 2;
    apex_client_pose *poses = realloc(page->poses, capacity * sizeof *poses);
    page->poses = poses != NULL ? poses : page->poses;
    double *rows = realloc(page->rows, capacity * PAGE_POSE_FIELDS * sizeof *rows);
    page->rows = rows != NULL ? rows : page->rows;
    page->pose_capacity = poses != NULL && rows != NULL ? capacity : page->pose_capacity;
    return poses != NULL && rows != NULL;
}

// apex_client_ahead or apex_client_shown.
typedef size_t look_at_cars(apex_client *client, uint64_t now_us, apex_client_pose out[],
                            size_t capacity);

static uint32_t write_rows(page_instance *page, look_at_cars *look, double now_us) {
    // The own car is foretold before a snapshot has it.
    size_t wanted = apex_client_newest(page->client).car_count + 1;
    size_t capacity = has_room(page, wanted) ? page->pose_capacity : 0;
    uint64_t at_us = now_us > 0.0 ? (uint64_t)now_us : 0;
    size_t count = look(page->client, at_us, page->poses, capacity);
    for (size_t i = 0; i < count; i++) {
        write_row(&page->rows[i * PAGE_POSE_FIELDS], &page->poses[i]);
    }
    return (uint32_t)count;
}

uint32_t page_poses(page_instance *page, double now_us) {
    return write_rows(page, apex_client_ahead, now_us);
}

uint32_t page_told_poses(page_instance *page, double now_us) {
    return write_rows(page, apex_client_shown, now_us);
}

uint32_t page_touches(page_instance *page) {
    size_t count;
    const apex_client_touch *touches = apex_client_touches(page->client, &count);
    count = count < PAGE_TOUCHES_MAX ? count : PAGE_TOUCHES_MAX;
    for (size_t i = 0; i < count; i++) {
        double *row = &page->touches[i * PAGE_TOUCH_FIELDS];
        row[PAGE_TOUCH_CAR] = (double)touches[i].car;
        row[PAGE_TOUCH_TICK] = (double)touches[i].tick;
        row[PAGE_TOUCH_IMPULSE_NS] = touches[i].impulse_ns;
        row[PAGE_TOUCH_X] = touches[i].point_m[0];
        row[PAGE_TOUCH_Y] = touches[i].point_m[1];
    }
    return (uint32_t)count;
}

static void write_wheel(apex_json_writer *json, const apex_axle_def *axle, double y_m) {
    apex_json_open(json, NULL, '{');
    apex_json_number(json, "x", axle->x_m, 9);
    apex_json_number(json, "y", y_m, 9);
    apex_json_number(json, "radiusM", axle->tyre.radius_m, 9);
    apex_json_number(json, "widthM", axle->tyre.width_m, 9);
    apex_json_close(json);
}

static void write_shape(apex_json_writer *json, const apex_car_def *car) {
    apex_json_open(json, NULL, '{');
    apex_json_text(json, "name", car->name);
    apex_json_text(json, "title", car->title);
    apex_json_number(json, "lengthM", car->hull.length_m, 9);
    apex_json_number(json, "widthM", car->hull.width_m, 9);
    apex_json_number(json, "centreXM", car->hull.centre_x_m, 9);
    apex_json_open(json, "wheels", '[');
    for (uint32_t i = 0; i < car->axle_count; i++) {
        const apex_axle_def *axle = &car->axles[i];
        write_wheel(json, axle, 0.5 * axle->track_width_m);
        if (axle->track_width_m > 0.0) {
            write_wheel(json, axle, -0.5 * axle->track_width_m);
        }
    }
    apex_json_close(json);
    apex_json_number(json, "rpmMax", car->engine.limiter_rpm, 9);
    apex_json_number(json, "steerRadMax", car->steering.angle_rad_max, 9);
    apex_json_close(json);
}

uint32_t page_car_shape(page_instance *page, uint32_t name_length) {
    const char *name = page_input_text(page, name_length);
    size_t length;
    const uint8_t *bytes =
        name != NULL ? apex_client_def_bytes(page->client, APEX_DEF_CAR, name, &length, NULL)
                     : NULL;
    apex_car_def car;
    apex_def_problem problem;
    if (bytes == NULL || !apex_car_def_decode(bytes, length, &car, &problem)) {
        return 0;
    }
    apex_json_restart(&page->json);
    write_shape(&page->json, &car);
    return page->json.text.is_cut ? 0 : (uint32_t)page->json.text.length;
}

// @return the nearest whole number within the limits; the lower limit for what is no number.
static int whole_between(double value, int low, int high) {
    return value >= high ? high : value > low ? (int)lround(value) : low;
}

static uint8_t level_of(const page_instance *page, page_control control) {
    return (uint8_t)whole_between(255.0 * page->controls[control], 0, 255);
}

// Counters wrap as they do on the wire.
static uint8_t bits_of(const page_instance *page, page_control control) {
    return (uint8_t)(whole_between(page->controls[control], 0, INT32_MAX) & 255);
}

void page_set_controls(page_instance *page) {
    double steer = isnan(page->controls[PAGE_STEER]) ? 0.0 : page->controls[PAGE_STEER];
    apex_client_set_controls(page->client,
                             &(apex_control_sample){
                                 .steer = (int16_t)whole_between(32767.0 * steer, -32767, 32767),
                                 .throttle = level_of(page, PAGE_THROTTLE),
                                 .brake = level_of(page, PAGE_BRAKE),
                                 .clutch = level_of(page, PAGE_CLUTCH),
                                 .handbrake = level_of(page, PAGE_HANDBRAKE),
                                 .gear = (int8_t)whole_between(page->controls[PAGE_GEAR], -1, 127),
                                 .shift_up = bits_of(page, PAGE_SHIFT_UP),
                                 .shift_down = bits_of(page, PAGE_SHIFT_DOWN),
                                 .reset = bits_of(page, PAGE_RESET),
                                 .aids_off = bits_of(page, PAGE_AIDS_OFF),
                             });
}

void page_play(page_instance *page, uint32_t play, uint32_t speed_permille, uint32_t seek) {
    apex_play_wish wish = play <= APEX_PLAY_PAUSE ? (apex_play_wish)play : APEX_PLAY_KEEP;
    apex_client_play(
        page->client,
        &(apex_playback_wish){.play = wish, .speed_permille = speed_permille, .seek = seek});
}
