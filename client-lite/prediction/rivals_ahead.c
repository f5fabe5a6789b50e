// Each rival has its place in the joint world for as long as anything of it is shown ahead of time.
#include "client-lite/prediction/rivals_ahead.h"

#include <math.h>
#include <string.h>

#include "client-lite/prediction/wire_state.h"
#include "client-lite/view/pose.h"

// Of a moment that glides, by presentation_clock.c.
static const double GLIDE = 0.1;
// Between the moments of a car that has come back to where it is shown by others' measure.
static const double ARRIVED_TICKS = 0.05;
// Farther off than this a rival is put where it belongs: it was put there.
static const double SNAP_M = 4.0;
static const double SNAP_RAD = 1.0;
// Cars may be drawn so deep in each other: nobody sees it.
static const double OVERLAP_M = 0.02;
// A prediction that is farther off than this knows nothing of the car's tyres.
static const double EXPECTED_M = 2.0;

void client_rivals_begin(client_rivals *self, uint32_t tick_hz, const client_interpolation *seen) {
    memset(self, 0, sizeof *self);
    self->tick_hz = tick_hz;
    self->horizon_ticks = (uint32_t)(CLIENT_RIVAL_HORIZON_S * tick_hz);
    self->seen = seen;
    self->touches.tick_hz = tick_hz;
}

static uint32_t joint_index(const client_rivals *self, const client_rival *rival) {
    return (uint32_t)(rival - self->list) + 1;
}

static client_rival *find(client_rivals *self, uint32_t car) {
    for (uint32_t i = 0; i < CLIENT_NEAR_MAX; i++) {
        if (self->list[i].car == car) {
            return &self->list[i];
        }
    }
    return NULL;
}

static const apex_wire_car *car_in(const client_rivals_news *news, uint32_t car) {
    for (uint32_t i = 0; i < news->count; i++) {
        if (news->cars[i].id == car) {
            return &news->cars[i];
        }
    }
    return NULL;
}

static void leave(client_rivals *self, client_joint *joint, client_rival *rival) {
    client_joint_leave(joint, joint_index(self, rival));
    memset(rival, 0, sizeof *rival);
}

static bool is_expected_there(const apex_client_pose *pose, const apex_wire_car *told) {
    return hypot(pose->position_m[0] - told->x_mm / 1000.0,
                 pose->position_m[1] - told->y_mm / 1000.0) < EXPECTED_M;
}

static void take(client_rivals *self, client_joint *joint, client_rival *rival,
                 const apex_wire_car *told, uint32_t tick) {
    uint32_t index = joint_index(self, rival);
    const client_joint_car *car = &joint->cars[index];
    const client_joint_moment *was = client_joint_past(joint, index, tick);
    if (was != NULL && is_expected_there(&was->pose, told)) {
        client_expected_state expected = {.state = &was->state, .pose = &was->pose};
        client_state_of_wire_near(car->def, told, &expected, &rival->told);
    } else {
        client_state_of_wire(car->def, told, &car->fresh, &rival->told);
    }
    uint32_t ahead = joint->at_tick > tick ? joint->at_tick - tick : 1;
    client_rival_controls_told(&rival->driver, tick, told, self->tick_hz, ahead);
    rival->controls =
        client_rival_controls_now(&rival->driver, car->def, rival->told.steer_rad, told->gear);
    rival->told_tick = tick;
}

static void enter(client_rivals *self, client_joint *joint, const client_rivals_news *news,
                  const apex_wire_car *told) {
    client_rival *rival = find(self, 0);
    const apex_car_def *def = news->def_of(news->context, told->id);
    if (rival == NULL || def == NULL || !client_joint_enter(joint, joint_index(self, rival), def)) {
        return;
    }
    rival->car = told->id;
    take(self, joint, rival, told, news->tick);
}

static void compare(client_rivals *self, const client_joint *joint, const client_rival *rival,
                    const apex_wire_car *told, uint32_t tick) {
    const client_joint_moment *own = client_joint_past(joint, CLIENT_JOINT_OWN, tick);
    if (own != NULL) {
        (void)client_rival_errors_compare(&self->errors, &rival->shown, told, tick,
                                          own->pose.position_m);
    }
}

bool client_rivals_hear(client_rivals *self, client_joint *joint, const client_rivals_news *news) {
    bool has_news = false;
    const client_snapshots *known = news->known;
    client_near_view view = {.own = client_snapshots_find(known, news->own),
                             .cars = known->cars,
                             .count = known->count,
                             .tick = news->tick,
                             .tick_hz = self->tick_hz,
                             .glide_s = self->behind_ticks / (GLIDE * self->tick_hz)};
    client_near_update(&self->near, &view);
    for (uint32_t i = 0; i < CLIENT_NEAR_MAX; i++) {
        client_rival *rival = &self->list[i];
        if (rival->car == 0) {
            continue;
        }
        const apex_wire_car *told = car_in(news, rival->car);
        if (client_snapshots_find(known, rival->car) == NULL) {
            leave(self, joint, rival);
        } else if (told != NULL && news->tick > rival->told_tick) {
            compare(self, joint, rival, told, news->tick);
            take(self, joint, rival, told, news->tick);
            has_news = true;
        }
    }
    for (uint32_t i = 0; i < self->near.count; i++) {
        uint32_t car = self->near.cars[i].car;
        const apex_wire_car *told = car_in(news, car);
        if (told != NULL && find(self, car) == NULL) {
            enter(self, joint, news, told);
            has_news = true;
        }
    }
    return has_news;
}

void client_rivals_put(client_rivals *self, client_joint *joint) {
    for (uint32_t i = 0; i < CLIENT_NEAR_MAX; i++) {
        const client_rival *rival = &self->list[i];
        if (rival->car == 0) {
            continue;
        }
        if (rival->told_tick == joint->at_tick) {
            (void)client_joint_put(joint, i + 1, &rival->told);
        } else if (joint->at_tick == rival->told_tick + self->horizon_ticks) {
            client_joint_fade(joint, i + 1);
        }
    }
}

void client_rivals_drive(const client_rivals *self, apex_controls controls[]) {
    for (uint32_t i = 0; i < CLIENT_NEAR_MAX; i++) {
        controls[i + 1] = self->list[i].controls;
    }
}

// Up to what was told last a rival is where it was told to be; from there on where it is foretold.
static bool pose_at(const client_rivals *self, const client_joint *joint, const client_rival *rival,
                    double tick, apex_client_pose *out) {
    if (tick <= (double)rival->told_tick) {
        return client_interpolation_pose(self->seen, rival->car, tick, out);
    }
    bool is_known = client_joint_pose(joint, joint_index(self, rival), tick, out);
    out->car = rival->car;
    return is_known;
}

void client_rivals_note_poses(client_rivals *self, const client_joint *joint) {
    for (uint32_t i = 0; i < CLIENT_NEAR_MAX; i++) {
        client_rival *rival = &self->list[i];
        rival->was_known = rival->car != 0 && rival->moment.begun &&
                           pose_at(self, joint, rival, rival->moment.tick, &rival->before_pose);
    }
}

static void pass(client_rival *rival, uint64_t now_us) {
    if (now_us > rival->passed_us) {
        client_correction_pass(&rival->correction, (double)(now_us - rival->passed_us) / 1e6);
        rival->passed_us = now_us;
    }
}

void client_rivals_hide_jumps(client_rivals *self, const client_joint *joint, uint64_t now_us) {
    client_correction_limits limits = client_correction_near();
    for (uint32_t i = 0; i < CLIENT_NEAR_MAX; i++) {
        client_rival *rival = &self->list[i];
        apex_client_pose after;
        if (rival->car == 0 || !rival->was_known ||
            !pose_at(self, joint, rival, rival->moment.tick, &after)) {
            continue;
        }
        client_offset jump = client_offset_between(&rival->before_pose, &after);
        pass(rival, now_us);
        if (client_offset_m(&jump) > SNAP_M || client_offset_rad(&jump) > SNAP_RAD) {
            rival->correction = (client_correction){0};
        } else {
            client_correction_add(&rival->correction, &jump, &limits);
        }
    }
}

static void feel(client_rivals *self, const client_joint *joint, double own_tick) {
    uint32_t shown = own_tick > 0.0 ? (uint32_t)own_tick : 0;
    client_touches_begin_frame(&self->touches);
    uint32_t from = shown - self->felt_tick < CLIENT_JOINT_TICKS ? self->felt_tick + 1 : shown;
    for (uint32_t tick = from; tick <= shown; tick++) {
        const client_joint_touches *touches = client_joint_touches_at(joint, tick);
        for (uint32_t i = 0; touches != NULL && i < touches->count; i++) {
            const client_joint_touch *touch = &touches->list[i];
            apex_client_touch felt = {.car = self->list[touch->rival - 1].car,
                                      .tick = tick,
                                      .impulse_ns = touch->impulse_ns,
                                      .closing_mps = touch->closing_mps};
            memcpy(felt.point_m, touch->point_m, sizeof felt.point_m);
            client_touches_feel(&self->touches, &felt);
        }
    }
    self->felt_tick = shown > self->felt_tick || from == shown ? shown : self->felt_tick;
}

static void draw(client_rivals *self, const client_joint *joint, uint32_t index,
                 const apex_client_pose *pose) {
    self->drawn[index] = client_footprint_of(&joint->cars[index].def->hull, pose);
    self->is_drawn[index] = true;
}

void client_rivals_begin_frame(client_rivals *self, const client_joint *joint, double own_tick,
                               const apex_client_pose *own) {
    feel(self, joint, own_tick);
    memset(self->is_drawn, 0, sizeof self->is_drawn);
    draw(self, joint, CLIENT_JOINT_OWN, own);
}

// Offsets that hide corrections may draw two cars into each other that are not: the later one is
// moved out. Where they are in each other in the world, which contacts allow for a moment, they are
// drawn so.
static void part(client_rivals *self, const client_joint *joint, uint32_t index,
                 const apex_client_pose *unshifted, apex_client_pose *pose) {
    double normal[2];
    for (uint32_t i = 0; i < CLIENT_JOINT_CARS; i++) {
        if (!self->is_drawn[i] || i == index) {
            continue;
        }
        const apex_hull_def *hull = &joint->cars[index].def->hull;
        client_footprint true_one, true_other = client_footprint_of(hull, unshifted);
        client_footprint drawn = client_footprint_of(hull, pose);
        apex_client_pose there;
        double drawn_m = client_footprint_overlap_m(&self->drawn[i], &drawn, normal);
        if (drawn_m <= OVERLAP_M || !client_joint_pose(joint, i, unshifted->tick, &there)) {
            continue;
        }
        true_one = client_footprint_of(&joint->cars[i].def->hull, &there);
        double true_normal[2];
        double true_m = client_footprint_overlap_m(&true_one, &true_other, true_normal);
        double out_m = drawn_m - fmax(true_m, OVERLAP_M);
        for (int axis = 0; axis < 2 && out_m > 0.0; axis++) {
            pose->position_m[axis] += out_m * normal[axis];
        }
    }
}

// @return the moment that is wanted of a rival.
static double wanted_tick(const client_rivals *self, const client_rival *rival,
                          const client_rivals_frame *frame, double past_tick, bool *is_late) {
    double newest = (double)rival->told_tick + self->horizon_ticks;
    bool is_ahead = frame->own_tick > 0.0 && client_near_has(&self->near, rival->car);
    *is_late = is_ahead && frame->own_tick > newest;
    return is_ahead ? fmin(frame->own_tick, newest) : past_tick;
}

// Shown as it was, a rival begins there; it was shown off by what hid a correction.
static void begin_moment(client_rivals *self, const client_joint *joint, client_rival *rival,
                         const client_rivals_frame *frame, const apex_client_pose *past) {
    client_correction_limits limits = client_correction_near();
    apex_client_pose raw;
    rival->moment = (client_moment){.begun = true, .tick = past->tick, .at_us = frame->now_us};
    rival->passed_us = frame->now_us;
    if (pose_at(self, joint, rival, past->tick, &raw)) {
        client_offset jump = client_offset_between(past, &raw);
        client_correction_add(&rival->correction, &jump, &limits);
    }
}

// Moments go by evenly, and what is told comes in intervals: so much farther a rival goes on before
// he stands.
static double end_tick(const client_rivals *self, const client_rival *rival) {
    const double INTERVAL_S = 0.05;
    return (double)rival->told_tick + self->horizon_ticks + INTERVAL_S * self->tick_hz;
}

bool client_rivals_show(client_rivals *self, client_joint *joint, const client_rivals_frame *frame,
                        apex_client_pose *pose) {
    self->behind_ticks = frame->own_tick > pose->tick ? frame->own_tick - pose->tick : 0.0;
    client_rival *rival = find(self, pose->car);
    if (rival == NULL) {
        return false;
    }
    if (!rival->moment.begun) {
        begin_moment(self, joint, rival, frame, pose);
    }
    bool is_late;
    double wanted = wanted_tick(self, rival, frame, pose->tick, &is_late);
    double tick = client_moment_follow(&rival->moment, wanted, frame->ticks_per_s, frame->now_us);
    bool stands = tick >= end_tick(self, rival);
    if (stands) {
        tick = rival->moment.tick = end_tick(self, rival);
    }
    apex_client_pose ahead;
    bool has_fallen_back =
        !client_near_has(&self->near, rival->car) && fabs(tick - pose->tick) < ARRIVED_TICKS;
    if (has_fallen_back || !pose_at(self, joint, rival, tick, &ahead)) {
        leave(self, joint, rival);
        return true;
    }
    pass(rival, frame->now_us);
    client_offset offset = client_correction_offset(&rival->correction);
    *pose = ahead;
    pose->stale = stands;
    client_pose_shift(pose, &offset);
    part(self, joint, joint_index(self, rival), &ahead, pose);
    draw(self, joint, joint_index(self, rival), pose);
    client_shown_track_add(&rival->shown, frame->own_tick, pose);
    client_rival_errors_note(&self->errors, (tick - (double)rival->told_tick) / self->tick_hz,
                             client_correction_mps(&rival->correction), is_late);
    return true;
}
