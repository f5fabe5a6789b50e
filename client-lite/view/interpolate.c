// Each car is shown at a moment of its own, off by what hides the jumps of newer samples.
#include "client-lite/view/interpolate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/view/car_samples.h"
#include "client-lite/view/pose.h"

// A correction larger than this is shown as the jump that it is.
static const double SNAP_M = 5.0;
static const double SNAP_RAD = 1.0;
// Of a car that is heard of so rarely, one that is larger than that and this share of its way
// since; a smaller one is taken back no faster than it might drive.
static const double RARE_SNAP_M = 15.0, RARE_SNAP_SHARE = 0.5;
static const double EASE_SHARE = 0.7, EASE_MPS = 6.0, EASED_M = 0.05;
// A car that comes so much more rarely than snapshots do is shown later than others.
static const double RARE = 1.5;
static const double LAG_SLEW = 0.1;

typedef struct client_track {
    uint32_t id;
    client_car_samples heard;
    bool eases;           ///< its offset is that of a rare car
    client_offset offset; ///< by which the pose shown is off, less and less
    double lag_ticks;     ///< behind the moment of all: it is heard of more rarely than others
    uint64_t updated_us;
    bool was_shown;
} client_track;

static client_samples_scene scene_of(const client_interpolation *self) {
    return (client_samples_scene){.tick_hz = self->tick_hz,
                                  .newest_tick = self->presentation.newest_tick,
                                  .road = self->road};
}

static apex_client_pose pose_at(const client_interpolation *self, client_track *track,
                                double tick) {
    client_samples_scene scene = scene_of(self);
    return client_samples_pose(&scene, &track->heard, tick);
}

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
    if (tracks != NULL) {
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
    if (track != NULL) {
        track->id = car;
        memmove(self->tracks + at + 1, self->tracks + at,
                (self->count - at) * sizeof *self->tracks);
        self->tracks[at] = track;
        self->count++;
    }
    return track;
}

// Some cars come with every snapshot and some, far away, with every tenth: shown with the others
// they would stand still and leap.
static double wanted_lag(const client_presentation_clock *clock, const client_track *track) {
    double more = track->heard.interval_ticks - clock->interval_ticks;
    double most = CLIENT_PRESENTATION_DELAY_S_MAX * clock->ticks_per_s - clock->delay_ticks;
    bool is_rare = track->heard.interval_ticks > RARE * clock->interval_ticks;
    return is_rare && !clock->paused ? fmax(fmin(more, most), 0.0) : 0.0;
}

static double speed_of(const client_track *track) {
    const apex_wire_car *car = &track->heard.list[track->heard.count - 1].car;
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

// The pose shown goes on from where it was, unless that is too far off.
static void hide_jump(const client_interpolation *self, client_track *track,
                      const apex_client_pose *before, double moment, uint32_t newest) {
    client_samples_scene scene = scene_of(self);
    double gap_s = client_samples_seconds(&scene, newest,
                                          (double)track->heard.list[track->heard.count - 1].tick);
    bool is_rare = (int32_t)(self->heard_tick - newest) > 0; // others were heard of meanwhile
    apex_client_pose after = pose_at(self, track, moment);
    client_offset jump = client_offset_between(before, &after);
    client_offset_add(&track->offset, &jump);
    track->eases = track->eases || (is_rare && gap_s >= CLIENT_ROAD_GAP_S);
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
    if (track == NULL) {
        return;
    }
    double moment = update(self, track, now_us);
    uint32_t newest = track->heard.count > 0 ? track->heard.list[track->heard.count - 1].tick : 0;
    bool bends = track->was_shown && track->heard.count > 0 && (moment >= newest || tick < newest);
    client_samples_count_interval(&track->heard, tick);
    apex_client_pose before = bends ? pose_at(self, track, moment) : (apex_client_pose){0};
    if (!client_samples_insert(&track->heard, car, tick)) {
        return;
    }
    if (tick > newest) {
        client_samples_scene scene = scene_of(self);
        client_samples_note_way(&scene, &track->heard);
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
        self->tracks[i]->heard.interval_ticks *= ticks_per_s / before_per_s;
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
        apex_histogram_add(&self->age_us, age_s > 0.0 ? (uint64_t)(1e6 * age_s) : 0);
    }
    return count;
}

bool client_interpolation_pose(const client_interpolation *self, uint32_t car, double tick,
                               apex_client_pose *out) {
    size_t at = lower_bound(self, car);
    if (at == self->count || self->tracks[at]->id != car || self->tracks[at]->heard.count == 0) {
        return false;
    }
    *out = pose_at(self, self->tracks[at], tick);
    return true;
}

apex_client_showing client_interpolation_stats(const client_interpolation *self) {
    return (apex_client_showing){
        .delay_s = client_presentation_delay_s(&self->presentation),
        .cars = self->shown,
        .extrapolated = self->extrapolated,
        .stale = self->stale,
        .age_s_p50 = (double)apex_histogram_quantile(&self->age_us, 0.5) / 1e6,
        .age_s_p99 = (double)apex_histogram_quantile(&self->age_us, 0.99) / 1e6,
    };
}
