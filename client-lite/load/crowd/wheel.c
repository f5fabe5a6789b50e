// Items hang in a list at the slot of their time; one that is far off comes round earlier.
#include "client-lite/load/crowd/wheel.h"

#include <stdlib.h>

#include "base/assert.h"

bool client_wheel_create(client_wheel *wheel, uint32_t capacity, uint64_t now_ms) {
    *wheel = (client_wheel){.capacity = capacity, .now_ms = now_ms};
    for (uint32_t slot = 0; slot < CLIENT_WHEEL_SLOTS; slot++) {
        wheel->slots[slot] = CLIENT_WHEEL_NONE;
    }
    wheel->next = calloc(capacity, sizeof *wheel->next);
    wheel->waits = calloc(capacity, sizeof *wheel->waits);
    if (wheel->next == NULL || wheel->waits == NULL) {
        client_wheel_destroy(wheel);
        return false;
    }
    return true;
}

void client_wheel_destroy(client_wheel *wheel) {
    free(wheel->next);
    free(wheel->waits);
    *wheel = (client_wheel){0};
}

void client_wheel_set(client_wheel *wheel, uint32_t item, uint64_t due_ms) {
    APEX_ASSERT(item < wheel->capacity);
    if (wheel->waits[item]) {
        return;
    }
    // The slot of now is the next to be taken from, so one round later it would be too early.
    uint64_t last_ms = wheel->now_ms + CLIENT_WHEEL_SLOTS - 1;
    uint64_t at_ms = due_ms > last_ms ? last_ms : due_ms > wheel->now_ms ? due_ms : wheel->now_ms;
    uint32_t *slot = &wheel->slots[at_ms % CLIENT_WHEEL_SLOTS];
    wheel->waits[item] = true;
    wheel->next[item] = *slot;
    *slot = item;
}

uint32_t client_wheel_take(client_wheel *wheel, uint64_t now_ms) {
    if (now_ms > wheel->now_ms + CLIENT_WHEEL_SLOTS) { // asleep for a whole round: all are due
        wheel->now_ms = now_ms - CLIENT_WHEEL_SLOTS;
    }
    for (;;) {
        uint32_t *slot = &wheel->slots[wheel->now_ms % CLIENT_WHEEL_SLOTS];
        if (*slot != CLIENT_WHEEL_NONE) {
            uint32_t item = *slot;
            *slot = wheel->next[item];
            wheel->waits[item] = false;
            return item;
        }
        if (wheel->now_ms >= now_ms) {
            return CLIENT_WHEEL_NONE;
        }
        wheel->now_ms++;
    }
}
