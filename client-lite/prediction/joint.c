// Cars of a small world and their pasts.
#include "client-lite/prediction/joint.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"
#include "client-lite/prediction/world_def.h"
#include "client-lite/view/pose.h"

// The rules tell of touches from this impulse on.
static const double TOUCH_NS = 100.0;
// So many ticks beyond the newest a pose is carried on.
static const double BEYOND_TICKS = 1.0;

static bool renew(client_joint *joint, client_joint_car *car) {
    apex_placement anywhere = {0};
    apex_world_remove_car(joint->world, car->id);
    return apex_world_add_car(joint->world, car->type, &anywhere, &car->id) == APEX_OK;
}

static bool find_type(client_joint *joint, const apex_car_def *def, apex_car_type *out) {
    for (uint32_t i = 0; i < joint->type_count; i++) {
        if (joint->types[i] == def) {
            *out = (apex_car_type){(uint16_t)(i + 1)};
            return true;
        }
    }
    if (joint->type_count == APEX_WIRE_DEFS_MAX ||
        apex_world_add_type(joint->world, def, out) != APEX_OK) {
        return false;
    }
    APEX_ASSERT(out->index1 == joint->type_count + 1);
    joint->types[joint->type_count++] = def;
    return true;
}

static void forget(client_joint_car *car) {
    for (uint32_t i = 0; i < CLIENT_JOINT_TICKS; i++) {
        car->past[i].tick = 0;
    }
}

static void park(client_joint *joint, client_joint_car *car) {
    car->is_parked = true;
    apex_world_ghost_car(joint->world, car->id, true);
    apex_world_hold_car(joint->world, car->id, true);
}

bool client_joint_enter(client_joint *joint, uint32_t index, const apex_car_def *def) {
    APEX_ASSERT(index < CLIENT_JOINT_CARS && !joint->cars[index].is_in);
    client_joint_car *car = &joint->cars[index];
    if (car->past == NULL) {
        car->past = calloc(CLIENT_JOINT_TICKS, sizeof *car->past);
    }
    if (car->past == NULL || !find_type(joint, def, &car->type)) {
        return false;
    }
    car->def = def;
    if (!renew(joint, car)) {
        return false;
    }
    apex_world_get_car(joint->world, car->id, &car->fresh);
    car->is_in = true;
    forget(car);
    park(joint, car);
    return true;
}

void client_joint_leave(client_joint *joint, uint32_t index) {
    client_joint_car *car = &joint->cars[index];
    apex_world_remove_car(joint->world, car->id);
    car->id = (apex_car_id){0};
    car->is_in = false;
}

bool client_joint_create(const client_joint_def *def, client_joint *out) {
    *out = (client_joint){0};
    apex_world_def world = client_world_def(&def->rules, def->tick_hz);
    if (def->has_rivals) {
        world.car_capacity = CLIENT_JOINT_CARS;
        world.type_capacity = APEX_WIRE_DEFS_MAX;
    }
    if (apex_world_create(&world, def->ground, def->walls, &out->world) != APEX_OK ||
        !client_joint_enter(out, CLIENT_JOINT_OWN, def->own)) {
        client_joint_destroy(out);
        return false;
    }
    return true;
}

void client_joint_destroy(client_joint *joint) {
    apex_world_destroy(joint->world);
    for (uint32_t i = 0; i < CLIENT_JOINT_CARS; i++) {
        free(joint->cars[i].past);
    }
    *joint = (client_joint){0};
}

static uint8_t flags_of(const apex_car_pose *pose) {
    return apex_car_flags((apex_car_condition){.airborne = pose->airborne,
                                               .held = pose->held,
                                               .ghost = pose->ghost,
                                               .engine_blown = pose->engine_blown,
                                               .off_road = pose->wheels_on_road == 0});
}

static apex_client_pose pose_of(const apex_car_pose *at, uint32_t tick) {
    apex_client_pose pose = {
        .tick = (double)tick,
        .yaw_rad = at->yaw_rad,
        .pitch_rad = at->pitch_rad,
        .roll_rad = at->roll_rad,
        .yaw_rate_radps = at->angular_radps[2],
        .steer_rad = at->steer_rad,
        .rpm = at->engine_radps * APEX_RPM_PER_RADPS,
        .gear = at->gear,
        .throttle = (uint8_t)(at->throttle * 255.0 + 0.5),
        .brake = (uint8_t)(at->brake * 255.0 + 0.5),
        .flags = flags_of(at),
        .damage = (uint8_t)(at->damage * 255.0 + 0.5),
        .damage_zones = apex_car_zones(at->zone_damage),
    };
    memcpy(pose.position_m, at->position_m, sizeof pose.position_m);
    memcpy(pose.velocity_mps, at->velocity_mps, sizeof pose.velocity_mps);
    return pose;
}

// The car as it is after at_tick.
static void note(client_joint *joint, client_joint_car *car, const apex_car_pose *at) {
    client_joint_moment *moment = &car->past[joint->at_tick % CLIENT_JOINT_TICKS];
    moment->tick = joint->at_tick;
    apex_world_get_car(joint->world, car->id, &moment->state);
    moment->pose = pose_of(at, joint->at_tick);
}

bool client_joint_put(client_joint *joint, uint32_t index, const apex_car_state *state) {
    client_joint_car *car = &joint->cars[index];
    apex_car_pose at;
    if (!apex_world_set_car(joint->world, car->id, state) ||
        !apex_world_pose(joint->world, car->id, &at)) {
        return false;
    }
    car->is_parked = false;
    note(joint, car, &at);
    return true;
}

void client_joint_release(client_joint *joint) {
    for (uint32_t i = 0; i < CLIENT_JOINT_CARS; i++) {
        client_joint_car *car = &joint->cars[i];
        apex_car_pose at;
        if (car->is_in && !car->is_parked && apex_world_pose(joint->world, car->id, &at) &&
            at.held) {
            apex_world_hold_car(joint->world, car->id, false);
            at.held = false;
            note(joint, car, &at);
        }
    }
}

void client_joint_fade(client_joint *joint, uint32_t index) {
    apex_world_ghost_car(joint->world, joint->cars[index].id, true);
}

static uint32_t slot_of(const client_joint_car *car) {
    return car->id.index1 - 1u;
}

static bool is_same_car(apex_car_id a, apex_car_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

// @return the other of a touch with the own car; a null id if it is another one's, or goes on.
static apex_car_id touched_by_own(const apex_contact_event *contact, apex_car_id own) {
    bool is_touch =
        contact->kind == APEX_CONTACT_CAR && contact->began && contact->impulse_ns >= TOUCH_NS;
    if (is_touch && is_same_car(contact->car, own)) {
        return contact->other;
    }
    return is_touch && is_same_car(contact->other, own) ? contact->car : (apex_car_id){0};
}

static uint32_t rival_of(const client_joint *joint, apex_car_id id) {
    uint32_t i = 1;
    while (i < CLIENT_JOINT_CARS && !(joint->cars[i].is_in && is_same_car(joint->cars[i].id, id))) {
        i++;
    }
    return i;
}

static void note_touches(client_joint *joint) {
    size_t count;
    const apex_contact_event *contacts = apex_world_contacts(joint->world, &count);
    client_joint_touches *touches = &joint->touches[joint->at_tick % CLIENT_JOINT_TICKS];
    touches->tick = joint->at_tick;
    touches->count = 0;
    for (size_t c = 0; c < count && touches->count < CLIENT_JOINT_TOUCHES; c++) {
        apex_car_id other = touched_by_own(&contacts[c], joint->cars[CLIENT_JOINT_OWN].id);
        uint32_t rival = other.index1 != 0 ? rival_of(joint, other) : CLIENT_JOINT_CARS;
        if (rival < CLIENT_JOINT_CARS) {
            client_joint_touch *touch = &touches->list[touches->count++];
            *touch = (client_joint_touch){.rival = rival,
                                          .impulse_ns = contacts[c].impulse_ns,
                                          .closing_mps = contacts[c].closing_mps};
            memcpy(touch->point_m, contacts[c].point_m, sizeof touch->point_m);
        }
    }
}

void client_joint_step(client_joint *joint, const apex_controls controls[]) {
    apex_controls by_slot[CLIENT_JOINT_CARS] = {0};
    apex_car_pose poses[CLIENT_JOINT_CARS];
    for (uint32_t i = 0; i < CLIENT_JOINT_CARS; i++) {
        if (joint->cars[i].is_in) {
            by_slot[slot_of(&joint->cars[i])] = controls[i];
        }
    }
    apex_world_step(joint->world, by_slot, NULL);
    joint->at_tick++;
    joint->steps++;
    apex_world_poses_by_slot(joint->world, poses);
    for (uint32_t i = 0; i < CLIENT_JOINT_CARS; i++) {
        client_joint_car *car = &joint->cars[i];
        if (car->is_in && !car->is_parked) {
            note(joint, car, &poses[slot_of(car)]);
        }
    }
    note_touches(joint);
}

const client_joint_moment *client_joint_past(const client_joint *joint, uint32_t index,
                                             uint32_t tick) {
    const client_joint_car *car = &joint->cars[index];
    if (!car->is_in || tick == 0) {
        return NULL;
    }
    const client_joint_moment *moment = &car->past[tick % CLIENT_JOINT_TICKS];
    return moment->tick == tick ? moment : NULL;
}

const client_joint_touches *client_joint_touches_at(const client_joint *joint, uint32_t tick) {
    const client_joint_touches *touches = &joint->touches[tick % CLIENT_JOINT_TICKS];
    return touches->tick == tick && tick != 0 ? touches : NULL;
}

static void go_back(client_joint *joint, uint32_t index, uint32_t tick) {
    client_joint_car *car = &joint->cars[index];
    const client_joint_moment *moment = client_joint_past(joint, index, tick);
    if (moment != NULL) {
        car->is_parked = !apex_world_set_car(joint->world, car->id, &moment->state);
    } else if (car->is_in) {
        park(joint, car);
    }
}

bool client_joint_begin(client_joint *joint, uint32_t tick, const apex_car_state *own) {
    client_joint_car *car = &joint->cars[CLIENT_JOINT_OWN];
    joint->at_tick = 0;
    if (!renew(joint, car) || !apex_world_set_car(joint->world, car->id, own)) {
        return false;
    }
    for (uint32_t i = 1; i < CLIENT_JOINT_CARS; i++) {
        go_back(joint, i, tick);
    }
    forget(car);
    joint->at_tick = tick;
    return client_joint_put(joint, CLIENT_JOINT_OWN, own);
}

bool client_joint_go_back(client_joint *joint, uint32_t tick) {
    if (client_joint_past(joint, CLIENT_JOINT_OWN, tick) == NULL) {
        return false;
    }
    joint->at_tick = tick;
    for (uint32_t i = 0; i < CLIENT_JOINT_CARS; i++) {
        go_back(joint, i, tick);
    }
    return true;
}

bool client_joint_pose(const client_joint *joint, uint32_t index, double tick,
                       apex_client_pose *out) {
    uint32_t to_tick = joint->at_tick;
    if (tick < (double)joint->at_tick - 1.0) {
        to_tick = (uint32_t)(tick > 0.0 ? tick : 0.0) + 1;
    }
    const client_joint_moment *to = client_joint_past(joint, index, to_tick);
    const client_joint_moment *from = client_joint_past(joint, index, to_tick - 1);
    if (to == NULL || from == NULL) {
        return false;
    }
    double share = tick - from->pose.tick;
    double most = 1.0 + BEYOND_TICKS;
    *out = client_pose_between(&from->pose, &to->pose, share > most ? most : share);
    return true;
}
