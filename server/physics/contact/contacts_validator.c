// The contacts' validator: whether a tick's candidates, events and persistent contacts are in
// order. It walks all of them, so only builds with validators call it (base/assert.h), at the end
// of each tick.

#include "physics/contact/contacts_validator.h"

#include "physics/solver/manifold.h"

#include <math.h>

static bool is_involved(const physics_candidates *candidates, uint32_t slot) {
    uint32_t low = 0, high = candidates->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (candidates->involved[middle] < slot) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < candidates->count && candidates->involved[low] == slot;
}

static const char *check_pairs(const physics_candidates *candidates, uint32_t car) {
    uint32_t begin = candidates->pair_starts[car], end = candidates->pair_starts[car + 1];
    for (uint32_t i = begin; i < end; i++) {
        uint32_t pair = candidates->pairs[i], other = physics_pair_higher(pair);
        if (physics_pair_lower(pair) != candidates->involved[car]) {
            return "a pair is listed under another car than its lower slot";
        }
        if (other <= candidates->involved[car] || !is_involved(candidates, other)) {
            return "a pair's other car is not involved";
        }
        if (i > begin && pair <= candidates->pairs[i - 1]) {
            return "a car's pairs do not rise";
        }
    }
    return begin <= end ? NULL : "a car's pairs end before they begin";
}

static const char *check_obstacles(const physics_candidates *candidates, uint32_t car) {
    uint32_t begin = candidates->obstacle_starts[car], end = candidates->obstacle_starts[car + 1];
    for (uint32_t i = begin; i + 1 < end; i++) {
        if (candidates->obstacles[i + 1] <= candidates->obstacles[i]) {
            return "a car's obstacles do not rise";
        }
    }
    return begin <= end ? NULL : "a car's obstacles end before they begin";
}

static const char *check_candidates(const physics_contact_tick *tick) {
    const physics_candidates *candidates = tick->candidates;
    const char *wrong = NULL;
    for (uint32_t car = 0; car < candidates->count && wrong == NULL; car++) {
        uint32_t slot = candidates->involved[car];
        if (slot >= tick->pool->capacity || !apex_pool_is_index_live(tick->pool, slot)) {
            return "a slot without a car is involved";
        }
        if (car > 0 && slot <= candidates->involved[car - 1]) {
            return "involved slots do not rise";
        }
        wrong = check_pairs(candidates, car);
        wrong = wrong != NULL ? wrong : check_obstacles(candidates, car);
    }
    return wrong;
}

static bool is_there(const apex_pool *pool, apex_car_id car) {
    return car.index1 != 0 && car.index1 <= pool->capacity &&
           apex_pool_is_index_live(pool, car.index1 - 1u) &&
           (uint16_t)pool->generations[car.index1 - 1u] == car.generation;
}

static const char *check_event(const apex_pool *pool, const apex_contact_event *event) {
    bool is_car = event->kind == APEX_CONTACT_CAR;
    double square = 0.0;
    for (uint32_t i = 0; i < 3; i++) {
        square += event->normal[i] * event->normal[i];
    }
    if (!is_there(pool, event->car) || (is_car && !is_there(pool, event->other))) {
        return "a contact is of a car that is not there";
    }
    if (fabs(square - 1.0) >= 1e-4) {
        return "a contact's normal is not a unit vector";
    }
    return event->impulse_ns > 0.0 && event->closing_mps >= 0.0 ? NULL
                                                                : "a contact pulls, or never began";
}

static uint64_t key_of(const apex_contact_event *event) {
    uint32_t other =
        event->kind == APEX_CONTACT_CAR ? event->other.index1 - 1u : event->other_index;
    return physics_contact_key(event->car.index1 - 1u, event->kind, other);
}

// Each pair with an impulse in the tick has become an event, and persists into the next.
static const char *check_events(const physics_contacts *contacts, const apex_pool *pool) {
    if (contacts->event_count != contacts->persisted_count ||
        contacts->event_count > contacts->capacity) {
        return "there are not as many contacts told as last";
    }
    for (uint32_t i = 0; i < contacts->event_count; i++) {
        const char *wrong = check_event(pool, &contacts->events[i]);
        if (wrong != NULL) {
            return wrong;
        }
        if (contacts->persisted[i].key != key_of(&contacts->events[i])) {
            return "another contact lasts than was told";
        }
        if (i > 0 && contacts->persisted[i].key <= contacts->persisted[i - 1].key) {
            return "contacts are not in the order of cars, kinds and others";
        }
    }
    return NULL;
}

const char *physics_contacts_validate(const physics_contacts *contacts,
                                      const physics_contact_tick *tick) {
    const char *wrong = check_candidates(tick);
    return wrong != NULL ? wrong : check_events(contacts, tick->pool);
}
