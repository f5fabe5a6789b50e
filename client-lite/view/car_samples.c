// A car goes along a curve between near samples, and along the road between far ones.
#include "client-lite/view/car_samples.h"

#include <math.h>
#include <string.h>

#include "client-lite/view/pose.h"
#include "client-lite/view/presentation_clock.h"

// A car's velocity is believed for so long. After that it goes on along the road, or less far
// without one, but only while others are heard of: else it is the link that is silent.
static const double EXTRAPOLATED_S_MAX = 0.25;
static const double ON_ROAD_S_MAX = 6.0, OFF_ROAD_S_MAX = 3.0;
// Two samples farther apart than their speeds explain: the car was put somewhere else.
static const double PUT_M = 3.0;
static const double PUT_SHARE = 0.25;

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

// So that the curve between two samples does not swing beyond them: a car that came to a stop in
// between has not first gone on as before.
static void bound_rate(apex_client_pose *pose, double way_m, double span_s) {
    double speed_mps = hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
    double most_mps = 3.0 * way_m / span_s;
    double share = speed_mps > most_mps ? most_mps / speed_mps : 1.0;
    for (int i = 0; i < 3; i++) {
        pose->velocity_mps[i] *= share;
    }
}

// The place to which the road has taken a car since it was told of; NULL if it is on none.
static const client_road_place *ride(const client_samples_scene *scene, client_car_samples *heard,
                                     const client_sample *from, const apex_client_pose *told) {
    const client_road_way *way = &heard->way;
    client_road_ride *ride = &heard->ride;
    if (scene->road == NULL) {
        return NULL;
    }
    if (ride->of_tick != from->tick || !ride->is_known) {
        bool was_there = way->is_known && way->to_tick == from->tick;
        *ride = (client_road_ride){.is_known = true, .of_tick = from->tick};
        ride->place = client_road_find(scene->road, told, was_there ? &way->to : NULL);
    }
    return ride->place.is_on ? &ride->place : NULL;
}

// Step by step: what is learnt of speeds meanwhile moves nobody who has passed there.
static void ride_on(const client_samples_scene *scene, client_car_samples *heard, double ahead_s) {
    client_road_ride *ride = &heard->ride;
    ride->place = client_road_ahead(scene->road, &ride->place, ahead_s - ride->ahead_s);
    ride->ahead_s = fmax(ahead_s, ride->ahead_s);
}

static void go_straight(apex_client_pose *pose, double ahead_s) {
    for (int i = 0; i < 3; i++) {
        pose->position_m[i] += pose->velocity_mps[i] * ahead_s;
    }
}

static apex_client_pose carry_on(const client_samples_scene *scene, client_car_samples *heard,
                                 const client_sample *from, double tick) {
    apex_client_pose pose = client_pose_of_wire(&from->car, (double)from->tick);
    double ahead_s = client_samples_seconds(scene, from->tick, tick), told_s = EXTRAPOLATED_S_MAX;
    double silent_s = client_samples_seconds(scene, from->tick, (double)scene->newest_tick);
    bool is_held = (pose.flags & APEX_CAR_FLAG_HELD) != 0;
    client_pose_turn_on(&pose, fmin(ahead_s, told_s));
    pose.extrapolated = ahead_s > 0.0;
    pose.tick = tick;
    if (ahead_s <= told_s) {
        return pose;
    }
    const client_road_place *place = ride(scene, heard, from, &pose);
    double most_s =
        told_s + fmax(fmin(silent_s, place != NULL ? ON_ROAD_S_MAX : OFF_ROAD_S_MAX), 0.0);
    pose.stale = ahead_s > most_s;
    ahead_s = pose.stale ? most_s : ahead_s;
    pose.tick = (double)from->tick + ahead_s * scene->tick_hz;
    if (place != NULL && !is_held) {
        ride_on(scene, heard, ahead_s - told_s);
        client_road_put(scene->road, place, &pose);
    } else if (!is_held) {
        go_straight(&pose, ahead_s - told_s);
    }
    return pose;
}

// The way between two samples that are far apart, as the road goes.
static apex_client_pose go_way(const client_samples_scene *scene, const client_road_way *way,
                               const client_sample *from, double tick) {
    apex_client_pose pose = client_pose_of_wire(&from->car, tick);
    double span_s = client_samples_seconds(scene, way->from_tick, (double)way->to_tick);
    double share = client_samples_seconds(scene, way->from_tick, tick) / span_s;
    client_road_place place = client_road_between(&way->from, &way->to, way->way_m, share, span_s);
    client_road_put(scene->road, &place, &pose);
    return pose;
}

apex_client_pose client_samples_pose(const client_samples_scene *scene, client_car_samples *heard,
                                     double tick) {
    uint32_t after = heard->count; // found from the end, which is near
    while (after > 0 && (double)heard->list[after - 1].tick > tick) {
        after--;
    }
    const client_sample *from = &heard->list[after > 0 ? after - 1 : 0];
    apex_client_pose pose = client_pose_of_wire(&from->car, (double)from->tick);
    if (after == 0) {
        return pose; // before anything was known of it
    }
    if (after == heard->count) {
        return carry_on(scene, heard, from, tick);
    }
    const client_sample *next = &heard->list[after];
    const client_road_way *way = &heard->way;
    if (way->is_known && way->from_tick == from->tick && way->to_tick == next->tick) {
        return way->was_put ? carry_on(scene, heard, from, tick) : go_way(scene, way, from, tick);
    }
    apex_client_pose to = client_pose_of_wire(&next->car, (double)next->tick);
    double span_s = (to.tick - pose.tick) / scene->tick_hz;
    double share = (tick - pose.tick) / (to.tick - pose.tick);
    if (span_s >= CLIENT_ROAD_GAP_S) {
        if (was_put_far(&pose, &to, span_s)) {
            return carry_on(scene, heard, from, tick);
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

void client_samples_count_interval(client_car_samples *heard, uint32_t tick) {
    uint32_t newest = heard->count > 0 ? heard->list[heard->count - 1].tick : tick;
    if (tick <= newest) {
        return;
    }
    double settling = 1.0 / (double)(++heard->interval_count);
    double gain = fmax(settling, CLIENT_PRESENTATION_INTERVAL_GAIN);
    heard->interval_ticks += gain * ((double)(tick - newest) - heard->interval_ticks);
}

bool client_samples_insert(client_car_samples *heard, const apex_wire_car *car, uint32_t tick) {
    uint32_t at = heard->count;
    while (at > 0 && heard->list[at - 1].tick > tick) {
        at--;
    }
    if (at > 0 && heard->list[at - 1].tick == tick) {
        return false;
    }
    if (heard->count == CLIENT_SAMPLES_KEPT) {
        if (at == 0) {
            return false;
        }
        at--;
        memmove(heard->list, heard->list + 1, at * sizeof *heard->list);
    } else {
        memmove(heard->list + at + 1, heard->list + at, (heard->count - at) * sizeof *heard->list);
        heard->count++;
    }
    heard->list[at] = (client_sample){.tick = tick, .car = *car};
    return true;
}

void client_samples_note_way(const client_samples_scene *scene, client_car_samples *heard) {
    if (scene->road == NULL || heard->count < 2) {
        return;
    }
    const client_sample *from = &heard->list[heard->count - 2], *to = from + 1;
    double span_s = client_samples_seconds(scene, from->tick, (double)to->tick);
    if (span_s < CLIENT_ROAD_GAP_S) {
        return;
    }
    apex_client_pose before = client_pose_of_wire(&from->car, (double)from->tick);
    apex_client_pose after = client_pose_of_wire(&to->car, (double)to->tick);
    client_road_way way = {.from_tick = from->tick, .to_tick = to->tick};
    bool was_there = heard->way.is_known && heard->way.to_tick == from->tick;
    way.from = was_there ? heard->way.to : client_road_find(scene->road, &before, NULL);
    client_road_place guess = client_road_ahead(scene->road, &way.from, span_s);
    way.to = client_road_find(scene->road, &after, &guess);
    way.is_known = way.from.is_on && way.to.is_on;
    way.was_put =
        way.is_known && !client_road_way_m(scene->road, &way.from, &way.to, span_s, &way.way_m);
    heard->way = way;
    client_road_learn(scene->road, &way.to);
}
