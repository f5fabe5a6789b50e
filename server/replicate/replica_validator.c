// A replica's validator: whether what was captured agrees with itself. It walks every slot, so only
// builds with validators call it (base/assert.h), after each capture.
#include "replicate/replica_validator.h"

// The list of live slots rises and has those in which a car was captured, each under its own id.
static const char *check_live(const captured_cars *cars) {
    uint32_t live = 0;
    for (uint32_t slot = 1; slot <= cars->capacity; slot++) {
        uint32_t id = captured_newest(cars, slot)->id;
        if (id == 0) {
            continue;
        }
        if (apex_delta_slot(id) != slot) {
            return "a car was captured in another's slot";
        }
        if (live >= cars->live_count || cars->live[live] != slot) {
            return "the list of live slots is not that of the cars, rising";
        }
        if (cars->far_row[slot].id != id) {
            return "a car is another one far away";
        }
        live++;
    }
    return live == cars->live_count ? NULL : "a live slot has no car";
}

// A car that is there has come by now, and one that is not has not.
static const char *check_since(const captured_cars *cars) {
    for (uint32_t slot = 1; slot <= cars->capacity; slot++) {
        bool is_there = captured_newest(cars, slot)->id != 0;
        if (is_there ? (int32_t)(cars->tick - cars->since_tick[slot]) < 0
                     : cars->since_tick[slot] != 0) {
            return "a car has been there since it was not";
        }
    }
    return NULL;
}

// Each slot stands in the order once or not at all, and ranks say where.
static const char *check_order(const running_order *order) {
    uint32_t ranked = 0;
    if (order->count > order->capacity) {
        return "the running order is longer than it can be";
    }
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t slot = order->slots[i];
        if (slot == 0 || slot > order->slot_capacity) {
            return "a slot of the running order is none";
        }
        if (order->ranks[slot] != i + 1) {
            return "a slot's rank is not its place in the running order";
        }
    }
    for (uint32_t slot = 0; slot <= order->slot_capacity; slot++) {
        ranked += order->ranks[slot] != 0;
    }
    return ranked == order->count ? NULL : "a slot has a rank and no place in the running order";
}

const char *replica_validate(const captured_cars *cars, const running_order *order) {
    const char *wrong = check_live(cars);
    wrong = wrong != NULL ? wrong : check_since(cars);
    return wrong != NULL ? wrong : check_order(order);
}
