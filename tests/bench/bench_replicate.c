// links: replicate content
// A benchmark of what delta snapshots take: bits for a car's update in a race with real driving and
// contacts, by what they are spent on; and the time to place an update into a viewer's packet, for
// a crowd of viewers. Everything that was sent is acknowledged before the viewer's next snapshot,
// or later.

#include "windows.h"

#include <stdio.h>

#include "base/assert.h"
#include "proto/delta/delta_car.h"
#include "replicate/replicate.h"
#include "support/race/crowd_race.h"
#include "support/race/lively_race.h"

enum { PERIOD_TICKS = 3, TICK_HZ = 60 };

enum { RACE_PLAYERS = 24, RACE_TICKS = 60 * 120 };

/// The bits that have been spent.
typedef struct spending {
    uint64_t updates, snapshots;
    uint64_t all; ///< with envelope, head, ids and checksum
    uint64_t groups[DELTA_GROUPS], beyond, whole;
} spending;

static void count_code(spending *sum, const apex_replica *replica, uint32_t slot, uint32_t tick,
                       uint32_t age_ticks) {
    const apex_delta_car *now = apex_replica_car(replica, tick, slot);
    const apex_delta_car *before = apex_replica_car(replica, tick - age_ticks, slot);
    apex_delta_span span = {.age_ticks = age_ticks, .tick_hz = TICK_HZ};
    apex_delta_code code;
    delta_difference difference;
    apex_delta_code_change(now, before, APEX_DELTA_NEAR, span, &code);
    if (code.is_full) {
        sum->whole += code.bits;
        return;
    }
    delta_differ(now, before, APEX_DELTA_NEAR, span, &difference);
    uint64_t symbols = 0;
    for (uint32_t group = 0; group < DELTA_GROUPS; group++) {
        const delta_codes *codes = &delta_codes_of(delta_code_set(APEX_DELTA_NEAR, span))[group];
        uint32_t bits = codes->length[delta_symbol(&difference, group)];
        sum->groups[group] += bits;
        symbols += bits;
    }
    sum->beyond += code.bits - symbols;
}

/// What snapshots of a race are encoded from.
typedef struct served_race {
    apex_replica *replica;
    apex_replica_codes *codes;
} served_race;

static served_race serve_race(uint32_t car_capacity) {
    served_race served = {apex_replica_create(car_capacity, TICK_HZ),
                          apex_replica_codes_create(car_capacity)};
    APEX_ASSERT(served.replica != NULL && served.codes != NULL);
    return served;
}

static void serve_no_more(served_race *served) {
    apex_replica_codes_destroy(served->codes);
    apex_replica_destroy(served->replica);
}

// @return bytes of the message as it goes into a datagram.
static size_t send(const served_race *served, const apex_delta_view *view,
                   apex_viewer_memory *memory, uint8_t *bytes, size_t *length) {
    uint8_t datagram[APEX_DATAGRAM_BYTES_MAX];
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    apex_viewer_settle(memory);
    *length = apex_replica_encode(served->replica, view, served->codes, memory, bytes);
    message.snapshot.delta = bytes;
    message.snapshot.delta_length = *length;
    return apex_encode_server(&message, datagram, sizeof datagram);
}

static void count_snapshot(spending *sum, const apex_replica *replica, uint32_t tick,
                           const uint8_t *bytes, size_t length) {
    apex_delta_reader reader;
    APEX_ASSERT(apex_delta_open(&reader, bytes, length, &(apex_delta_known){tick, 0, TICK_HZ}));
    sum->updates += reader.head.car_count;
    sum->snapshots++;
    for (uint32_t slot = 1; slot <= RACE_PLAYERS; slot++) {
        count_code(sum, replica, slot, tick, reader.head.age_ticks);
    }
}

// A spectator to whom all cars are near.
// @param delay the snapshots by which an acknowledgement is late
static spending watch(uint32_t delay) {
    static const lively_race_def RACE = {
        "ridgeway", {"boxster-s", "corvette-c5"}, RACE_PLAYERS, 6, 11};
    lively_race *lively = lively_race_create(&RACE);
    served_race served = serve_race(RACE_PLAYERS);
    apex_viewer_memory *memory = apex_viewer_memory_create();
    apex_view_limits limits = apex_view_limits_lan();
    apex_viewer viewer = {.period_ticks = PERIOD_TICKS};
    spending sum = {.updates = 0};
    uint16_t sequence = 0;
    APEX_ASSERT(memory != NULL);
    limits.near_m = 1e9f;
    for (uint32_t tick = 0; tick < RACE_TICKS; tick++) {
        lively_race_tick(lively);
        apex_replica_capture(served.replica, lively_race_of(lively));
        apex_race_status status = apex_race_status_of(lively_race_of(lively));
        if (status.tick % PERIOD_TICKS != 0) {
            continue;
        }
        apex_delta_view view = {.viewer = &viewer,
                                .limits = &limits,
                                .phase = (uint32_t)status.phase,
                                .race_time_ms = (int32_t)(status.race_time_us / 1000)};
        uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
        size_t length, sent = send(&served, &view, memory, bytes, &length);
        apex_delta_reader reader;
        apex_delta_known known = {(uint32_t)status.tick, sequence, TICK_HZ};
        APEX_ASSERT(apex_delta_open(&reader, bytes, length, &known));
        sequence = reader.head.sequence;
        if (sequence >= delay) {
            apex_snapshot_ack ack = {.newest = sequence - delay + 1u};
            apex_viewer_acknowledge(memory, &ack);
        }
        if (tick > TICK_HZ) {
            sum.all += 8 * sent;
            count_snapshot(&sum, served.replica, (uint32_t)status.tick, bytes, length);
        }
    }
    APEX_ASSERT(lively_race_contacts(lively) > 1000); // it was no procession
    apex_viewer_memory_destroy(memory);
    serve_no_more(&served);
    lively_race_destroy(lively);
    return sum;
}

static void print_bits(const spending *sum, const char *suffix) {
    static const char *const NAMES[DELTA_GROUPS] = {"speed", "turning", "place", "height",
                                                    "driving"};
    double updates = (double)sum->updates, cars = (double)(sum->beyond + sum->whole);
    APEX_ASSERT(sum->updates == RACE_PLAYERS * sum->snapshots);
    printf("replicate.bits_per_update%s %.2f bits\n", suffix, (double)sum->all / updates);
    for (uint32_t group = 0; group < DELTA_GROUPS; group++) {
        cars += (double)sum->groups[group];
        printf("replicate.bits%s.%s %.2f bits\n", suffix, NAMES[group],
               (double)sum->groups[group] / updates);
    }
    printf("replicate.bits%s.surprises %.2f bits\n", suffix,
           (double)(sum->beyond + sum->whole) / updates);
    printf("replicate.bits%s.head %.2f bits\n", suffix, ((double)sum->all - cars) / updates);
}

enum { VIEWERS = 2000, WINDOWS_COUNT = 9, WINDOW_TICKS = 60 };

typedef struct crowd_viewer {
    apex_viewer viewer;
    apex_viewer_memory *memory;
    uint16_t sequence;
    bool has_sequence;
} crowd_viewer;

/// The traffic and the time of a window.
typedef struct crowd_window {
    double capture_ms, encode_ms;
    uint64_t updates, snapshots, bytes;
} crowd_window;

static void acknowledge(crowd_viewer *viewer) {
    if (viewer->has_sequence) {
        apex_snapshot_ack ack = {.newest = viewer->sequence + 1u, .before = UINT32_MAX};
        apex_viewer_acknowledge(viewer->memory, &ack);
    }
}

static void serve(const served_race *served, crowd_viewer viewers[], uint32_t tick,
                  crowd_window *window) {
    static uint8_t bytes[VIEWERS][APEX_DATAGRAM_BYTES_MAX];
    static size_t lengths[VIEWERS];
    apex_view_limits limits = apex_view_limits_crowd();
    double begin_ms = windows_thread_ms();
    for (uint32_t i = tick % PERIOD_TICKS; i < VIEWERS; i += PERIOD_TICKS) {
        apex_delta_view view = {.viewer = &viewers[i].viewer, .limits = &limits};
        acknowledge(&viewers[i]);
        apex_viewer_settle(viewers[i].memory);
        lengths[i] =
            apex_replica_encode(served->replica, &view, served->codes, viewers[i].memory, bytes[i]);
    }
    window->encode_ms += windows_thread_ms() - begin_ms;
    for (uint32_t i = tick % PERIOD_TICKS; i < VIEWERS; i += PERIOD_TICKS) {
        apex_delta_reader reader;
        apex_delta_known known = {tick, viewers[i].sequence, TICK_HZ};
        APEX_ASSERT(apex_delta_open(&reader, bytes[i], lengths[i], &known));
        window->updates += reader.head.car_count;
        window->bytes += lengths[i];
        window->snapshots++;
        viewers[i].sequence = reader.head.sequence;
        viewers[i].has_sequence = true;
    }
}

static crowd_viewer *seat_viewers(void) {
    crowd_viewer *viewers = calloc(VIEWERS, sizeof *viewers);
    APEX_ASSERT(viewers != NULL);
    for (uint32_t i = 0; i < VIEWERS; i++) {
        viewers[i].viewer =
            (apex_viewer){.period_ticks = PERIOD_TICKS, .own_car = 1u << 16 | (i + 1)};
        viewers[i].memory = apex_viewer_memory_create();
    }
    return viewers;
}

static crowd_window watch_crowd(crowd_race *crowd, const served_race *served,
                                crowd_viewer viewers[]) {
    crowd_window window = {.encode_ms = 0.0};
    for (uint32_t i = 0; i < WINDOW_TICKS; i++) {
        crowd_race_tick(crowd);
        double begin_ms = windows_thread_ms();
        apex_replica_capture(served->replica, crowd_race_of(crowd));
        window.capture_ms += windows_thread_ms() - begin_ms;
        serve(served, viewers, (uint32_t)apex_race_status_of(crowd_race_of(crowd)).tick, &window);
    }
    return window;
}

static void measure_crowd(void) {
    crowd_race *crowd = crowd_race_create(VIEWERS);
    served_race served = serve_race(VIEWERS);
    crowd_viewer *viewers = seat_viewers();
    double encode_ns[WINDOWS_COUNT], capture_ns[WINDOWS_COUNT];
    crowd_window window = watch_crowd(crowd, &served, viewers); // it begins with nothing
    for (uint32_t w = 0; w < WINDOWS_COUNT; w++) {
        window = watch_crowd(crowd, &served, viewers);
        encode_ns[w] = window.encode_ms * 1e6 / (double)window.updates;
        capture_ns[w] = window.capture_ms * 1e6 / (VIEWERS * WINDOW_TICKS);
    }
    printf("replicate.encode_ns_per_update %.1f ns\n", windows_median(encode_ns, WINDOWS_COUNT));
    printf("replicate.capture_ns_per_car %.1f ns\n", windows_median(capture_ns, WINDOWS_COUNT));
    printf("replicate.crowd_updates_per_snapshot %.1f cars\n",
           (double)window.updates / (double)window.snapshots);
    printf("replicate.crowd_bits_per_update %.1f bits\n",
           8.0 * (double)window.bytes / (double)window.updates);
    for (uint32_t i = 0; i < VIEWERS; i++) {
        apex_viewer_memory_destroy(viewers[i].memory);
    }
    free(viewers);
    serve_no_more(&served);
    crowd_race_destroy(crowd);
}

int main(int argc, char **argv) {
    if (windows_is_wanted(argc, argv, "replicate.bits")) {
        spending near = watch(0), late = watch(1), later = watch(3);
        print_bits(&near, "");
        print_bits(&late, ".acks_after_100_ms");
        print_bits(&later, ".acks_after_200_ms");
    }
    if (windows_is_wanted(argc, argv, "replicate.encode_ns_per_update") ||
        windows_is_wanted(argc, argv, "replicate.capture_ns_per_car") ||
        windows_is_wanted(argc, argv, "replicate.crowd")) {
        measure_crowd();
    }
    return EXIT_SUCCESS;
}
