// A viewer's packet: whom it tells of, and how.

#include "replicate/replica_private.h"

#include <string.h>

#include "base/assert.h"

apex_view_limits apex_view_limits_lan(void) {
    return (apex_view_limits){.bytes_max = APEX_DATAGRAM_BYTES_MAX - 16,
                              .neighbours_max = APEX_VIEWER_CARS_MAX,
                              .near_m = 200.0f,
                              .listed_cars = 12};
}

apex_view_limits apex_view_limits_internet(void) {
    return (apex_view_limits){
        .bytes_max = 600, .neighbours_max = 128, .near_m = 120.0f, .listed_cars = 6};
}

apex_view_limits apex_view_limits_crowd(void) {
    return (apex_view_limits){
        .bytes_max = 300, .neighbours_max = 44, .near_m = 80.0f, .listed_cars = 3};
}

/// A car that may go into the packet.
typedef struct offer {
    viewer_car *car;
    const apex_delta_code *code;
    uint8_t age_ticks; ///< of its baseline; 0: it comes by itself
    bool is_taken;
} offer;

/// A packet in the making.
typedef struct packing {
    apex_replica *replica;
    const apex_delta_view *view;
    uint32_t offer_count, listed_count, first_listed;
    uint32_t age_ticks; ///< most baselines'
    uint32_t spread;    ///< that slots are told with at worst
    int64_t bits_left;
    offer offers[APEX_VIEWER_CARS_MAX];
    const apex_delta_code *listed[APEX_DELTA_LISTED_MAX];
    apex_delta_code spare[APEX_VIEWER_CARS_MAX + APEX_DELTA_LISTED_MAX];
} packing;

// --- Whom there is to tell of --------------------------------------------------------------------

static float square_m2(const packing *pack, const float from_m[2], const viewer_car *car) {
    const float *at_m = pack->replica->place_m[car->slot];
    float x_m = at_m[0] - from_m[0], y_m = at_m[1] - from_m[1];
    return x_m * x_m + y_m * y_m;
}

// A car that drives along the border between near and far stays what it is for a while.
static void classify(viewer_car *car, float distance_m2, float near_m) {
    const float STAYS = 1.25f;
    float limit_m = car->class == APEX_DELTA_NEAR ? near_m * STAYS : near_m;
    uint8_t class = distance_m2 <= limit_m * limit_m ? APEX_DELTA_NEAR : APEX_DELTA_FAR;
    if (class != car->class) {
        car->class = class;
        car->carried = 0;
    }
}

static void make_offers(packing *pack, const float from_m[2]) {
    const apex_replica *replica = pack->replica;
    apex_viewer_memory *memory = pack->view->memory;
    float near_m = pack->view->limits->near_m;
    for (uint32_t i = 0; i < memory->car_count; i++) {
        viewer_car *car = &memory->cars[i];
        if (replica->since_tick[car->slot] == 0) {
            car->carried = 0;
            continue;
        }
        classify(car, square_m2(pack, from_m, car), near_m);
        uint32_t age_ticks = viewer_base_age(memory, car, replica);
        code_wish wish = {car->slot, (apex_delta_class)car->class, age_ticks};
        pack->offers[pack->offer_count] = (offer){
            .car = car,
            .code = replica_code(pack->replica, wish, &pack->spare[pack->offer_count]),
            .age_ticks = (uint8_t)age_ticks,
        };
        pack->offer_count++;
    }
}

// Of most offers.
static uint32_t common_age_ticks(const packing *pack) {
    uint16_t ages[APEX_DELTA_AGE_MAX + 1] = {0};
    uint32_t common = 1;
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        uint32_t age = pack->offers[i].age_ticks;
        ages[age]++;
        common = age != 0 && ages[age] > ages[common] ? age : common;
    }
    return common;
}

// How slots are told if so many are taken as changes fill the budget with. What their gaps come to
// is set aside.
static void plan_heads(packing *pack) {
    enum { CHANGE_BITS = 24 };
    uint32_t likely = (uint32_t)(pack->bits_left / CHANGE_BITS) + 1;
    pack->age_ticks = common_age_ticks(pack);
    pack->spread = 0;
    if (pack->offer_count == 0) {
        return;
    }
    uint32_t range =
        (uint32_t)(pack->offers[pack->offer_count - 1].car->slot - pack->offers[0].car->slot);
    likely = likely < pack->offer_count ? likely : pack->offer_count;
    while (range >> pack->spread > likely) {
        pack->spread++;
    }
    pack->bits_left -= range >> pack->spread;
}

// --- Who goes ------------------------------------------------------------------------------------

static uint32_t offer_bits(const packing *pack, const offer *of) {
    uint32_t kind = of->code->is_full ? 3 : (of->age_ticks == pack->age_ticks ? 1 : 8);
    return of->code->bits + kind + 1 + pack->spread;
}

// @return whether there is room for everybody: then nobody has to wait.
static bool take_all(packing *pack) {
    int64_t bits = 0;
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        bits += offer_bits(pack, &pack->offers[i]);
    }
    if (bits > pack->bits_left) {
        return false;
    }
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        pack->offers[i].is_taken = true;
        pack->offers[i].car->priority = 0.0f;
    }
    return true;
}

// Near ones weigh most.
static float weight_of(float distance_m2) {
    const float HALF_WEIGHT_M2 = 25.0f * 25.0f, LEAST = 0.01f;
    return HALF_WEIGHT_M2 / (HALF_WEIGHT_M2 + distance_m2) + LEAST;
}

static void raise_priorities(packing *pack, const float from_m[2]) {
    const float OWN = 1e6f, RIVAL = 0.5f; // a rival as much as one at 25 m
    uint32_t own = apex_delta_slot(pack->view->viewer->own_car);
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        viewer_car *car = pack->offers[i].car;
        float weight = weight_of(square_m2(pack, from_m, car)) + (car->is_rival ? RIVAL : 0.0f);
        car->priority += car->slot == own ? OWN : weight;
    }
}

enum { RANKS = 64 };

// Ranks are octaves of priority and their quarters, the highest first.
static uint32_t rank_of(float priority) {
    uint32_t bits;
    _Static_assert(sizeof bits == sizeof priority, "a float's bits");
    memcpy(&bits, &priority, sizeof bits);
    int32_t step = (int32_t)(bits >> 21) - (120 << 2); // from 2^-7
    int32_t bounded = step < 0 ? 0 : (step < RANKS ? step : RANKS - 1);
    return (uint32_t)(RANKS - 1 - bounded);
}

static void sort_by_rank(const packing *pack, uint16_t order[]) {
    uint16_t starts[RANKS + 1] = {0};
    uint8_t ranks[APEX_VIEWER_CARS_MAX];
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        ranks[i] = (uint8_t)rank_of(pack->offers[i].car->priority);
        starts[ranks[i] + 1]++;
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        starts[rank + 1] = (uint16_t)(starts[rank + 1] + starts[rank]);
    }
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        order[starts[ranks[i]]++] = (uint16_t)i;
    }
}

// Who does not fit waits; a shorter one behind it may still go.
static void take_by_rank(packing *pack) {
    uint16_t order[APEX_VIEWER_CARS_MAX];
    sort_by_rank(pack, order);
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        offer *of = &pack->offers[order[i]];
        int64_t bits = offer_bits(pack, of);
        if (bits <= pack->bits_left) {
            pack->bits_left -= bits;
            of->is_taken = true;
            of->car->priority = 0.0f;
        }
    }
}

// All others in turn: everybody who is served within one period, and may be sent as much, gets the
// same. At most half of what there is room for.
static void choose_listed(packing *pack) {
    enum { LISTED_BITS = 192 }; // at most, with the slot
    const apex_replica *replica = pack->replica;
    const apex_delta_view *view = pack->view;
    uint32_t fits = (uint32_t)(pack->bits_left / 2 / LISTED_BITS);
    uint32_t count = view->limits->listed_cars < fits ? view->limits->listed_cars : fits;
    if (view->memory->car_count >= replica->live_count || count == 0) {
        return;
    }
    uint32_t period = view->viewer->period_ticks > 0 ? view->viewer->period_ticks : 1;
    uint32_t turns = (replica->live_count + count - 1) / count;
    pack->first_listed = replica->tick / period % turns * count;
    uint32_t left = replica->live_count - pack->first_listed;
    pack->listed_count = count < left ? count : left;
    for (uint32_t i = 0; i < pack->listed_count; i++) {
        code_wish wish = {replica->live[pack->first_listed + i], APEX_DELTA_FAR, 0};
        pack->listed[i] = replica_code(pack->replica, wish, &pack->spare[APEX_VIEWER_CARS_MAX + i]);
        uint32_t bits = 16 + pack->listed[i]->bits;
        APEX_ASSERT(bits <= LISTED_BITS);
        pack->bits_left -= bits;
    }
}

// --- Writing -------------------------------------------------------------------------------------

static uint32_t list_slots(const packing *pack, uint16_t slots[]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        if (pack->offers[i].is_taken) {
            slots[count++] = pack->offers[i].car->slot;
        }
    }
    return count;
}

static bool is_plain(const packing *pack) {
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        const offer *of = &pack->offers[i];
        if (of->is_taken && (of->code->is_full || of->age_ticks != pack->age_ticks)) {
            return false;
        }
    }
    return true;
}

static apex_delta_head head_of(const packing *pack, uint16_t sequence) {
    enum { RACE_EACH = 5 };
    const apex_delta_view *view = pack->view;
    uint16_t slots[APEX_VIEWER_CARS_MAX];
    uint32_t count = list_slots(pack, slots);
    apex_delta_head head = {.tick = pack->replica->tick,
                            .sequence = sequence,
                            .age_ticks = pack->age_ticks,
                            .car_count = count,
                            .spread = apex_delta_spread(slots, count),
                            .is_plain = is_plain(pack),
                            .listed_count = pack->listed_count,
                            .has_race = view->memory->snapshots % RACE_EACH == 0,
                            .phase = view->phase,
                            .race_time_ms = view->race_time_ms,
                            .has_controls = view->viewer->own_car != 0};
    uint32_t since = pack->replica->tick - view->viewer->controls_tick;
    int32_t depth = view->viewer->controls_depth;
    head.controls_age_ticks = since < 255 ? since : 255;
    head.controls_depth = depth < -128 ? -128 : (depth < 127 ? depth : 127);
    return head;
}

static size_t write_packet(packing *pack, uint8_t out[APEX_DATAGRAM_BYTES_MAX]) {
    apex_viewer_memory *memory = pack->view->memory;
    apex_delta_head head = head_of(pack, viewer_begin_packet(memory, pack->replica->tick));
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, out, APEX_DATAGRAM_BYTES_MAX);
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        const offer *of = &pack->offers[i];
        viewer_note_car(memory, of->car, of->is_taken);
        if (of->is_taken) {
            apex_delta_add(&writer, of->car->slot, of->age_ticks, (apex_delta_class)of->car->class,
                           of->code);
        }
    }
    for (uint32_t i = 0; i < pack->listed_count; i++) {
        uint32_t slot = pack->replica->live[pack->first_listed + i];
        apex_delta_add_listed(&writer, slot, pack->listed[i]);
    }
    memory->snapshots++;
    return apex_delta_end(&writer);
}

size_t apex_replica_encode(apex_replica *replica, const apex_delta_view *view,
                           uint8_t out[APEX_DATAGRAM_BYTES_MAX]) {
    packing pack;
    pack.replica = replica;
    pack.view = view;
    pack.offer_count = pack.listed_count = pack.first_listed = 0;
    pack.bits_left = 8 * (int64_t)view->limits->bytes_max - APEX_DELTA_FRAME_BITS;
    viewer_choose(view->memory, replica, view);
    const float *from_m = replica->place_m[viewer_focus(replica, view)];
    choose_listed(&pack);
    make_offers(&pack, from_m);
    plan_heads(&pack);
    if (!take_all(&pack)) {
        raise_priorities(&pack, from_m);
        take_by_rank(&pack);
    }
    return write_packet(&pack, out);
}
