// A car is shown on a curve between two samples, or carried on after the last of them.
#include "client-lite/view/interpolate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "client-lite/view/pose.h"

// What a car was told to do is believed for so long. After that it goes on along the road, or less
// far without one, but only while others are heard of: else the line is what is silent.
static const double EXTRAPOLATED_S_MAX = 0.25;
static const double ON_ROAD_S_MAX = 6.0, OFF_ROAD_S_MAX = 3.0;
// Between samples so far apart a car keeps to the road.
static const double ROAD_GAP_S = 0.4;
// A correction larger than this is shown as the jump that it is.
static const double SNAP_M = 5.0;
static const double SNAP_RAD = 1.0;
// Of a car that is heard of so rarely, one that is larger than that and this share of its way
// since; a smaller one is taken back no faster than it might drive.
static const double RARE_SNAP_M = 15.0, RARE_SNAP_SHARE = 0.5;
static const double EASE_SHARE = 0.7, EASE_MPS = 6.0, EASED_M = 0.05;
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

/// The last two samples along the road, if they are far apart.
typedef struct road_way {
    bool is_known, was_put;
    uint32_t from_tick, to_tick;
    client_road_place from, to;
    double way_m;
} road_way;

/// Where the road has taken the car since a sample.
typedef struct road_ride {
    bool is_known;
    uint32_t of_tick;
    double ahead_s; ///< after what was told was believed
    client_road_place place;
} road_ride;

typedef struct client_track {
    uint32_t id;
    uint32_t count;
    sample samples[CLIENT_SAMPLES_KEPT]; ///< by tick, oldest first
    road_way way;
    road_ride ride;
    bool eases;            ///< its offset is that of a rare car
    client_offset offset;  ///< what is shown is off by this, less and less
    double interval_ticks; ///< mean of the ways from one sample to the next
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

void client_interpolation_ride(client_interpolation *self, client_road *road) {
    self->road = road;
}

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

// The same of samples far apart, between which much may have happened.
static bool was_put_far(const apex_client_pose *from, const apex_client_pose *to, double span_s) {
    const double SLACK_M = 15.0, FASTER = 1.4;
    double faster_mps = fmax(hypot(from->velocity_mps[0], from->velocity_mps[1]),
                             hypot(to->velocity_mps[0], to->velocity_mps[1]));
    double way_m =
        hypot(to->position_m[0] - from->position_m[0], to->position_m[1] - from->position_m[1]);
    return way_m > FASTER * faster_mps * span_s + SLACK_M;
}

// So that the curve between two samples does not swing beyond them: who came to a stop in between
// has not first gone on as before.
static void bound_rate(apex_client_pose *pose, double way_m, double span_s) {
    double speed_mps = hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
    double most_mps = 3.0 * way_m / span_s;
    double share = speed_mps > most_mps ? most_mps / speed_mps : 1.0;
    for (int i = 0; i < 3; i++) {
        pose->velocity_mps[i] *= share;
    }
}

static double seconds_between(const client_interpolation *self, uint32_t from, double to) {
    return (to - (double)from) / self->tick_hz;
}

// Where the road has taken a car since it was told of; NULL if it is on none.
static const client_road_place *ride(const client_interpolation *self, client_track *track,
                                     const sample *from, const apex_client_pose *told) {
    const road_way *way = &track->way;
    road_ride *ride = &track->ride;
    if (!self->road) {
        return NULL;
    }
    if (ride->of_tick != from->tick || !ride->is_known) {
        bool was_there = way->is_known && way->to_tick == from->tick;
        *ride = (road_ride){.is_known = true, .of_tick = from->tick};
        ride->place = client_road_find(self->road, told, was_there ? &way->to : NULL);
    }
    return ride->place.is_on ? &ride->place : NULL;
}

// Step by step: what is learnt of speeds meanwhile moves nobody who has passed there.
static void ride_on(const client_interpolation *self, client_track *track, double ahead_s) {
    road_ride *ride = &track->ride;
    ride->place = client_road_ahead(self->road, &ride->place, ahead_s - ride->ahead_s);
    ride->ahead_s = fmax(ahead_s, ride->ahead_s);
}

static void go_straight(apex_client_pose *pose, double ahead_s) {
    for (int i = 0; i < 3; i++) {
        pose->position_m[i] += pose->velocity_mps[i] * ahead_s;
    }
}

static apex_client_pose carry_on(const client_interpolation *self, client_track *track,
                                 const sample *from, double tick) {
    apex_client_pose pose = client_pose_of_wire(&from->car, (double)from->tick);
    double ahead_s = seconds_between(self, from->tick, tick), told_s = EXTRAPOLATED_S_MAX;
    double silent_s = seconds_between(self, from->tick, (double)self->presentation.newest_tick);
    bool is_held = (pose.flags & APEX_CAR_FLAG_HELD) != 0;
    client_pose_turn_on(&pose, fmin(ahead_s, told_s));
    pose.extrapolated = ahead_s > 0.0;
    pose.tick = tick;
    if (ahead_s <= told_s) {
        return pose;
    }
    const client_road_place *place = ride(self, track, from, &pose);
    double most_s = told_s + fmax(fmin(silent_s, place ? ON_ROAD_S_MAX : OFF_ROAD_S_MAX), 0.0);
    pose.stale = ahead_s > most_s;
    ahead_s = pose.stale ? most_s : ahead_s;
    pose.tick = (double)from->tick + ahead_s * self->tick_hz;
    if (place && !is_held) {
        ride_on(self, track, ahead_s - told_s);
        client_road_put(self->road, place, &pose);
    } else if (!is_held) {
        go_straight(&pose, ahead_s - told_s);
    }
    return pose;
}

// The way between two samples that are far apart, as the road goes.
static apex_client_pose go_way(const client_interpolation *self, const road_way *way,
                               const sample *from, double tick) {
    apex_client_pose pose = client_pose_of_wire(&from->car, tick);
    double span_s = seconds_between(self, way->from_tick, (double)way->to_tick);
    double share = seconds_between(self, way->from_tick, tick) / span_s;
    client_road_place place = client_road_between(&way->from, &way->to, way->way_m, share, span_s);
    client_road_put(self->road, &place, &pose);
    return pose;
}

static apex_client_pose pose_at(const client_interpolation *self, client_track *track,
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
    if (after == track->count) {
        return carry_on(self, track, from, tick);
    }
    const sample *next = &track->samples[after];
    const road_way *way = &track->way;
    if (way->is_known && way->from_tick == from->tick && way->to_tick == next->tick) {
        return way->was_put ? carry_on(self, track, from, tick) : go_way(self, way, from, tick);
    }
    apex_client_pose to = client_pose_of_wire(&next->car, (double)next->tick);
    double span_s = (to.tick - pose.tick) / self->tick_hz;
    double share = (tick - pose.tick) / (to.tick - pose.tick);
    if (span_s >= ROAD_GAP_S) {
        if (was_put_far(&pose, &to, span_s)) {
            return carry_on(self, track, from, tick);
        }
        double way_m =
            hypot(to.position_m[0] - pose.position_m[0], to.position_m[1] - pose.position_m[1]);
        bound_rate(&pose, way_m, span_s);
        bound_rate(&to, way_m, span_s);
    } else if (was_put(&pose, &to, span_s)) {
        return pose;
    }
    apex_client_pose between = client_pose_curve(&pose, &to, share, span_s);
    between.gear = pose.gear, between.flags = pose.flags;
    return between;
}

// Some cars come with every snapshot and some, far away, with every tenth: shown with the others
// they would stand still and leap.
static double wanted_lag(const client_presentation_clock *clock, const client_track *track) {
    double more = track->interval_ticks - clock->interval_ticks;
    double most = CLIENT_PRESENTATION_DELAY_S_MAX * clock->ticks_per_s - clock->delay_ticks;
    bool is_rare = track->interval_ticks > RARE * clock->interval_ticks;
    return is_rare && !clock->paused ? fmax(fmin(more, most), 0.0) : 0.0;
}

static double speed_of(const client_track *track) {
    const apex_wire_car *car = &track->samples[track->count - 1].car;
    return 0.01 * hypot(car->vx_cmps, car->vy_cmps);
}

static void take_back(client_track *track, double elapsed_s) {
    if (!track->eases) {
        client_offset_decay(&track->offset, elapsed_s);
        return;
    }
    client_offset_ease(&track->offset, elapsed_s, EASE_MPS + EASE_SHARE * speed_of(track));
    track->eases = client_offset_m(&track->offset) > EASED_M;
}

// @return the tick of the moment that is shown of this car.
static double update(client_interpolation *self, client_track *track, uint64_t now_us) {
    double moment = client_presentation_tick(&self->presentation, now_us);
    if (now_us > track->updated_us) {
        double elapsed_s = (double)(now_us - track->updated_us) / 1e6;
        double most = LAG_SLEW * elapsed_s * self->presentation.ticks_per_s;
        double off = wanted_lag(&self->presentation, track) - track->lag_ticks;
        track->lag_ticks += off > most ? most : off < -most ? -most : off;
        take_back(track, elapsed_s);
        track->updated_us = now_us;
    }
    return moment - track->lag_ticks;
}

static void count_interval(client_track *track, uint32_t tick) {
    uint32_t newest = track->count > 0 ? track->samples[track->count - 1].tick : tick;
    if (tick <= newest) {
        return;
    }
    double settling = 1.0 / (double)(++track->interval_count);
    double gain = fmax(settling, CLIENT_PRESENTATION_INTERVAL_GAIN);
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

// Samples far apart: which way the car has gone between them.
static void note_way(client_interpolation *self, client_track *track) {
    if (!self->road || track->count < 2) {
        return;
    }
    const sample *from = &track->samples[track->count - 2], *to = from + 1;
    double span_s = seconds_between(self, from->tick, (double)to->tick);
    if (span_s < ROAD_GAP_S) {
        return;
    }
    apex_client_pose before = client_pose_of_wire(&from->car, (double)from->tick);
    apex_client_pose after = client_pose_of_wire(&to->car, (double)to->tick);
    road_way way = {.from_tick = from->tick, .to_tick = to->tick};
    bool was_there = track->way.is_known && track->way.to_tick == from->tick;
    way.from = was_there ? track->way.to : client_road_find(self->road, &before, NULL);
    client_road_place guess = client_road_ahead(self->road, &way.from, span_s);
    way.to = client_road_find(self->road, &after, &guess);
    way.is_known = way.from.is_on && way.to.is_on;
    way.was_put =
        way.is_known && !client_road_way_m(self->road, &way.from, &way.to, span_s, &way.way_m);
    track->way = way;
    client_road_learn(self->road, &way.to);
}

// What is shown goes on from where it was, unless that is too far off.
static void hide_jump(const client_interpolation *self, client_track *track,
                      const apex_client_pose *before, double moment, uint32_t newest) {
    double gap_s = seconds_between(self, newest, (double)track->samples[track->count - 1].tick);
    bool is_rare = (int32_t)(self->heard_tick - newest) > 0; // others were heard of meanwhile
    apex_client_pose after = pose_at(self, track, moment);
    client_offset jump = client_offset_between(before, &after);
    client_offset_add(&track->offset, &jump);
    track->eases = track->eases || (is_rare && gap_s >= ROAD_GAP_S);
    double way_m =
        gap_s * fmax(speed_of(track), hypot(before->velocity_mps[0], before->velocity_mps[1]));
    double most_m = track->eases ? RARE_SNAP_M + RARE_SNAP_SHARE * way_m : SNAP_M;
    bool is_turned = !track->eases && client_offset_rad(&track->offset) > SNAP_RAD;
    if (client_offset_m(&track->offset) > most_m || is_turned) {
        track->offset = (client_offset){0};
    }
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
    if (!insert(track, car, tick)) {
        return;
    }
    if (tick > newest) {
        note_way(self, track);
    }
    if (bends) {
        hide_jump(self, track, &before, moment, newest);
    }
}

void client_interpolation_take(client_interpolation *self, const apex_snapshot_message *part,
                               double ticks_per_s, uint64_t now_us) {
    if (!self->presentation.begun || part->tick > self->presentation.newest_tick) {
        self->heard_tick = self->presentation.newest_tick;
        client_presentation_arrival(&self->presentation, part->tick, ticks_per_s, now_us);
    }
    for (uint32_t i = 0; i < part->car_count; i++) {
        client_interpolation_take_car(self, &part->cars[i], part->tick, now_us);
    }
}

void client_interpolation_pace(client_interpolation *self, double tick, double ticks_per_s,
                               uint64_t now_us) {
    double before_per_s = self->presentation.ticks_per_s;
    client_presentation_pace(&self->presentation, tick, ticks_per_s, now_us);
    if (self->presentation.paused || before_per_s <= 0.0) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        self->tracks[i]->interval_ticks *= ticks_per_s / before_per_s;
        self->tracks[i]->lag_ticks *= ticks_per_s / before_per_s;
    }
}

void client_interpolation_hold(client_interpolation *self, uint64_t now_us) {
    client_presentation_hold(&self->presentation, now_us);
}

void client_interpolation_forget(client_interpolation *self) {
    for (size_t i = 0; i < self->count; i++) {
        free(self->tracks[i]);
    }
    self->count = 0;
    client_presentation_forget(&self->presentation);
}

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
        .delay_s = client_presentation_delay_s(&self->presentation),
        .cars = self->shown,
        .extrapolated = self->extrapolated,
        .stale = self->stale,
        .age_s_p50 = client_spread_quantile(&self->age_s, 0.5),
        .age_s_p99 = client_spread_quantile(&self->age_s, 0.99),
    };
}
