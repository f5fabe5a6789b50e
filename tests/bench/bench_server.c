// links: host
// A benchmark of a whole tick on one thread: N cars in moving traffic on one round road, each
// driven by a session that is fed by hand, each session a viewer of whole snapshots 20 times a
// second, within their byte budget. Only apex_server_tick is timed, by the processor time of its
// thread; sockets are not part of it. The median of windows of a second, and the tick that one in a
// hundred exceeds.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "windows.h"
#include "base/assert.h"
#include "base/log.h"
#include "base/trig.h"
#include "host/host.h"
#include "replicate/replicate.h"
#include "support/track/track_scenes.h"

enum {
    LINKS_MAX = 4095, // one less than the most cars that are measured: the last is the server's own
    WINDOWS = 9,
    WARM_TICKS = 240,
    CROWD = 16, // that says Hello or Join in one tick; the others hear of each
    PACKET_BYTES = 512,
    SAMPLES = 8,
    LEAD_TICKS = 3,
    SNAPSHOT_TICKS = 3, // from one snapshot to the next
};

static const double SPEED_MPS = 25.0;
static const double ROAD_M_PER_CAR = 6.6;

typedef struct player {
    uint32_t slot; // among the world's poses
    double lane_m;
    apex_control_sample samples[SAMPLES]; // the newest last
    uint8_t bytes[PACKET_BYTES];
    uint32_t car; // as snapshots tell it
    uint64_t snapshots, told_bytes;
} player;

typedef struct rig {
    apex_server *server;
    uint32_t cars, links;
    double radius_m;
    uint64_t now_us, ticks;
    uint64_t read, read_with_own; // snapshots that were decoded, and those that told the own car
    player *players;
    apex_car_pose *poses;
    apex_link_event *events;
    uint32_t event_count;
} rig;

static double thread_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// Eight lanes, so that everybody has a box of his own and 26 m to the next in his lane.
static apex_track_def round_road(double radius_m) {
    apex_track_def def = track_scene_circle(radius_m, 256, 0.0);
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].left_m = 18.0;
        def.points[i].right_m = 18.0;
    }
    def.grid = (apex_track_grid){.first_m = 1.0,
                                 .spacing_m = 3.2,
                                 .columns = 8,
                                 .column_gap_m = 4.0,
                                 .pole_side = APEX_SIDE_LEFT};
    return def;
}

static apex_race_file race_file(const rig *self) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 999;
    file.race.player_capacity = self->cars;
    file.race.start_players = self->cars;
    file.race.lobby_s = 0.0;
    file.race.countdown_s = 0.0;
    file.race.stuck_s = 0.0;
    file.race.idle_s = 0.0;
    file.bots = self->cars - self->links;
    file.clients_max = self->links;
    file.clients_per_address_max = self->links;
    file.snapshot_hz = 20;
    return file;
}

static void create_server(rig *self) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_race_file file = race_file(self);
    APEX_ASSERT(apex_server_def_load(&file, NULL, &def, why) == APEX_OK);
    apex_track_def_free(&def.track);
    def.track = round_road(self->radius_m);
    def.speed_permille = 1000;
    def.now_us = self->now_us;
    memset(def.token_key, 7, sizeof def.token_key);
    apex_err err = apex_server_create(&def, &self->server, why);
    apex_track_def_free(&def.track);
    if (err != APEX_OK) {
        fprintf(stderr, "bench_server: %s\n", why);
        exit(EXIT_FAILURE);
    }
}

static rig *create(uint32_t cars) {
    rig *self = calloc(1, sizeof *self);
    APEX_ASSERT(self != NULL);
    self->cars = cars;
    self->links = cars < LINKS_MAX ? cars : LINKS_MAX;
    double length_m = cars * ROAD_M_PER_CAR;
    self->radius_m = (length_m > 2000.0 ? length_m : 2000.0) / (2.0 * APEX_PI);
    self->now_us = 1000000;
    self->players = calloc(self->links, sizeof *self->players);
    self->poses = calloc(cars, sizeof *self->poses);
    self->events = calloc((size_t)self->links + CROWD, sizeof *self->events);
    APEX_ASSERT(self->players != NULL && self->poses != NULL && self->events != NULL);
    create_server(self);
    return self;
}

static void destroy(rig *self) {
    apex_server_destroy(self->server);
    free(self->events);
    free(self->poses);
    free(self->players);
    free(self);
}

static bool tells_own_car(const apex_link_packet *packet, uint32_t car) {
    static _Alignas(max_align_t) uint8_t memory[APEX_DECODE_SCRATCH_BYTES];
    static apex_server_message message;
    apex_scratch scratch = {memory, sizeof memory};
    if (!apex_decode_server(packet->bytes, packet->length, scratch, &message, NULL) ||
        message.kind != APEX_SERVER_SNAPSHOT) {
        return false;
    }
    bool is_told = false;
    for (uint32_t i = 0; i < message.snapshot.car_count; i++) {
        is_told = is_told || message.snapshot.cars[i].id == car;
    }
    return is_told;
}

// A viewer's packets come one after the other. One viewer's are read, until he has had some.
static void note_snapshots(rig *self) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_server_outbox(self->server, &packets);
    uint32_t last = self->links, read = (uint32_t)(self->ticks / SNAPSHOT_TICKS % self->links);
    bool is_read = false, has_own = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = packets[i].link.index1 - 1u;
        if (packets[i].channel == APEX_CHANNEL_STATE) {
            self->players[index].snapshots += index != last;
            self->players[index].told_bytes += packets[i].length;
            last = index;
            is_read = is_read || index == read;
            has_own =
                has_own || (index == read && tells_own_car(&packets[i], self->players[index].car));
        }
    }
    self->read += is_read;
    self->read_with_own += has_own;
}

/// @return the processor time of the tick in microseconds.
static double tick(rig *self) {
    self->now_us += 1000000u / apex_server_tick_hz(self->server);
    apex_server_feed(self->server, self->events, self->event_count);
    double begin = thread_us();
    apex_server_tick(self->server, self->now_us);
    double took = thread_us() - begin;
    self->event_count = 0;
    self->ticks++;
    note_snapshots(self);
    return took;
}

static apex_link_event *add_event(rig *self, uint32_t index, apex_link_event_kind kind) {
    apex_link_event *event = &self->events[self->event_count++];
    *event = (apex_link_event){.kind = kind, .link = {(uint16_t)(index + 1), 1}};
    return event;
}

static void say(rig *self, uint32_t index, const apex_client_message *message) {
    player *from = &self->players[index];
    size_t length = apex_encode_client(message, from->bytes, sizeof from->bytes);
    APEX_ASSERT(length > 0);
    apex_link_event *event = add_event(self, index, APEX_LINK_BYTES);
    event->channel = (uint8_t)apex_client_message_channel(message->kind);
    event->bytes = from->bytes;
    event->length = length;
}

static void open_link(rig *self, uint32_t index) {
    apex_link_event *opened = add_event(self, index, APEX_LINK_OPENED);
    opened->trust = APEX_LINK_SEALED;
    snprintf(opened->address, sizeof opened->address, "10.0.%u.%u", index / 250, index % 250);
    apex_client_message hello = {.kind = APEX_CLIENT_HELLO,
                                 .hello = {.protocol_version = APEX_PROTOCOL_VERSION}};
    say(self, index, &hello);
}

static void join(rig *self, uint32_t index) {
    apex_client_message message = {.kind = APEX_CLIENT_JOIN};
    snprintf(message.join.name, sizeof message.join.name, "%u", index);
    say(self, index, &message);
}

static void in_crowds(rig *self, void (*act)(rig *, uint32_t)) {
    for (uint32_t i = 0; i < self->links; i++) {
        act(self, i);
        if (i % CROWD == CROWD - 1 || i == self->links - 1) {
            tick(self);
        }
    }
}

// Players' names are their numbers; the world lists poses by slot.
static void find_cars(rig *self) {
    apex_standing *lines = calloc(self->cars, sizeof *lines);
    APEX_ASSERT(lines != NULL);
    const apex_race *race = apex_server_race(self->server);
    size_t count = apex_race_standings(race, lines, self->cars);
    apex_world_poses(apex_race_world(race), self->poses, self->cars);
    APEX_ASSERT(count == self->cars);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = lines[i].car_id.index1 - 1u;
        if (!lines[i].driven_by_server) {
            player *own = &self->players[strtoul(lines[i].name, NULL, 10)];
            const double *at = self->poses[slot].position_m;
            own->slot = slot;
            own->car = apex_car_wire_id(lines[i].car_id);
            own->lane_m = self->radius_m - hypot(at[0], at[1]);
        }
    }
    free(lines);
}

// Keeps its lane at the common speed. The road bends left about the origin.
static apex_control_sample drive(const rig *self, const player *own) {
    const apex_car_pose *pose = &self->poses[own->slot];
    double x_m = pose->position_m[0];
    double y_m = pose->position_m[1];
    double heading_rad = atan2(y_m, x_m) + APEX_PI / 2.0;
    double wrong_rad = remainder(heading_rad - pose->yaw_rad, 2.0 * APEX_PI);
    double right_m = own->lane_m - (self->radius_m - hypot(x_m, y_m));
    double steer = 0.8 * wrong_rad + 0.02 * right_m + 4.0 / self->radius_m;
    double missing_mps = SPEED_MPS - hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
    return (apex_control_sample){
        .steer = (int16_t)(32767.0 * fmax(-1.0, fmin(1.0, steer))),
        .throttle = (uint8_t)(255.0 * fmax(0.0, fmin(1.0, 0.2 + 0.2 * missing_mps))),
        .gear = APEX_GEAR_AUTOMATIC,
    };
}

// As a client does: each sends every second tick, half of them in each.
static void send_controls(rig *self) {
    apex_world_poses(apex_race_world(apex_server_race(self->server)), self->poses, self->cars);
    uint64_t world_tick = apex_race_status_of(apex_server_race(self->server)).tick;
    for (uint32_t i = (uint32_t)(self->ticks % 2); i < self->links; i += 2) {
        player *own = &self->players[i];
        memmove(own->samples, own->samples + 2, (SAMPLES - 2) * sizeof *own->samples);
        own->samples[SAMPLES - 2] = own->samples[SAMPLES - 1] = drive(self, own);
        apex_client_message message = {.kind = APEX_CLIENT_CONTROLS};
        message.controls.first_tick = (uint32_t)world_tick + LEAD_TICKS + 2 - SAMPLES;
        message.controls.sample_count = SAMPLES;
        memcpy(message.controls.samples, own->samples, sizeof own->samples);
        say(self, i, &message);
    }
}

static void begin_race(rig *self) {
    in_crowds(self, open_link);
    in_crowds(self, join);
    for (uint32_t i = 0; i < 600; i++) {
        if (apex_race_status_of(apex_server_race(self->server)).phase == APEX_PHASE_RACE) {
            break;
        }
        tick(self);
    }
    apex_race_status status = apex_race_status_of(apex_server_race(self->server));
    APEX_ASSERT(status.phase == APEX_PHASE_RACE && status.players == self->cars);
    find_cars(self);
    for (uint32_t i = 0; i < WARM_TICKS; i++) {
        send_controls(self);
        tick(self);
    }
}

static uint32_t moving_cars(const rig *self) {
    uint32_t moving = 0;
    for (uint32_t i = 0; i < self->cars; i++) {
        const double *mps = self->poses[i].velocity_mps;
        moving += hypot(mps[0], mps[1]) > SPEED_MPS / 2.0;
    }
    return moving;
}

// Each viewer is told as often as it should be, of more than its own car's half of the budget, and
// of no more than that budget.
static bool are_all_told(const rig *self, uint64_t ticks) {
    double wanted = (double)ticks / SNAPSHOT_TICKS;
    double budget = apex_view_limits_internet().bytes_max;
    bool are_told = true;
    for (uint32_t i = 0; i < self->links; i++) {
        double snapshots = (double)self->players[i].snapshots;
        double each = (double)self->players[i].told_bytes / fmax(1.0, snapshots);
        if (fabs(snapshots - wanted) > 1.0 || each <= budget / 2.0 || each > budget) {
            fprintf(stderr, "bench_server: viewer %u: %.0f snapshots of %.0f, %.0f bytes of %.0f\n",
                    i, snapshots, wanted, each, budget);
            are_told = false;
            break;
        }
    }
    return are_told && self->read > 0 && self->read_with_own == self->read;
}

// Figures of cars that stand, or of viewers that get nothing, would be figures of something else.
static void check(const rig *self, uint64_t ticks) {
    uint32_t moving = moving_cars(self);
    apex_controls_counters controls = apex_server_controls_counters(self->server);
    if (moving < self->cars * 9 / 10 || !are_all_told(self, ticks) ||
        controls.used_on_tick < 10 * controls.missed) {
        fprintf(stderr,
                "bench_server: %u of %u cars move, %llu of %llu snapshots tell their viewer's car, "
                "controls %llu in time, %llu missing\n",
                moving, self->cars, (unsigned long long)self->read_with_own,
                (unsigned long long)self->read, (unsigned long long)controls.used_on_tick,
                (unsigned long long)controls.missed);
        exit(EXIT_FAILURE);
    }
}

static void forget_snapshots(rig *self) {
    self->read = self->read_with_own = 0;
    for (uint32_t i = 0; i < self->links; i++) {
        self->players[i].snapshots = self->players[i].told_bytes = 0;
    }
}

static void measure(uint32_t cars) {
    rig *self = create(cars);
    uint32_t hz = apex_server_tick_hz(self->server);
    double *ticks_us = calloc((size_t)WINDOWS * hz, sizeof *ticks_us);
    double windows[WINDOWS] = {0};
    APEX_ASSERT(ticks_us != NULL);
    begin_race(self);
    forget_snapshots(self);
    for (uint32_t w = 0; w < WINDOWS; w++) {
        for (uint32_t i = 0; i < hz; i++) {
            send_controls(self);
            double took_us = tick(self);
            ticks_us[w * hz + i] = took_us;
            windows[w] += took_us / hz;
        }
    }
    check(self, (uint64_t)WINDOWS * hz);
    qsort(windows, WINDOWS, sizeof *windows, compare);
    qsort(ticks_us, (size_t)WINDOWS * hz, sizeof *ticks_us, compare);
    printf("server.tick_us.%u %.2f us\n", cars, windows[WINDOWS / 2]);
    printf("server.tick_p99_us.%u %.2f us\n", cars, ticks_us[(size_t)WINDOWS * hz * 99 / 100]);
    free(ticks_us);
    destroy(self);
}

static bool is_wanted(int count, char **names, uint32_t cars) {
    char mean[64], slow[64];
    snprintf(mean, sizeof mean, "server.tick_us.%u", cars);
    snprintf(slow, sizeof slow, "server.tick_p99_us.%u", cars);
    return windows_is_wanted(count, names, mean) || windows_is_wanted(count, names, slow);
}

int main(int argc, char **argv) {
    static const uint32_t COUNTS[] = {64, 1024, 4096};
    apex_log_set_level(APEX_LOG_ERROR);
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        if (is_wanted(argc, argv, COUNTS[i])) {
            measure(COUNTS[i]);
        }
    }
    return 0;
}
