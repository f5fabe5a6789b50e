// Contacts of each substep among the tick's candidates, in the order of slots, and what of them
// becomes events. All that moves anything happens at the substep rate, so that the trajectory is
// the same at every tick rate.

#include "physics/broad_private.h"
#include "physics/collide_private.h"

#include <stdlib.h>
#include <string.h>

// NEIGHBOURS_MAX: cars above a car's slot that it can meet at a time; of more the lowest.
enum { NEIGHBOURS_MAX = 48, MANIFOLDS_PER_CAR = 10 };

/// What a pair did in a tick; keys rise through an array of them.
typedef struct touch_record {
    uint64_t key;
    double x_m, y_m;
    real normal_x, normal_y;
    real impulse_ns, hardest_ns, closing_mps;
    apex_damage_zone zone, other_zone;
} touch_record;

struct physics_collider {
    physics_walls *walls;
    physics_broad *broad;
    physics_candidates candidates; ///< of this tick
    physics_manifold_list manifolds;
    touch_record *touches, *merged; ///< of this tick so far, and room for the next substep's
    uint32_t touch_count;
    uint64_t *last_keys; ///< of the tick before
    uint32_t last_count;
    apex_contact_event *events;
    uint32_t event_count;
};

physics_collider *physics_collider_create(const apex_world_def *def, const apex_walls *walls) {
    physics_collider *collider = calloc(1, sizeof *collider);
    if (collider == NULL) {
        return NULL;
    }
    size_t cars = def->car_capacity, room = cars * MANIFOLDS_PER_CAR;
    collider->walls = physics_walls_create(walls);
    if (collider->walls != NULL) {
        collider->broad = physics_broad_create(def->car_capacity, collider->walls);
    }
    collider->manifolds.items = calloc(room, sizeof *collider->manifolds.items);
    collider->manifolds.capacity = (uint32_t)room;
    collider->touches = calloc(room, sizeof *collider->touches);
    collider->merged = calloc(room, sizeof *collider->merged);
    collider->last_keys = calloc(room, sizeof *collider->last_keys);
    collider->events = calloc(room, sizeof *collider->events);
    if (collider->walls == NULL || collider->broad == NULL || collider->manifolds.items == NULL ||
        collider->touches == NULL || collider->merged == NULL || collider->last_keys == NULL ||
        collider->events == NULL) {
        physics_collider_destroy(collider);
        return NULL;
    }
    return collider;
}

void physics_collider_destroy(physics_collider *collider) {
    if (collider == NULL) {
        return;
    }
    physics_broad_destroy(collider->broad);
    physics_walls_destroy(collider->walls);
    free(collider->manifolds.items);
    free(collider->touches);
    free(collider->merged);
    free(collider->last_keys);
    free(collider->events);
    free(collider);
}

void physics_collider_begin_tick(apex_world *world) {
    physics_collider *collider = world->collider;
    collider->touch_count = 0;
    physics_broad_find(collider->broad, world);
    collider->candidates = physics_broad_candidates(collider->broad);
}

const uint32_t *physics_collider_involved(const physics_collider *collider, uint32_t *count) {
    *count = collider->candidates.count;
    return collider->candidates.involved;
}

static bool is_near(const physics_body *a, const physics_body *b) {
    double dx = a->x_m - b->x_m, dy = a->y_m - b->y_m;
    real range = a->radius_m + b->radius_m + a->reach_m + b->reach_m;
    return dx * dx + dy * dy < (double)range * (double)range;
}

static void meet_cars(apex_world *world, uint32_t index) {
    physics_collider *collider = world->collider;
    const physics_candidates *candidates = &collider->candidates;
    uint32_t slot = candidates->involved[index], met = 0;
    for (uint32_t p = candidates->pair_starts[index]; p < candidates->pair_starts[index + 1]; p++) {
        uint32_t other = physics_pair_higher(candidates->pairs[p]);
        if (!is_near(&world->bodies[slot], &world->bodies[other])) {
            continue;
        }
        if (met++ == NEIGHBOURS_MAX) {
            return;
        }
        physics_boxes_collide(world->bodies, slot, other, &collider->manifolds);
    }
}

static void find_contacts(apex_world *world) {
    physics_collider *collider = world->collider;
    const physics_candidates *candidates = &collider->candidates;
    collider->manifolds.count = 0;
    for (uint32_t i = 0; i < candidates->count; i++) {
        meet_cars(world, i);
        const uint32_t *near_starts = &candidates->near_starts[i];
        physics_near near = {&candidates->near[near_starts[0]], near_starts[1] - near_starts[0]};
        if (near.count > 0) {
            physics_walls_collide_near(collider->walls, world->bodies, candidates->involved[i],
                                       &near, &collider->manifolds);
        }
    }
}

static void note_zones(const apex_world *world, const physics_manifold *manifold,
                       touch_record *touch) {
    const physics_body *a = &world->bodies[manifold->a];
    touch->zone = physics_zone_of(a, (real)(touch->x_m - a->x_m), (real)(touch->y_m - a->y_m));
    touch->other_zone = APEX_ZONE_FRONT;
    if (manifold->b != PHYSICS_NOBODY) {
        const physics_body *b = &world->bodies[manifold->b];
        touch->other_zone =
            physics_zone_of(b, (real)(touch->x_m - b->x_m), (real)(touch->y_m - b->y_m));
    }
}

static touch_record touch_of(const apex_world *world, const physics_manifold *manifold) {
    const physics_body *a = &world->bodies[manifold->a];
    touch_record result = {.key = physics_manifold_key(manifold),
                           .x_m = a->x_m,
                           .y_m = a->y_m,
                           .normal_x = manifold->normal_x,
                           .normal_y = manifold->normal_y};
    double share = 1.0 / (double)manifold->point_count;
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        const physics_contact_point *point = &manifold->points[p];
        result.x_m += share * (double)point->arm_a_x;
        result.y_m += share * (double)point->arm_a_y;
        result.impulse_ns += point->normal_ns;
        result.closing_mps = real_max(result.closing_mps, -point->approach_mps);
    }
    result.hardest_ns = result.impulse_ns;
    note_zones(world, manifold, &result);
    return result;
}

static void join_touch(touch_record *into, const touch_record *later) {
    real impulse = into->impulse_ns + later->impulse_ns;
    real closing = into->closing_mps;
    if (later->hardest_ns > into->hardest_ns) {
        *into = *later;
    }
    into->impulse_ns = impulse;
    into->closing_mps = closing;
}

static bool has_touched(const physics_manifold *manifold) {
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        if (manifold->points[p].normal_ns > R(0.0)) {
            return true;
        }
    }
    return false;
}

// Both lists rise in key: one pass of a merge, into the spare array.
static void note_touches(apex_world *world) {
    physics_collider *collider = world->collider;
    uint32_t room = collider->manifolds.capacity, old = 0, count = 0;
    for (uint32_t i = 0; i < collider->manifolds.count; i++) {
        const physics_manifold *manifold = &collider->manifolds.items[i];
        if (!has_touched(manifold)) {
            continue;
        }
        touch_record now = touch_of(world, manifold);
        physics_damage_apply(world, manifold);
        while (old < collider->touch_count && collider->touches[old].key < now.key &&
               count < room) {
            collider->merged[count++] = collider->touches[old++];
        }
        if (count == room) {
            break;
        }
        collider->merged[count] = now;
        if (old < collider->touch_count && collider->touches[old].key == now.key) {
            collider->merged[count] = collider->touches[old++];
            join_touch(&collider->merged[count], &now);
        }
        count++;
    }
    while (old < collider->touch_count && count < room) {
        collider->merged[count++] = collider->touches[old++];
    }
    touch_record *swap = collider->touches;
    collider->touches = collider->merged;
    collider->merged = swap;
    collider->touch_count = count;
}

void physics_collider_substep(apex_world *world) {
    physics_collider *collider = world->collider;
    find_contacts(world);
    if (collider->manifolds.count == 0) {
        return;
    }
    physics_contacts_solve(world->bodies, &collider->manifolds, world->h_s);
    physics_walls_guard(collider->walls, world->bodies, &collider->manifolds, world->h_s);
    note_touches(world);
}

static apex_car_id id_at(const apex_world *world, uint32_t slot) {
    apex_pool_ref ref = apex_pool_ref_at(&world->pool, slot);
    return (apex_car_id){(uint16_t)ref.index1, (uint16_t)ref.generation};
}

static bool touched_before(const physics_collider *collider, uint64_t key) {
    uint32_t low = 0, high = collider->last_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (collider->last_keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < collider->last_count && collider->last_keys[low] == key;
}

static void add_event(const apex_world *world, const touch_record *touch) {
    physics_collider *collider = world->collider;
    uint32_t slot = (uint32_t)(touch->key >> 40), other = (uint32_t)touch->key;
    apex_contact_kind kind = (apex_contact_kind)((touch->key >> 32) & 0xff);
    const physics_body *body = &world->bodies[slot];
    collider->events[collider->event_count++] = (apex_contact_event){
        .car = id_at(world, slot),
        .other = kind == APEX_CONTACT_CAR ? id_at(world, other) : (apex_car_id){0},
        .other_index = kind == APEX_CONTACT_CAR ? 0 : other,
        .kind = kind,
        .point_m = {touch->x_m, touch->y_m, 0.5 * (double)(body->bottom_m + body->top_m)},
        .normal = {(double)touch->normal_x, (double)touch->normal_y, 0.0},
        .impulse_ns = (double)touch->impulse_ns,
        .closing_mps = (double)touch->closing_mps,
        .began = !touched_before(collider, touch->key),
        .zone = touch->zone,
        .other_zone = touch->other_zone,
    };
}

void physics_collider_end_tick(apex_world *world) {
    physics_collider *collider = world->collider;
    collider->event_count = 0;
    for (uint32_t i = 0; i < collider->touch_count; i++) {
        add_event(world, &collider->touches[i]);
    }
    for (uint32_t i = 0; i < collider->touch_count; i++) {
        collider->last_keys[i] = collider->touches[i].key;
    }
    collider->last_count = collider->touch_count;
}

void physics_collider_forget(physics_collider *collider, uint32_t slot) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < collider->last_count; i++) {
        uint64_t key = collider->last_keys[i];
        bool is_other = ((key >> 32) & 0xff) == APEX_CONTACT_CAR && (uint32_t)key == slot;
        if (key >> 40 != slot && !is_other) {
            collider->last_keys[kept++] = key;
        }
    }
    collider->last_count = kept;
}

const apex_contact_event *physics_collider_events(const physics_collider *collider, size_t *count) {
    *count = collider->event_count;
    return collider->events;
}

const uint64_t *physics_collider_touching(const physics_collider *collider, size_t *count) {
    *count = collider->last_count;
    return collider->last_keys;
}

size_t physics_collider_save_bytes(const physics_collider *collider) {
    return sizeof(uint64_t) * (1 + (size_t)collider->manifolds.capacity);
}

void physics_collider_save(const physics_collider *collider, uint8_t *out) {
    uint64_t count = collider->last_count;
    size_t used = collider->last_count * sizeof *collider->last_keys;
    memcpy(out, &count, sizeof count);
    memcpy(out + sizeof count, collider->last_keys, used);
    memset(out + sizeof count + used, 0,
           physics_collider_save_bytes(collider) - sizeof count - used);
}

bool physics_collider_check(const physics_collider *collider, const uint8_t *bytes,
                            uint32_t car_capacity) {
    uint64_t count, before = 0;
    memcpy(&count, bytes, sizeof count);
    if (count > collider->manifolds.capacity) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t key;
        memcpy(&key, bytes + sizeof count + i * sizeof key, sizeof key);
        if ((i > 0 && key <= before) || key >> 40 >= car_capacity ||
            ((key >> 32) & 0xff) > APEX_CONTACT_GROUND) {
            return false;
        }
        before = key;
    }
    return true;
}

void physics_collider_restore(physics_collider *collider, const uint8_t *bytes) {
    uint64_t count;
    memcpy(&count, bytes, sizeof count);
    collider->last_count = (uint32_t)count;
    memcpy(collider->last_keys, bytes + sizeof count, collider->last_count * sizeof(uint64_t));
    collider->touch_count = 0;
    collider->event_count = 0;
}
