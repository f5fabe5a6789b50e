// A viewer's delta snapshot: the cars that it tells of, chosen, coded and packed.
//
// Cars that compete for the bytes are told by changes, all others whole, in a list, in turn
// (DECISIONS 26, 38). A viewer without a car is told of 64 neighbours of its focus in each snapshot
// (of all, where there are up to 255, as drivers are), and in what is left of a datagram of the
// others: 87 bits for a car with all that a far dot needs, some 76 in a packet. Of a thousand cars
// each comes round every 0.7 s, of four thousand every 2.8 s. Rejected for the list:
// * Changes in it, too. Of far cars they take 30 bits where the baseline is 39 ticks old and 41
//   where it is 63, but none is kept for longer: a thousand cars would come round twice as often,
//   four thousand not at all, and every viewer would want a memory of every car.
// * A second datagram a snapshot: twice the bandwidth for half the wait, which goes unseen where
//   the client carries far cars on.
// * A turn that viewers have in common: how many cars fit depends on a viewer's neighbours,
//   bandwidth and load, and a common turn would pass over those that do not fit.
#include "replicate/viewer.h"

#include <string.h>

#include "base/assert.h"
#include "replicate/codes.h"

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

apex_view_limits apex_view_limits_spectator(const apex_replica *replica) {
    enum { NEIGHBOURS = 64 };
    bool is_few = replica->cars.live_count <= APEX_VIEWER_CARS_MAX;
    return (apex_view_limits){.bytes_max = APEX_DELTA_BYTES_MAX,
                              .neighbours_max = is_few ? APEX_VIEWER_CARS_MAX : NEIGHBOURS,
                              .near_m = 200.0f,
                              .listed_cars = APEX_DELTA_LISTED_MAX};
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
    const captured_cars *cars;
    apex_replica_codes *codes;
    const apex_delta_view *view;
    apex_viewer_memory *memory;
    uint32_t offer_count, listed_count;
    int64_t offer_bits;   ///< if all go
    int64_t longest_bits; ///< of one
    uint32_t age_ticks;   ///< most baselines'
    uint32_t spread;      ///< that slots are told with at worst
    int64_t bits_left;
    uint32_t nearest_count;
    float nearest_m2[APEX_NEAREST_MAX]; ///< rising, like the next
    uint16_t nearest[APEX_NEAREST_MAX]; ///< slots
    offer offers[APEX_VIEWER_CARS_MAX];
    uint16_t listed[APEX_DELTA_LISTED_MAX]; ///< slots
    apex_delta_code spare[APEX_VIEWER_CARS_MAX];
} packing;

static float square_m2(const packing *pack, const float from_m[2], const viewer_car *car) {
    const float *at_m = pack->cars->place_m[car->slot];
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

// Keeps the nearest cars, the nearest first.
static void keep_nearest(packing *pack, uint16_t slot, float distance_m2) {
    uint32_t at = pack->nearest_count;
    if (at == APEX_NEAREST_MAX && distance_m2 >= pack->nearest_m2[at - 1]) {
        return;
    }
    at -= at == APEX_NEAREST_MAX;
    for (; at > 0 && pack->nearest_m2[at - 1] > distance_m2; at--) {
        pack->nearest_m2[at] = pack->nearest_m2[at - 1];
        pack->nearest[at] = pack->nearest[at - 1];
    }
    pack->nearest_m2[at] = distance_m2;
    pack->nearest[at] = slot;
    pack->nearest_count += pack->nearest_count < APEX_NEAREST_MAX;
}

// Only for those who want it: of a crowd few do, and each car of each of them counts.
static void find_nearest(packing *pack, const float from_m[2]) {
    const float LIMIT_M2 = APEX_NEAREST_M * APEX_NEAREST_M;
    uint32_t own = apex_delta_slot(pack->view->viewer->own_car);
    bool is_wanted = pack->view->wants_nearest && own != 0;
    for (uint32_t i = 0; is_wanted && i < pack->offer_count; i++) {
        const viewer_car *car = pack->offers[i].car;
        float distance_m2 = square_m2(pack, from_m, car);
        if (distance_m2 <= LIMIT_M2 && car->slot != own) {
            keep_nearest(pack, car->slot, distance_m2);
        }
    }
}

static bool is_nearest(const apex_viewer_memory *memory, uint16_t slot) {
    bool is_among = false;
    for (uint32_t i = 0; i < memory->nearest_count; i++) {
        is_among |= memory->nearest[i] == slot;
    }
    return is_among;
}

static void make_offers(packing *pack, const float from_m[2]) {
    const captured_cars *cars = pack->cars;
    apex_viewer_memory *memory = pack->memory;
    float near_m = pack->view->limits->near_m;
    for (uint32_t i = 0; i < memory->car_count; i++) {
        viewer_car *car = &memory->cars[i];
        if (cars->since_tick[car->slot] == 0) {
            car->carried = 0;
            continue;
        }
        if (pack->view->only_nearest && !is_nearest(memory, car->slot)) {
            continue;
        }
        classify(car, square_m2(pack, from_m, car), near_m);
        uint32_t age_ticks = viewer_base_age(memory, car, cars);
        code_wish wish = {car->slot, (apex_delta_class)car->class, age_ticks};
        pack->offers[pack->offer_count] = (offer){
            .car = car,
            .code = codes_get(pack->codes, cars, wish, &pack->spare[pack->offer_count]),
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

// Plans how slots are told, if so many are taken as changes fill the budget with, and sets aside
// the bits of their gaps.
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

static uint32_t offer_bits(const packing *pack, const offer *of) {
    uint32_t kind = of->code->is_full ? 3 : (of->age_ticks == pack->age_ticks ? 1 : 8);
    return of->code->bits + kind + 1 + pack->spread;
}

static void sum_offers(packing *pack) {
    pack->offer_bits = pack->longest_bits = 0;
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        int64_t bits = offer_bits(pack, &pack->offers[i]);
        pack->offer_bits += bits;
        pack->longest_bits = bits > pack->longest_bits ? bits : pack->longest_bits;
    }
}

// @return whether there is room for everybody: then nobody has to wait.
static bool take_all(packing *pack) {
    if (pack->offer_bits > pack->bits_left) {
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

// A car that does not fit waits; a shorter one behind it may still go.
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

static bool competes(const apex_viewer_memory *memory, uint32_t slot) {
    uint32_t begin = 0, end = memory->car_count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (memory->cars[middle].slot < slot) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < memory->car_count && memory->cars[begin].slot == slot;
}

// The bits that competing cars leave, but at least half of those that there are. A packet may be so
// short that a car by itself does not fit the other half: it would wait for ever, and all changes
// of it, so every other packet is without a list.
static int64_t bits_for_list(const packing *pack) {
    int64_t half = pack->bits_left / 2, left = pack->bits_left - pack->offer_bits;
    bool is_in_turn = pack->longest_bits <= pack->bits_left - half || pack->memory->snapshots % 2;
    return left > half ? left : (is_in_turn ? half : 0);
}

// All cars that do not compete, in turn. If one leaves meanwhile, another is passed over for a
// round.
static void choose_listed(packing *pack) {
    const captured_cars *cars = pack->cars;
    apex_viewer_memory *memory = pack->memory;
    uint32_t most = pack->view->limits->listed_cars;
    if (memory->car_count >= cars->live_count || most == 0) {
        return;
    }
    int64_t bits_left = bits_for_list(pack);
    uint32_t at = memory->next_listed < cars->live_count ? memory->next_listed : 0;
    apex_delta_listed before = {.id = 0};
    for (uint32_t looked = 0; looked < cars->live_count && pack->listed_count < most; looked++) {
        uint32_t slot = cars->live[at];
        const apex_delta_car *car = &cars->far_row[slot];
        if (!competes(memory, slot)) {
            int64_t bits = apex_delta_listed_bits(&before, car);
            if (bits > bits_left) {
                break;
            }
            before = (apex_delta_listed){.id = car->id, .flags = car->q[APEX_DELTA_FLAGS]};
            bits_left -= bits;
            pack->bits_left -= bits;
            pack->listed[pack->listed_count++] = (uint16_t)slot;
        }
        at = at + 1 < cars->live_count ? at + 1 : 0;
    }
    memory->next_listed = at;
}

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
    apex_delta_head head = {.tick = pack->cars->tick,
                            .sequence = sequence,
                            .age_ticks = pack->age_ticks,
                            .car_count = count,
                            .spread = apex_delta_spread(slots, count),
                            .is_plain = is_plain(pack),
                            .listed_count = pack->listed_count,
                            .has_race =
                                !view->only_nearest && pack->memory->snapshots % RACE_EACH == 0,
                            .phase = view->phase,
                            .race_time_ms = view->race_time_ms,
                            .has_controls = !view->only_nearest && view->viewer->own_car != 0};
    uint32_t since = pack->cars->tick - view->viewer->controls_tick;
    int32_t depth = view->viewer->controls_depth;
    head.controls_age_ticks = since < 255 ? since : 255;
    head.controls_depth = depth < -128 ? -128 : (depth < 127 ? depth : 127);
    return head;
}

static size_t write_packet(packing *pack, uint8_t out[APEX_DATAGRAM_BYTES_MAX]) {
    apex_viewer_memory *memory = pack->memory;
    apex_delta_head head = head_of(pack, viewer_begin_packet(memory, pack->cars->tick));
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, out, APEX_DATAGRAM_BYTES_MAX);
    if (pack->view->only_nearest) {
        viewer_note_none(memory);
    }
    for (uint32_t i = 0; i < pack->offer_count; i++) {
        const offer *of = &pack->offers[i];
        viewer_note_car(memory, of->car, of->is_taken);
        if (of->is_taken) {
            apex_delta_add(&writer, of->car->slot, of->age_ticks, (apex_delta_class)of->car->class,
                           of->code);
        }
    }
    for (uint32_t i = 0; i < pack->listed_count; i++) {
        apex_delta_add_listed(&writer, &pack->cars->far_row[pack->listed[i]]);
    }
    return apex_delta_end(&writer);
}

// What a snapshot leaves of its bytes is for the nearest, until the next one.
static void note_nearest(const packing *pack, size_t bytes) {
    apex_viewer_memory *memory = pack->memory;
    memory->snapshots++;
    memory->bytes_left = pack->view->limits->bytes_max - (uint32_t)bytes;
    memory->nearest_count = pack->nearest_count;
    memcpy(memory->nearest, pack->nearest, sizeof memory->nearest);
}

// Limits come from the operator and from what viewers ask for, both bounded by now.
static void assert_limits(const apex_view_limits *limits) {
    APEX_ASSERT(limits->bytes_max >= APEX_DELTA_BYTES_MIN &&
                limits->bytes_max <= APEX_DATAGRAM_BYTES_MAX);
    APEX_ASSERT(limits->neighbours_max >= APEX_VIEWER_NEIGHBOURS_MIN &&
                limits->neighbours_max <= APEX_VIEWER_CARS_MAX);
    APEX_ASSERT(limits->listed_cars <= APEX_DELTA_LISTED_MAX && limits->near_m >= 0.0f);
}

size_t apex_replica_encode(const apex_replica *replica, const apex_delta_view *view,
                           apex_replica_codes *codes, apex_viewer_memory *memory,
                           uint8_t out[APEX_DATAGRAM_BYTES_MAX]) {
    assert_limits(view->limits);
    APEX_ASSERT(captured_has(&replica->cars, replica->cars.tick));
    APEX_ASSERT(codes->car_capacity == replica->cars.capacity);
    packing pack;
    pack.cars = &replica->cars;
    pack.codes = codes;
    pack.view = view;
    pack.memory = memory;
    pack.offer_count = pack.listed_count = pack.nearest_count = 0;
    pack.bits_left = 8 * (int64_t)view->limits->bytes_max - APEX_DELTA_FRAME_BITS;
    if (!view->only_nearest) {
        viewer_choose(memory, replica, view);
    }
    const float *from_m = replica->cars.place_m[viewer_focus(&replica->cars, view)];
    make_offers(&pack, from_m);
    plan_heads(&pack);
    sum_offers(&pack);
    if (!view->only_nearest) {
        choose_listed(&pack);
    }
    if (!take_all(&pack)) {
        raise_priorities(&pack, from_m);
        take_by_rank(&pack);
    }
    size_t bytes = write_packet(&pack, out);
    if (view->only_nearest) {
        memory->bytes_left -= (uint32_t)bytes + APEX_SNAPSHOT_HEADERS_BYTES;
    } else {
        find_nearest(&pack, from_m);
        note_nearest(&pack, bytes);
    }
    return bytes;
}
