// A session and the server's buffer of its controls, with a link of stated delay, jitter and loss
// between them, in virtual time. The server is a tick, the buffer and snapshots: no race.
#pragma once

#include "support/base/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "test_client_script.h"
#include "client-lite/session/session.h"
#include "client-lite/session/session_controls.h"
#include "host/clients/controls_buffer.h"

enum {
    LOOP_UPDATE_US = 8000,
    LOOP_FLIGHTS = 128,
    LOOP_STEP_US = 500,
};

// One way: `delay_us` and up to `jitter_us` more, each packet for itself, so that they overtake.
typedef struct loop_link {
    uint64_t delay_us, jitter_us;
    double loss;
    uint64_t hold_every_us,
        hold_us; // now and then nothing passes for a while, and then all at once
} loop_link;

typedef struct loop_flight {
    uint64_t due_us; // 0: none
    bool is_up;
    apex_client_message up;
    apex_server_message down;
} loop_flight;

typedef struct controls_loop {
    script client;
    loop_link link;
    uint64_t seed;
    loop_flight flights[LOOP_FLIGHTS];
    size_t taken; // of what the client said

    uint32_t snapshot_ticks;
    double tick_us; // of the server
    double next_tick_us;
    uint32_t tick;
    host_controls_buffer buffer;
    apex_controls_counters counters;
    uint64_t next_update_us;
    bool client_asleep, server_asleep;

    uint64_t used, used_delay_us;          // from sampling to use, of ticks that had a sample
    double stamp_rate_min, stamp_rate_max; // of the client's stamps against its time
    double last_stamp;
    uint64_t last_stamp_us;
} controls_loop;

static inline double loop_random(controls_loop *self) {
    self->seed = self->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(self->seed >> 33) / 2147483648.0;
}

static inline void loop_send(controls_loop *self, loop_flight flight) {
    if (loop_random(self) < self->link.loss) {
        return;
    }
    double jitter_us = loop_random(self) * (double)self->link.jitter_us;
    flight.due_us = self->client.now_us + self->link.delay_us + (uint64_t)jitter_us + 1;
    uint64_t into_us =
        self->link.hold_every_us > 0 ? flight.due_us % self->link.hold_every_us : UINT64_MAX;
    flight.due_us += into_us < self->link.hold_us ? self->link.hold_us - into_us : 0;
    for (size_t i = 0; i < LOOP_FLIGHTS; i++) {
        if (self->flights[i].due_us == 0) {
            self->flights[i] = flight;
            return;
        }
    }
    ck_abort_msg("too many packets under way");
}

static inline void loop_send_said(controls_loop *self) {
    for (; self->taken < self->client.sent_count; self->taken++) {
        loop_send(self, (loop_flight){.is_up = true, .up = self->client.sent[self->taken]});
    }
    if (self->client.sent_count > SCRIPT_SENT_MAX / 2) {
        self->client.sent_count = self->taken = 0;
    }
}

static inline void loop_note_use(controls_loop *self) {
    const client_control_kept *kept =
        client_controls_find(&self->client.session->controls, self->tick);
    if (kept && self->buffer.used_tick == self->tick) {
        self->used++;
        self->used_delay_us += self->client.now_us - kept->sampled_us;
    }
}

static inline void loop_serve(controls_loop *self, const apex_client_message *said) {
    if (said->kind == APEX_CLIENT_CONTROLS) {
        host_controls_add(&self->buffer, &said->controls, self->tick, &self->counters);
    } else if (said->kind == APEX_CLIENT_TIME_REQUEST) {
        loop_flight reply = {.down.kind = APEX_SERVER_TIME_REPLY};
        reply.down.time_reply.client_us = said->client_us;
        reply.down.time_reply.tick = self->tick;
        loop_send(self, reply);
    }
}

// As the host does it: mail of the ticks before, then the controls of this one, then snapshots.
static inline void loop_server_tick(controls_loop *self) {
    for (size_t i = 0; i < LOOP_FLIGHTS; i++) {
        loop_flight *flight = &self->flights[i];
        if (flight->due_us != 0 && flight->is_up && flight->due_us <= self->client.now_us) {
            flight->due_us = 0;
            loop_serve(self, &flight->up);
        }
    }
    if (self->tick % self->snapshot_ticks == 0) {
        host_controls_told(&self->buffer);
    }
    self->tick++;
    host_controls_take(&self->buffer, self->tick, &self->counters);
    loop_note_use(self);
    if (self->tick % self->snapshot_ticks == 0) {
        loop_flight snapshot = {.down = script_snapshot(self->tick, NULL, 0)};
        snapshot.down.snapshot.controls_tick = self->buffer.used_tick;
        snapshot.down.snapshot.controls_depth = host_controls_least(&self->buffer);
        loop_send(self, snapshot);
    }
}

static inline void loop_note_rate(controls_loop *self) {
    double stamp = client_session_controls_tick(self->client.session, self->client.now_us);
    double elapsed_us = (double)(self->client.now_us - self->last_stamp_us);
    double rate = (stamp - self->last_stamp) / elapsed_us * self->tick_us;
    self->stamp_rate_min = rate < self->stamp_rate_min ? rate : self->stamp_rate_min;
    self->stamp_rate_max = rate > self->stamp_rate_max ? rate : self->stamp_rate_max;
    self->last_stamp = stamp;
    self->last_stamp_us = self->client.now_us;
}

static inline void loop_client_step(controls_loop *self) {
    bool woken = false;
    for (size_t i = 0; i < LOOP_FLIGHTS; i++) {
        loop_flight *flight = &self->flights[i];
        if (flight->due_us != 0 && !flight->is_up && flight->due_us <= self->client.now_us) {
            flight->due_us = 0;
            script_tell(&self->client, &flight->down);
            woken = true;
        }
    }
    if (woken || self->client.now_us >= self->next_update_us) {
        self->next_update_us = self->client.now_us + LOOP_UPDATE_US;
        client_session_update(self->client.session, self->client.now_us);
        script_drain(&self->client);
        loop_note_rate(self);
    }
    loop_send_said(self);
}

static inline void loop_run(controls_loop *self, double seconds) {
    uint64_t end_us = self->client.now_us + (uint64_t)(seconds * 1e6);
    while (self->client.now_us < end_us) {
        self->client.now_us += LOOP_STEP_US;
        while ((double)self->client.now_us >= self->next_tick_us) {
            self->next_tick_us += self->tick_us;
            if (!self->server_asleep) {
                loop_server_tick(self);
            }
        }
        if (!self->client_asleep) {
            loop_client_step(self);
        }
    }
}

static inline void loop_forget(controls_loop *self) {
    memset(&self->counters, 0, sizeof self->counters);
    memset(&self->client.session->controls.effect_us, 0, sizeof(apex_histogram));
    self->used = self->used_delay_us = 0;
    self->stamp_rate_min = 1e9;
    self->stamp_rate_max = -1e9;
}

// @param tick_hz of the race. @param speed_permille its rate over real time.
static inline void loop_begin_at(controls_loop *self, loop_link link, uint64_t seed,
                                 uint32_t tick_hz, uint32_t speed_permille) {
    memset(self, 0, sizeof *self);
    apex_client_def def = script_def();
    def.silence_timeout_us = 60000000;
    def.controls_lead_ticks = 3;
    self->client = script_begin(&def);
    self->link = link;
    self->seed = seed * 7919 + 1;
    for (int i = 0; i < 4; i++) {
        loop_random(self);
    }
    self->tick = 600;
    self->snapshot_ticks = tick_hz / 20;
    self->tick_us = 1e9 / ((double)tick_hz * speed_permille);
    self->next_tick_us = (double)self->client.now_us + loop_random(self) * self->tick_us;
    host_controls_reset(&self->buffer);
    apex_server_message welcome = script_welcome();
    apex_server_message joined = script_joined(7, 3);
    welcome.welcome.tick_hz = tick_hz;
    welcome.welcome.speed_permille = speed_permille;
    script_welcomed(&self->client, &welcome);
    script_tell(&self->client, &joined);
    self->taken = self->client.sent_count;
    // The welcome was under way for as long as anything is.
    self->tick += (uint32_t)((double)link.delay_us / self->tick_us);
    loop_forget(self);
}

static inline void loop_begin(controls_loop *self, loop_link link, uint64_t seed) {
    loop_begin_at(self, link, seed, 60, 1000);
}

static inline void loop_end(controls_loop *self) {
    script_end(&self->client);
}

static inline double loop_on_tick(const controls_loop *self) {
    uint64_t all = self->counters.used_on_tick + self->counters.missed;
    return all > 0 ? (double)self->counters.used_on_tick / (double)all : 0.0;
}

static inline double loop_mean_depth(const controls_loop *self) {
    double sum = 0.0;
    for (uint32_t depth = 0; depth < APEX_CONTROLS_DEPTHS; depth++) {
        sum += (double)depth * (double)self->counters.depths[depth];
    }
    return sum / (double)self->counters.used_on_tick;
}

static inline double loop_use_delay_ms(const controls_loop *self) {
    return (double)self->used_delay_us / (double)self->used / 1000.0;
}
