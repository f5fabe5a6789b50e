// The exported functions, and the one page that they are called for: each instance of the module
// has memory of its own, so the instance that JavaScript holds is the page's handle.
#include "client-lite/wasm/exports.h"

#include "client-lite/wasm/page.h"

// Nothing else in this room is static: all that is not a constant is reached by a parameter.
static page_instance the_page;

uint8_t *export_input(uint32_t bytes) {
    return page_input(&the_page, bytes);
}

int export_begin(uint32_t input_length, uint32_t port, uint32_t wishes) {
    return page_begin(&the_page, input_length, port, wishes);
}

void export_link_opened(double now_us) {
    page_link_opened(&the_page, now_us);
}

void export_link_closed(double now_us) {
    page_link_closed(&the_page, now_us);
}

void export_link_received(uint32_t length, double now_us) {
    page_link_received(&the_page, length, now_us);
}

void export_was_deaf(double now_us) {
    page_was_deaf(&the_page, now_us);
}

void export_update(double now_us) {
    page_update(&the_page, now_us);
}

void export_leave(double now_us) {
    page_leave(&the_page, now_us);
}

double export_next_try(void) {
    return page_next_try(&the_page);
}

void export_try_now(double now_us) {
    page_try_now(&the_page, now_us);
}

int export_state(void) {
    return (int)apex_client_state_of(the_page.client);
}

uint32_t export_lay_ground(uint32_t length) {
    return page_lay_ground(&the_page, length);
}

const uint8_t *export_laid_bytes(void) {
    return the_page.laid.bytes;
}

uint32_t export_track_def(void) {
    return page_track_def(&the_page);
}

uint32_t export_awaits_ground(void) {
    return page_awaits_ground(&the_page);
}

uint8_t *export_ground_room(uint32_t bytes) {
    return page_ground_room(&the_page, bytes);
}

void export_take_ground(uint32_t length, double now_us) {
    page_take_ground(&the_page, length, now_us);
}

const uint32_t *export_news(void) {
    return the_page.news;
}

uint32_t export_text(uint32_t subject) {
    return page_text(&the_page, subject);
}

const char *export_text_bytes(void) {
    return the_page.json.text.bytes;
}

const double *export_stats(void) {
    return page_stats(&the_page);
}

uint32_t export_poses(double now_us) {
    return page_poses(&the_page, now_us);
}

const double *export_pose_rows(void) {
    return the_page.rows;
}

uint32_t export_told_poses(double now_us) {
    return page_told_poses(&the_page, now_us);
}

uint32_t export_touches(void) {
    return page_touches(&the_page);
}

const double *export_touch_rows(void) {
    return the_page.touches;
}

uint32_t export_car_shape(uint32_t name_length) {
    return page_car_shape(&the_page, name_length);
}

uint32_t export_outline(void) {
    return page_outline(&the_page);
}

void export_outline_done(void) {
    page_outline_done(&the_page);
}

double *export_controls(void) {
    return the_page.controls;
}

void export_set_controls(void) {
    page_set_controls(&the_page);
}

void export_focus(uint32_t car) {
    apex_client_focus(the_page.client, car);
}

void export_play(uint32_t play, uint32_t speed_permille, uint32_t seek) {
    page_play(&the_page, play, speed_permille, seek);
}
