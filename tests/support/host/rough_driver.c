// His wishes are those of a bot that sees nobody (driver/driver.h); his hands and feet are coarse.
#include "support/host/rough_driver.h"

#include <math.h>

#include "base/assert.h"
#include "client-lite/pilot/pilot.h"
#include "support/host/shared_content.h"

enum { KINDS = 8 };

static const double SKILL = 0.6, LANE_M = 1.0;
static const uint64_t LEAST_LATE_US = 70000, MOST_LATE_US = 200000, DRIVE_US = 15000;
// Shares of full lock: what a bend takes, and what a slide does.
static const double SMALL_STEP = 0.05, LARGE_STEP = 0.2;
static const uint8_t THROTTLE_FROM = 100, BRAKE_FROM = 60;

rough_driver rough_driver_create(const apex_client *client, uint32_t number) {
    const char *problem = NULL;
    const apex_driver_plan *plan = client_plans_for(shared_content_plans(), client, NULL, &problem);
    APEX_ASSERT(plan != NULL);
    uint32_t kind = number % KINDS;
    return (rough_driver){.driver = apex_driver_create(SKILL, kind % 2 == 0 ? LANE_M : -LANE_M),
                          .plan = plan,
                          .late_us =
                              LEAST_LATE_US + kind * (MOST_LATE_US - LEAST_LATE_US) / (KINDS - 1)};
}

static int16_t in_steps(int16_t steer) {
    double wish = fabs((double)steer) / APEX_STEER_MAX;
    double step = wish < 0.5 * SMALL_STEP                  ? 0.0
                  : wish < 0.5 * (SMALL_STEP + LARGE_STEP) ? SMALL_STEP
                                                           : LARGE_STEP;
    return (int16_t)copysign(APEX_STEER_MAX * step, steer);
}

static uint8_t whole(uint8_t pedal, uint8_t from) {
    return pedal >= from ? 255 : 0;
}

// He knows how late he is: where his own car will be, going on as it goes.
static apex_client_pose after(const apex_client_pose *own, double late_s) {
    apex_client_pose then = *own;
    double turns_rad = own->yaw_rate_radps * late_s;
    double c = cos(turns_rad), s = sin(turns_rad);
    double c_half = cos(0.5 * turns_rad), s_half = sin(0.5 * turns_rad);
    const double *v = own->velocity_mps;
    then.position_m[0] += late_s * (v[0] * c_half - v[1] * s_half);
    then.position_m[1] += late_s * (v[1] * c_half + v[0] * s_half);
    then.velocity_mps[0] = v[0] * c - v[1] * s;
    then.velocity_mps[1] = v[1] * c + v[0] * s;
    then.yaw_rad += turns_rad;
    return then;
}

static apex_control_sample wish_of(rough_driver *self, const apex_client *client,
                                   const apex_client_pose *own, uint64_t now_us) {
    double tick_hz = (double)apex_client_welcome(client)->tick_hz;
    double tick = apex_client_controls_tick(client, now_us);
    apex_client_pose then = after(own, (double)self->late_us / 1e6);
    apex_driver_view view = client_pilot_view_ahead(&then, 1, tick_hz);
    view.dt_s = self->drove_tick > 0.0 ? fmax(tick - self->drove_tick, 0.0) / tick_hz : 0.0;
    view.may_go = apex_client_newest(client).phase == APEX_WIRE_PHASE_RACE;
    self->drove_tick = tick;
    apex_controls wish = apex_driver_drive(&self->driver, self->plan, &view);
    return (apex_control_sample){.steer = in_steps(wish.steer),
                                 .throttle = whole(wish.throttle, THROTTLE_FROM),
                                 .brake = whole(wish.brake, BRAKE_FROM),
                                 .clutch = wish.clutch,
                                 .gear = wish.gear,
                                 .shift_up = wish.shift_up_count,
                                 .shift_down = wish.shift_down_count,
                                 .reset = wish.reset_count};
}

void rough_driver_drive(rough_driver *self, apex_client *client, uint64_t now_us) {
    apex_client_pose own;
    bool is_driving = apex_client_state_of(client) == APEX_CLIENT_DRIVING;
    if (is_driving && now_us - self->drove_us >= DRIVE_US &&
        apex_client_predicted(client, now_us, &own)) {
        self->drove_us = now_us;
        APEX_ASSERT(self->end - self->first < ROUGH_DRIVER_WISHES);
        self->wishes[self->end++ % ROUGH_DRIVER_WISHES] = (rough_wish){
            .due_us = now_us + self->late_us, .sample = wish_of(self, client, &own, now_us)};
    }
    for (; self->first < self->end; self->first++) {
        const rough_wish *wish = &self->wishes[self->first % ROUGH_DRIVER_WISHES];
        if (wish->due_us > now_us) {
            return;
        }
        apex_client_set_controls(client, &wish->sample);
    }
}
