// What a viewer has: which cars compete for its bytes, what it has acknowledged of each, and which
// packets are on their way.

#include "replicate/replica_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

apex_viewer_memory *apex_viewer_memory_create(void) {
    return calloc(1, sizeof(apex_viewer_memory));
}

void apex_viewer_memory_destroy(apex_viewer_memory *memory) {
    free(memory);
}

void apex_viewer_memory_clear(apex_viewer_memory *memory) {
    memset(memory, 0, sizeof *memory);
}

// --- Who competes --------------------------------------------------------------------------------

enum { CHOOSE_AGAIN_S_INVERSE = 2 };

static void list_all(const apex_replica *replica, uint16_t out[]) {
    memcpy(out, replica->live, replica->live_count * sizeof out[0]);
}

// Who stays keeps what was acknowledged of it. Both lists rise.
static void replace_cars(apex_viewer_memory *memory, const uint16_t slots[], uint32_t count) {
    viewer_car kept[APEX_VIEWER_CARS_MAX];
    uint32_t old = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (old < memory->car_count && memory->cars[old].slot < slots[i]) {
            old++;
        }
        bool is_kept = old < memory->car_count && memory->cars[old].slot == slots[i];
        kept[i] = is_kept ? memory->cars[old] : (viewer_car){.slot = slots[i]};
    }
    memcpy(memory->cars, kept, count * sizeof kept[0]);
    memory->car_count = count;
}

uint32_t viewer_focus(const apex_replica *replica, const apex_delta_view *view) {
    uint32_t own = apex_delta_slot(view->viewer->own_car);
    uint32_t slot = own != 0 ? own : view->focus_slot;
    bool is_here = slot != 0 && slot <= replica->capacity && replica->since_tick[slot] != 0;
    return is_here ? slot : (replica->live_count > 0 ? replica->live[0] : 0);
}

// @return how many there are with it.
static uint32_t insert_slot(uint16_t slots[], uint32_t count, uint16_t slot) {
    uint32_t at = count;
    while (at > 0 && slots[at - 1] > slot) {
        at--;
    }
    if (at > 0 && slots[at - 1] == slot) {
        return count;
    }
    memmove(&slots[at + 1], &slots[at], (count - at) * sizeof slots[0]);
    slots[at] = slot;
    return count + 1;
}

static void mark_rivals(apex_viewer_memory *memory, const uint16_t rivals[], uint32_t count) {
    for (uint32_t i = 0; i < memory->car_count; i++) {
        viewer_car *car = &memory->cars[i];
        car->is_rival = false;
        for (uint32_t j = 0; j < count; j++) {
            car->is_rival |= car->slot == rivals[j];
        }
    }
}

void viewer_choose(apex_viewer_memory *memory, const apex_replica *replica,
                   const apex_delta_view *view) {
    uint16_t slots[APEX_VIEWER_CARS_MAX + 4], rivals[4];
    uint32_t most = view->limits->neighbours_max, count = replica->live_count;
    uint32_t since = replica->tick - memory->chosen_tick;
    bool fits = count <= most;
    if (memory->snapshots > 0 && memory->seen_count == count &&
        since < replica->tick_hz / CHOOSE_AGAIN_S_INVERSE) {
        return;
    }
    memory->chosen_tick = replica->tick;
    memory->seen_count = count;
    uint32_t focus = viewer_focus(replica, view);
    uint32_t rival_count = replica_order_rivals(replica, focus, rivals);
    if (fits) {
        list_all(replica, slots);
    } else {
        count = replica_grid_nearest(replica, focus, most - rival_count, slots);
        for (uint32_t i = 0; i < rival_count; i++) {
            count = insert_slot(slots, count, rivals[i]);
        }
    }
    replace_cars(memory, slots, count);
    mark_rivals(memory, rivals, rival_count);
}

// --- Packets -------------------------------------------------------------------------------------

enum { CLASS_BIT = 0x8000, SLOT_MASK = 0x7fff };

static bool is_overwritten(const apex_viewer_memory *memory, const viewer_packet *packet) {
    return memory->sent_next - packet->first > VIEWER_SENT;
}

viewer_packet *viewer_note_packet(apex_viewer_memory *memory, uint32_t tick) {
    uint16_t sequence = memory->next_sequence++;
    viewer_packet *packet = &memory->packets[sequence % VIEWER_PACKETS];
    *packet = (viewer_packet){.tick = tick, .sequence = sequence, .first = memory->sent_next};
    memory->open |= 1ull << sequence % VIEWER_PACKETS;
    return packet;
}

void viewer_note_car(apex_viewer_memory *memory, viewer_packet *packet, uint32_t slot,
                     apex_delta_class class) {
    uint32_t bit = class == APEX_DELTA_FAR ? CLASS_BIT : 0;
    memory->sent[memory->sent_next++ % VIEWER_SENT] = (uint16_t)(slot | bit);
    packet->count++;
}

static void acknowledge_car(viewer_car *car, uint32_t tick, apex_delta_class class) {
    bool is_newer = !car->has_base || (int32_t)(tick - car->base_tick) > 0;
    if (is_newer) {
        car->has_base = true;
        car->class = (uint8_t) class;
        car->base_tick = tick;
    }
}

// Both lists rise in slot.
static void acknowledge_cars(apex_viewer_memory *memory, const viewer_packet *packet) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < packet->count; i++) {
        uint32_t sent = memory->sent[(packet->first + i) % VIEWER_SENT];
        uint32_t slot = sent & SLOT_MASK;
        while (at < memory->car_count && memory->cars[at].slot < slot) {
            at++;
        }
        if (at < memory->car_count && memory->cars[at].slot == slot) {
            bool is_far = (sent & CLASS_BIT) != 0;
            acknowledge_car(&memory->cars[at], packet->tick,
                            is_far ? APEX_DELTA_FAR : APEX_DELTA_NEAR);
        }
    }
}

static void acknowledge(apex_viewer_memory *memory, uint16_t sequence) {
    uint64_t bit = 1ull << sequence % VIEWER_PACKETS;
    const viewer_packet *packet = &memory->packets[sequence % VIEWER_PACKETS];
    if ((memory->open & bit) == 0 || packet->sequence != sequence) {
        return;
    }
    memory->open &= ~bit;
    if (!is_overwritten(memory, packet)) {
        acknowledge_cars(memory, packet);
    }
}

// Also what is on its way: the viewer will not take it.
static void repair(apex_viewer_memory *memory) {
    for (uint32_t i = 0; i < memory->car_count; i++) {
        memory->cars[i].has_base = false;
    }
    memory->open = 0;
    memory->repaired_sequence = memory->next_sequence;
}

// Only 8 bits of a sequence travel. Who has heard nothing for long may be wrong about the others.
static uint16_t sequence_of(const apex_viewer_memory *memory, uint32_t told) {
    uint16_t newest = (uint16_t)(memory->next_sequence - 1);
    return (uint16_t)(newest - (uint8_t)(newest - (told - 1)));
}

// Of what was sent before the last repair, more than one packet may have been in vain.
static bool asks_for_repair(const apex_viewer_memory *memory, const apex_snapshot_ack *ack) {
    uint16_t lost = sequence_of(memory, ack->repair);
    return ack->repair != 0 && (int16_t)(uint16_t)(lost - memory->repaired_sequence) >= 0;
}

void apex_viewer_acknowledge(apex_viewer_memory *memory, const apex_snapshot_ack *ack) {
    if (asks_for_repair(memory, ack)) {
        repair(memory);
    }
    if (ack->newest == 0) {
        return;
    }
    uint16_t newest = sequence_of(memory, ack->newest);
    acknowledge(memory, newest);
    for (uint32_t before = ack->before; before != 0 && memory->open != 0; before &= before - 1) {
        acknowledge(memory, (uint16_t)(newest - 1 - (uint32_t)__builtin_ctz(before)));
    }
}
