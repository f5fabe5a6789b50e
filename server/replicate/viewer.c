// A viewer's memory: which cars compete for its bytes, what it has acknowledged of each, and which
// packets are on their way.
//
// The memory of packets and cars is two rows of 64 bits: a car's, which of the last packets carried
// it, and the viewer's, which of them were acknowledged. The newest common bit is the baseline.
// Before, an acknowledgement walked through the packet's cars and wrote each one's baseline: a
// fifth of the encoder's time, and 9 KiB a viewer instead of 4 (DECISIONS 26).
#include "replicate/viewer.h"

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

enum { CHOOSE_AGAIN_S_INVERSE = 2 };

static void list_all(const captured_cars *cars, uint16_t out[]) {
    memcpy(out, cars->live, cars->live_count * sizeof out[0]);
}

// A car that stays keeps what was acknowledged of it. Both lists rise.
static void replace_cars(apex_viewer_memory *memory, const uint16_t slots[], uint32_t count) {
    viewer_car kept[APEX_VIEWER_CARS_MAX];
    uint32_t old = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (old < memory->car_count && memory->cars[old].slot < slots[i]) {
            old++;
        }
        bool is_kept = old < memory->car_count && memory->cars[old].slot == slots[i];
        kept[i] =
            is_kept ? memory->cars[old] : (viewer_car){.slot = slots[i], .class = APEX_DELTA_FAR};
    }
    memcpy(memory->cars, kept, count * sizeof kept[0]);
    memory->car_count = count;
}

uint32_t viewer_focus(const captured_cars *cars, const apex_delta_view *view) {
    uint32_t own = apex_delta_slot(view->viewer->own_car);
    uint32_t slot = own != 0 ? own : view->focus_slot;
    bool is_here = slot != 0 && slot <= cars->capacity && cars->since_tick[slot] != 0;
    return is_here ? slot : (cars->live_count > 0 ? cars->live[0] : 0);
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
    const captured_cars *cars = &replica->cars;
    uint16_t slots[APEX_VIEWER_CARS_MAX + RIVALS_MAX], rivals[RIVALS_MAX];
    uint32_t most = view->limits->neighbours_max, count = cars->live_count;
    uint32_t since = cars->tick - memory->chosen_tick;
    bool fits = count <= most;
    if (memory->snapshots > 0 && memory->seen_count == count &&
        since < cars->tick_hz / CHOOSE_AGAIN_S_INVERSE) {
        return;
    }
    memory->chosen_tick = cars->tick;
    memory->seen_count = count;
    uint32_t focus = viewer_focus(cars, view);
    uint32_t rival_count = running_order_rivals(&replica->order, cars, focus, rivals);
    if (fits) {
        list_all(cars, slots);
    } else {
        count = neighbour_grid_nearest(&replica->grid, cars, focus, most - rival_count, slots);
        for (uint32_t i = 0; i < rival_count; i++) {
            count = insert_slot(slots, count, rivals[i]);
        }
    }
    replace_cars(memory, slots, count);
    mark_rivals(memory, rivals, rival_count);
}

static uint64_t rotate_left(uint64_t bits, uint32_t count) {
    return bits << count % 64 | bits >> (64 - count) % 64;
}

static uint16_t newest_sequence(const apex_viewer_memory *memory) {
    return (uint16_t)(memory->next_sequence - 1);
}

// A packet that has come is known by now; one that was not heard of for 64 packets was sent in
// vain, and one that a repair withdrew counts as neither. Packets of long ago count by halves. That
// is a player's loss, and not what ENet's reliable packets say (DECISIONS 42).
static void judge(apex_viewer_memory *memory, uint32_t place) {
    enum { JUDGED_MAX = 256 };
    uint32_t is_lost = memory->open >> place & 1;
    uint32_t has_come = memory->acknowledged >> place & 1;
    memory->lost += is_lost;
    memory->judged += is_lost | has_come;
    if (memory->judged == JUDGED_MAX) {
        memory->judged /= 2;
        memory->lost /= 2;
    }
}

bool apex_viewer_lost_ppm(const apex_viewer_memory *memory, uint32_t *out) {
    enum { JUDGED_MIN = 32 };
    if (memory->judged < JUDGED_MIN) {
        return false;
    }
    *out = (uint32_t)(1000000ull * memory->lost / memory->judged);
    return true;
}

uint16_t viewer_begin_packet(apex_viewer_memory *memory, uint32_t tick) {
    uint16_t sequence = memory->next_sequence++;
    uint32_t place = viewer_packet_place(sequence);
    judge(memory, place);
    memory->packet_ticks[place] = tick;
    memory->open |= 1ull << place;
    memory->acknowledged &= ~(1ull << place);
    return sequence;
}

void viewer_note_car(const apex_viewer_memory *memory, viewer_car *car, bool is_carried) {
    uint32_t place = viewer_packet_place(newest_sequence(memory));
    car->carried = (car->carried & ~(1ull << place)) | (uint64_t)is_carried << place;
}

void viewer_note_none(apex_viewer_memory *memory) {
    for (uint32_t i = 0; i < memory->car_count; i++) {
        viewer_note_car(memory, &memory->cars[i], false);
    }
}

uint32_t apex_viewer_nearest_bytes(const apex_viewer_memory *memory) {
    enum { LEAST = APEX_SNAPSHOT_HEADERS_BYTES + APEX_DELTA_BYTES_MIN };
    bool has_room = memory->nearest_count > 0 && memory->bytes_left >= LEAST;
    return has_room ? memory->bytes_left - APEX_SNAPSHOT_HEADERS_BYTES : 0;
}

uint32_t viewer_base_age(const apex_viewer_memory *memory, const viewer_car *car,
                         const captured_cars *cars) {
    uint64_t bases = car->carried & memory->acknowledged;
    if (bases == 0) {
        return 0;
    }
    uint32_t newest = viewer_packet_place(newest_sequence(memory));
    uint32_t before = (uint32_t)__builtin_ctzll(rotate_left(bases, VIEWER_PACKETS - newest));
    uint32_t tick = memory->packet_ticks[(newest + before) % VIEWER_PACKETS];
    uint32_t age = cars->tick - tick;
    bool is_same_car = (int32_t)(tick - cars->since_tick[car->slot]) >= 0;
    return is_same_car && age <= APEX_DELTA_AGE_MAX ? age : 0;
}

// Also what is on its way: the viewer will not take it.
static void repair(apex_viewer_memory *memory) {
    memory->open = 0;
    memory->acknowledged = 0;
    memory->repaired_sequence = memory->next_sequence;
}

void apex_viewer_memory_forget(apex_viewer_memory *memory) {
    repair(memory);
    memory->heard = (apex_snapshot_ack){.newest = 0};
    memory->snapshots = 0; // the cars that compete are chosen anew
    memory->car_count = memory->nearest_count = 0;
}

// Only 8 bits of a sequence travel. A viewer that has heard nothing for
// long may be wrong about the others.
static uint16_t sequence_of(const apex_viewer_memory *memory, uint32_t told) {
    uint16_t newest = newest_sequence(memory);
    return (uint16_t)(newest - (uint8_t)(newest - (told - 1)));
}

// Of what was sent before the last repair, more than one packet may have been in vain.
static bool asks_for_repair(const apex_viewer_memory *memory, const apex_snapshot_ack *ack) {
    uint16_t lost = sequence_of(memory, ack->repair);
    return ack->repair != 0 && (int16_t)(uint16_t)(lost - memory->repaired_sequence) >= 0;
}

void apex_viewer_acknowledge(apex_viewer_memory *memory, const apex_snapshot_ack *ack) {
    APEX_ASSERT(memory != NULL && memory->car_count <= APEX_VIEWER_CARS_MAX);
    apex_snapshot_ack *heard = &memory->heard;
    uint32_t lost = heard->repair;
    // 8 bits of a sequence travel.
    bool is_newer = heard->newest == 0 || (int8_t)(ack->newest - heard->newest) >= 0;
    if (ack->newest != 0 && is_newer) {
        *heard = *ack;
    }
    bool tells_loss = ack->repair != 0 && (is_newer || lost == 0);
    heard->repair = tells_loss ? ack->repair : lost;
}

static void settle(apex_viewer_memory *memory, const apex_snapshot_ack *ack) {
    if (asks_for_repair(memory, ack)) {
        repair(memory);
    }
    if (ack->newest == 0) {
        return;
    }
    uint16_t newest = sequence_of(memory, ack->newest);
    uint32_t behind = (uint16_t)(newest_sequence(memory) - newest);
    if (behind >= VIEWER_PACKETS) {
        return;
    }
    // A packet further back than the places go would stand for a newer one.
    uint64_t within = UINT64_MAX >> behind;
    uint64_t come =
        rotate_left(((uint64_t)ack->before << 1 | 1) & within, viewer_packet_place(newest));
    memory->acknowledged |= come & memory->open;
    memory->open &= ~come;
}

void apex_viewer_settle(apex_viewer_memory *memory) {
    settle(memory, &memory->heard);
    memory->heard = (apex_snapshot_ack){.newest = 0};
}
