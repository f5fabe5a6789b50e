// The viewers that are due for snapshots, telemetry, standings or the race's state: found in one
// walk over all clients.

#include "host/views/due.h"

#include "base/assert.h"
#include "base/log.h"

enum { STANDINGS_HZ = 2, AGAIN_HZ = 2, SLOWED = 4 };

// Each viewer at another time: with thousands of them, each with a line of the standings of his
// own, sending to all at a time is a tick of tens of milliseconds.
static bool is_turn(uint64_t tick, uint32_t turn, uint32_t period_ticks) {
    return period_ticks > 0 && (tick + turn) % period_ticks == 0;
}

// What has a rate stops for a viewer that says nothing: it may hang, or never have meant to look,
// and link and library would go on taking what it is sent. Half-way there it is told less often
// (DECISIONS 50).
// @return by how much its periods grow; 0: it is told nothing.
static uint32_t patience(const host_frame *frame, host_clients *clients, host_client *client) {
    double silence_s = frame->setup->file.viewer_silence_s;
    uint64_t silent_us = frame->now_us - client->heard_us;
    bool was_paused = client->is_paused;
    client->is_paused = silence_s > 0.0 && (double)silent_us >= silence_s * 1e6;
    clients->paused_silent += client->is_paused && !was_paused;
    if (client->is_paused) {
        return 0;
    }
    return silence_s > 0.0 && (double)silent_us >= silence_s * 0.5e6 ? SLOWED : 1;
}

static bool allocate_due(host_frame *frame, uint32_t capacity) {
    frame->outbox = apex_arena_alloc(frame->arena, capacity * sizeof *frame->outbox);
    frame->telemetry_due = apex_arena_alloc(frame->arena, capacity * sizeof *frame->telemetry_due);
    frame->standings_due = apex_arena_alloc(frame->arena, capacity * sizeof *frame->standings_due);
    frame->race_state_due =
        apex_arena_alloc(frame->arena, capacity * sizeof *frame->race_state_due);
    return frame->outbox != NULL && frame->telemetry_due != NULL && frame->standings_due != NULL &&
           frame->race_state_due != NULL;
}

// Of a recording that stands still, or goes slowly, the same tick is sent again only now and then,
// for clients that the first one may not have reached.
static bool is_worth_it(const host_frame *frame, uint32_t *told_tick1, uint32_t turn, bool is_due) {
    if (!is_due) {
        return false;
    }
    uint32_t tick1 = frame->shown_tick + 1;
    if (*told_tick1 == tick1 && !frame->has_jumped &&
        !is_turn(frame->round, turn, frame->tick_hz / AGAIN_HZ)) {
        return false;
    }
    *told_tick1 = tick1;
    return true;
}

static host_outbox *address(host_frame *frame, host_clients *clients, const host_client *client) {
    host_outbox *outbox = &frame->outbox[frame->outbox_count++];
    outbox->client = client;
    outbox->memory = client->wants_deltas ? host_client_memory(clients, client) : NULL;
    outbox->has_own = false;
    outbox->only_nearest = false;
    outbox->packets = NULL;
    frame->is_whole_due |= !client->wants_deltas;
    return outbox;
}

// Who races side by side with others is told of them between his snapshots, while the server has
// nothing else to do and his snapshots leave bytes for it (DECISIONS 65). A race that outruns the
// clock waits for its drivers: more snapshots would be more to wait for.
static bool may_tell_nearest(const host_frame *frame) {
    bool is_raced =
        frame->snapshot.phase == APEX_PHASE_RACE || frame->snapshot.phase == APEX_PHASE_FINISH;
    return is_raced && frame->strain == HOST_STRAIN_NONE && frame->setup->speed_permille != 0;
}

static bool is_nearest_due(const host_frame *frame, host_clients *clients,
                           const host_client *client) {
    return client->wants_deltas && client->viewer.own_car != 0 &&
           is_turn(frame->round, client->viewer.turn, client->nearest_period_ticks) &&
           apex_viewer_nearest_bytes(host_client_memory(clients, client)) > 0;
}

void host_find_due(host_frame *frame, host_clients *clients) {
    APEX_ASSERT(clients->end <= clients->capacity && frame->outbox_count == 0);
    APEX_ASSERT(frame->tick_hz >= STANDINGS_HZ);
    APEX_ASSERT(frame->tick_hz >= AGAIN_HZ);
    uint64_t round = frame->round;
    uint32_t standings_period = frame->tick_hz / STANDINGS_HZ;
    bool has_jumped = frame->has_jumped, tells_nearest = may_tell_nearest(frame);
    // Half the rate while there is too much to do.
    uint32_t stretch = frame->strain >= HOST_STRAIN_HALF_RATE ? 2 : 1;
    if (!allocate_due(frame, clients->end)) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for a list of viewers");
        return;
    }
    for (uint32_t i = 0; i < clients->end; i++) {
        host_client *client = &clients->at[i];
        if (!client->admitted) {
            continue;
        }
        uint32_t slowed = patience(frame, clients, client);
        apex_viewer viewer = {.period_ticks = slowed * stretch * client->viewer.period_ticks,
                              .turn = client->viewer.turn};
        if (is_worth_it(frame, &client->shown_tick1, viewer.turn,
                        (has_jumped && viewer.period_ticks > 0) ||
                            apex_viewer_is_due(&viewer, round))) {
            (void)address(frame, clients, client);
            host_controls_told(&client->controls); // in the snapshot that it is due
        } else if (tells_nearest && slowed == 1 && is_nearest_due(frame, clients, client)) {
            address(frame, clients, client)->only_nearest = true;
            frame->nearest_count++;
        }
        bool is_measured =
            is_turn(round, client->viewer.turn, slowed * client->telemetry_period_ticks);
        if (is_worth_it(frame, &client->measured_tick1, viewer.turn, is_measured)) {
            frame->telemetry_due[frame->telemetry_count++].place = i;
        }
        bool is_listed =
            has_jumped || is_turn(round, client->viewer.turn, slowed * standings_period);
        if (client->wants_standings && slowed > 0 && is_listed) {
            frame->standings_due[frame->standings_count++] = i;
        }
        if (has_jumped || is_turn(round, client->viewer.turn, frame->tick_hz)) {
            frame->race_state_due[frame->race_state_count++] = i;
        }
    }
}
