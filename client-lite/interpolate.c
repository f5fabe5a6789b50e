#include "client-lite/interpolate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "client-lite/pose.h"

// What a car does without a word from the server is believed for so long.
static const double EXTRAPOLATED_S_MAX = 0.25;
// A correction larger than this is shown as the jump that it is.
static const double SNAP_M = 5.0;
static const double SNAP_RAD = 1.0;
// Two samples farther apart than their speeds explain: the car was put somewhere else.
static const double PUT_M = 3.0;
static const double PUT_SHARE = 0.25;
// A car that comes so much more rarely than snapshots do is shown later than others.
static const double RARE = 1.5;
static const double LAG_SLEW = 0.1;

typedef struct sample {
    uint32_t tick;
    apex_wire_car car;
} sample;

typedef struct client_track {
    uint32_t id;
    uint32_t count;
    sample samples[CLIENT_SAMPLES_KEPT]; ///< by tick, oldest first
    client_offset offset;                ///< what is shown is off by this, less and less
    double interval_ticks;               ///< mean of the ways from one sample to the next
    uint32_t interval_count;
    double lag_ticks; ///< behind the moment of all: it is heard of more rarely than others
    uint64_t updated_us;
    bool was_shown;
} client_track;

void client_interpolation_begin(client_interpolation *self, uint32_t tick_hz) {
    client_interpolation_free(self);
    self->tick_hz = tick_hz;
}

void client_interpolation_free(client_interpolation *self) {
    for (size_t i = 0; i < self->count; i++) {
        free(self->tracks[i]);
    }
    free(self->tracks);
    *self = (client_interpolation){0};
}

// --- Tracks --------------------------------------------------------------------------------------

// First index whose id is not below `car`.
static size_t lower_bound(const client_interpolation *self, uint32_t car) {
    size_t begin = 0;
    size_t end = self->count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (self->tracks[middle]->id < car) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

static bool has_room(client_interpolation *self) {
    if (self->count < self->capacity) {
        return true;
    }
    if (self->capacity >= CLIENT_CARS_MAX) {
        return false;
    }
    size_t capacity = self->capacity == 0 ? 16 : 2 * self->capacity;
    client_track **tracks = realloc(self->tracks, capacity * sizeof *tracks);
    if (tracks) {
        self->tracks = tracks;
        self->capacity = capacity;
    }
    return tracks != NULL;
}

static client_track *track_for(client_interpolation *self, uint32_t car) {
    size_t at = lower_bound(self, car);
    if (at < self->count && self->tracks[at]->id == car) {
        return self->tracks[at];
    }
    client_track *track = has_room(self) ? calloc(1, sizeof *track) : NULL;
    if (track) {
        track->id = car;
        memmove(self->tracks + at + 1, self->tracks + at,
                (self->count - at) * sizeof *self->tracks);
        self->tracks[at] = track;
        self->count++;
    }
    return track;
}

// --- A car at a moment ---------------------------------------------------------------------------

static bool was_put(const apex_client_pose *from, const apex_client_pose *to, double span_s) {
    double square = 0.0, way_m = 0.0;
    for (int i = 0; i < 3; i++) {
        double mean_mps = 0.5 * (from->velocity_mps[i] + to->velocity_mps[i]);
        double off_m = to->position_m[i] - from->position_m[i] - mean_mps * span_s;
        square += off_m * off_m;
        way_m += fabs(mean_mps) * span_s;
    }
    double most_m = PUT_M + PUT_SHARE * way_m;
    return square > most_m * most_m;
}

static apex_client_pose pose_at(const client_interpolation *self, const client_track *track,
                                double tick) {
    uint32_t after = track->count; // found from the end, which is near
    while (after > 0 && (double)track->samples[after - 1].tick > tick) {
        after--;
    }
    const sample *from = &track->samples[after > 0 ? after - 1 : 0];
    apex_client_pose pose = client_pose_of_wire(&from->car, (double)from->tick);
    if (after == 0) {
        return pose; // before anything was known of it
    }
    if (after < track->count) {
        const sample *next = &track->samples[after];
        apex_client_pose to = client_pose_of_wire(&next->car, (double)next->tick);
        double span_s = (to.tick - pose.tick) / self->tick_hz;
        double share = (tick - pose.tick) / (to.tick - pose.tick);
        if (was_put(&pose, &to, span_s)) {
            return pose;
        }
        apex_client_pose between = client_pose_curve(&pose, &to, share, span_s);
        between.gear = pose.gear, between.flags = pose.flags;
        return between;
    }
    double ahead_s = (tick - pose.tick) / self->tick_hz;
    pose.extrapolated = ahead_s > 0.0;
    pose.stale = ahead_s > EXTRAPOLATED_S_MAX;
    ahead_s = pose.stale ? EXTRAPOLATED_S_MAX : ahead_s;
    client_pose_turn_on(&pose, ahead_s);
    pose.tick += ahead_s * self->tick_hz;
    return pose;
}

// Some cars come with every snapshot and some, far away, with every tenth: shown with the others
// they would stand still and leap.
static double wanted_lag(const client_playback *playback, const client_track *track) {
    double more = track->interval_ticks - playback->interval_ticks;
    double most = CLIENT_PLAYBACK_DELAY_S_MAX * playback->ticks_per_s - playback->delay_ticks;
    bool is_rare = track->interval_ticks > RARE * playback->interval_ticks;
    return is_rare && !playback->paused ? fmax(fmin(more, most), 0.0) : 0.0;
}

// @return the tick of the moment that is shown of this car.
static double update(client_interpolation *self, client_track *track, uint64_t now_us) {
    double moment = client_playback_tick(&self->playback, now_us);
    if (now_us > track->updated_us) {
        double elapsed_s = (double)(now_us - track->updated_us) / 1e6;
        double most = LAG_SLEW * elapsed_s * self->playback.ticks_per_s;
        double off = wanted_lag(&self->playback, track) - track->lag_ticks;
        track->lag_ticks += off > most ? most : off < -most ? -most : off;
        client_offset_decay(&track->offset, elapsed_s);
        track->updated_us = now_us;
    }
    return moment - track->lag_ticks;
}

// --- What comes ----------------------------------------------------------------------------------

static void count_interval(client_track *track, uint32_t tick) {
    uint32_t newest = track->count > 0 ? track->samples[track->count - 1].tick : tick;
    if (tick <= newest) {
        return;
    }
    double settling = 1.0 / (double)(++track->interval_count);
    double gain = fmax(settling, CLIENT_PLAYBACK_INTERVAL_GAIN);
    track->interval_ticks += gain * ((double)(tick - newest) - track->interval_ticks);
}

static bool insert(client_track *track, const apex_wire_car *car, uint32_t tick) {
    uint32_t at = track->count;
    while (at > 0 && track->samples[at - 1].tick > tick) {
        at--;
    }
    if (at > 0 && track->samples[at - 1].tick == tick) {
        return false;
    }
    if (track->count == CLIENT_SAMPLES_KEPT) {
        if (at == 0) {
            return false;
        }
        at--;
        memmove(track->samples, track->samples + 1, at * sizeof *track->samples);
    } else {
        memmove(track->samples + at + 1, track->samples + at,
                (track->count - at) * sizeof *track->samples);
        track->count++;
    }
    track->samples[at] = (sample){.tick = tick, .car = *car};
    return true;
}

void client_interpolation_take_car(client_interpolation *self, const apex_wire_car *car,
                                   uint32_t tick, uint64_t now_us) {
    client_track *track = track_for(self, car->id);
    if (!track) {
        return;
    }
    double moment = update(self, track, now_us);
    uint32_t newest = track->count > 0 ? track->samples[track->count - 1].tick : 0;
    bool bends = track->was_shown && track->count > 0 && (moment >= newest || tick < newest);
    count_interval(track, tick);
    apex_client_pose before = bends ? pose_at(self, track, moment) : (apex_client_pose){0};
    if (!insert(track, car, tick) || !bends) {
        return;
    }
    // Where this bends the way that was being shown, it goes on from there.
    apex_client_pose after = pose_at(self, track, moment);
    client_offset jump = client_offset_between(&before, &after);
    client_offset_add(&track->offset, &jump);
    if (client_offset_m(&track->offset) > SNAP_M || client_offset_rad(&track->offset) > SNAP_RAD) {
        track->offset = (client_offset){0};
    }
}

void client_interpolation_take(client_interpolation *self, const apex_snapshot_message *part,
                               double ticks_per_s, uint64_t now_us) {
    if (!self->playback.begun || part->tick > self->playback.newest_tick) {
        client_playback_arrival(&self->playback, part->tick, ticks_per_s, now_us);
    }
    for (uint32_t i = 0; i < part->car_count; i++) {
        client_interpolation_take_car(self, &part->cars[i], part->tick, now_us);
    }
}

// --- Another pace, another time ------------------------------------------------------------------

void client_interpolation_pace(client_interpolation *self, double tick, double ticks_per_s,
                               uint64_t now_us) {
    double before_per_s = self->playback.ticks_per_s;
    client_playback_pace(&self->playback, tick, ticks_per_s, now_us);
    if (self->playback.paused || before_per_s <= 0.0) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        self->tracks[i]->interval_ticks *= ticks_per_s / before_per_s;
        self->tracks[i]->lag_ticks *= ticks_per_s / before_per_s;
    }
}

void client_interpolation_hold(client_interpolation *self, uint64_t now_us) {
    client_playback_hold(&self->playback, now_us);
}

void client_interpolation_forget(client_interpolation *self) {
    for (size_t i = 0; i < self->count; i++) {
        free(self->tracks[i]);
    }
    self->count = 0;
    client_playback_forget(&self->playback);
}

// --- What is shown -------------------------------------------------------------------------------

static bool has_car(const client_snapshots *snapshots, size_t *next, uint32_t car) {
    while (*next < snapshots->count && snapshots->cars[*next].id < car) {
        (*next)++;
    }
    return *next < snapshots->count && snapshots->cars[*next].id == car;
}

// Cars that have left.
static void sweep(client_interpolation *self, const client_snapshots *snapshots) {
    size_t kept = 0, next = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (has_car(snapshots, &next, self->tracks[i]->id)) {
            self->tracks[kept++] = self->tracks[i];
        } else {
            free(self->tracks[i]);
        }
    }
    self->count = kept;
}

static apex_client_pose show(client_interpolation *self, client_track *track, uint64_t now_us) {
    apex_client_pose pose = pose_at(self, track, update(self, track, now_us));
    client_pose_shift(&pose, &track->offset);
    track->was_shown = true;
    self->shown++;
    self->extrapolated += pose.extrapolated;
    self->stale += pose.stale;
    return pose;
}

size_t client_interpolation_show(client_interpolation *self, const client_snapshots *snapshots,
                                 uint64_t now_us, const client_frame *frame) {
    sweep(self, snapshots);
    size_t count = self->count < frame->capacity ? self->count : frame->capacity;
    for (size_t i = 0; i < count; i++) {
        frame->out[i] = show(self, self->tracks[i], now_us);
        double age_s = (frame->server_tick - frame->out[i].tick) / self->tick_hz;
        client_spread_add(&self->age_s, age_s > 0.0 ? age_s : 0.0);
    }
    return count;
}

apex_client_showing client_interpolation_stats(const client_interpolation *self) {
    return (apex_client_showing){
        .delay_s = client_playback_delay_s(&self->playback),
        .cars = self->shown,
        .extrapolated = self->extrapolated,
        .stale = self->stale,
        .age_s_p50 = client_spread_quantile(&self->age_s, 0.5),
        .age_s_p99 = client_spread_quantile(&self->age_s, 0.99),
    };
}
