// Pedals are those of a practised driver (driver/driver.h); he steers to a distance from the road's
// middle, as fast as the other lets him.
#include "support/host/duel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "driver/driver.h"
#include "support/host/shared_content.h"
#include "support/host/virtual_race.h"
#include "track/track.h"

enum {
    DRIVERS = 2,
    ROUNDS_PER_TICK = 2,
    CARS = 8,
    SEEN = 64,
    PENDING = 256,
    APART_TICKS = 30,
    SETTLED_TICKS = 120,
    CLOSED_UP_TICKS = 360,
    MEET_S = 60,
    FILM_TICKS = 3,
    FILM_LATER_TICKS = 60,
    GAPS = 1 << 17
};

static const uint64_t LOOK_US = 50000, REACTION_US = 150000, DRIVE_US = 15000;
static const uint64_t LEAN_EVERY_US = 3000000, LEAN_US = 1700000;
static const double SWING_S = 12.0;
static const double CONTACT_NS = 100.0;
static const double MET_M = 6.0, SETTLED_M = 0.5;
static const double WIDE_M = 1.5, BY_M = 6.0;
// More of his skill for each metre that the other is ahead, and for each metre a second that he
// draws away. His pedals are those of the racing line, which into a bend asks the one who is nearer
// to it to brake later: without the second he goes on beside somebody whom he sees brake.
static const double HURRY_PER_M = 0.02, HURRY_PER_MPS = 0.03, HURRY_MIN = -0.2, HURRY_MAX = 0.15;
// How he steers back to his distance, as a spring; and how fast that distance changes at most.
static const double SPRING_RADPS = 1.1, DAMPING = 1.1, ASIDE_MPS = 1.0, PREVIEW_S = 0.08;
// Less curvature than he asked for asks for more lock.
static const double MORE_LOCK = 0.4;

typedef struct sight {
    uint64_t at_us;
    double ahead_m;  // of the rival
    double offset_m; // of the rival, to the left of the road's middle
} sight;

typedef struct pending_frame {
    double moment, ahead_m;
} pending_frame;

typedef struct duellist {
    apex_driver driver;
    const apex_driver_plan *plan;
    uint32_t car;
    double s_m, offset_m; // his own place, as seen last
    sight seen[SEEN];
    uint32_t seen_count;
    uint64_t looked_us, drove_us;
    double drove_tick;
    double way_m;        // to which he steers now
    double aim_m, hurry; // what he wants: an offset, and more or less of his skill
    pending_frame frames[PENDING];
    uint32_t first, end;
    frame_truth *truth;
    size_t film_count;
} duellist;

typedef struct duel {
    const duel_def *def;
    const apex_track *track;
    const apex_car_def *car;
    duellist drivers[DRIVERS];
    uint32_t last_tick, touched_tick;
    bool met;
    uint32_t beside_ticks;    // in a row
    uint32_t ticks_since_met; // and from some on it counts
    double driven_m, lap_s_m;
    double film_tick, film_s_m; // of its first frame, and where it begins
    size_t film_count;          // of the server's view
    duel_result result;
    double gaps_m[GAPS];
    size_t gap_count, ticks, abreast;
} duel;

static double width_m(const duel *self) {
    return self->car->hull.width_m;
}

// A rough driver leans on the other for a moment, once in a while.
static bool leans(const duel *self, int number, uint64_t now_us) {
    uint64_t turn = now_us / LEAN_EVERY_US;
    uint64_t lot = apex_hash_bytes(&turn, sizeof turn, self->def->seed + (uint64_t)number);
    return self->def->is_rough && now_us % LEAN_EVERY_US < LEAN_US && lot % 2 == 0;
}

// The first drives on the left.
static double side_of(int number) {
    return number == 0 ? 1.0 : -1.0;
}

static sight look_at(const duel *self, duellist *driver, const apex_client_pose *own,
                     const apex_client_pose *rival, uint64_t now_us) {
    apex_track_place me =
        apex_track_find(self->track, own->position_m[0], own->position_m[1], own->position_m[2]);
    apex_track_place him = apex_track_find(self->track, rival->position_m[0], rival->position_m[1],
                                           rival->position_m[2]);
    driver->s_m = me.s_m;
    driver->offset_m = me.offset_m;
    return (sight){.at_us = now_us,
                   .ahead_m = apex_track_gap_m(self->track, me.s_m, him.s_m),
                   .offset_m = him.offset_m};
}

static const sight *seen_before(const duellist *driver, uint64_t at_us) {
    for (uint32_t back = 0; back < driver->seen_count && back < SEEN; back++) {
        const sight *seen = &driver->seen[(driver->seen_count - 1 - back) % SEEN];
        if (seen->at_us <= at_us) {
            return seen;
        }
    }
    return NULL;
}

// How fast the rival draws away, by two looks.
static double leaving_mps(const duellist *driver, const sight *seen) {
    const sight *before = seen_before(driver, seen->at_us - 2 * LOOK_US);
    return before != NULL
               ? (seen->ahead_m - before->ahead_m) * 1e6 / (double)(seen->at_us - before->at_us)
               : 0.0;
}

static double hurry(const duel *self, int number, const sight *seen, uint64_t now_us) {
    if (!self->met) {
        return fmin(fmax(HURRY_PER_M * seen->ahead_m, HURRY_MIN), HURRY_MAX);
    }
    // A wish to be swing_m ahead of him.
    double swing_m =
        self->def->swing_m * sin(2.0 * M_PI * (double)now_us / 1e6 / SWING_S) * side_of(number);
    double more = HURRY_PER_M * (seen->ahead_m + swing_m) +
                  HURRY_PER_MPS * leaving_mps(&self->drivers[number], seen);
    return fmin(fmax(more, HURRY_MIN), HURRY_MAX);
}

static void decide(duel *self, int number, uint64_t now_us) {
    duellist *driver = &self->drivers[number];
    const sight *seen = seen_before(driver, now_us - REACTION_US);
    if (seen == NULL || now_us - driver->looked_us < LOOK_US) {
        return;
    }
    driver->looked_us = now_us;
    double apart_m = width_m(self) + self->def->side_gap_m;
    // Beside the rival, and not off the pair's place on the road.
    double beside_m = seen->offset_m + side_of(number) * apart_m;
    double wide_m = self->met ? 0.0 : WIDE_M; // until they have found each other
    double place_m = side_of(number) * (0.5 * apart_m + wide_m);
    bool is_by = fabs(seen->ahead_m) < BY_M;
    double aim_m = is_by && self->met ? 0.5 * beside_m + 0.5 * place_m : place_m;
    // A driver who is leant on had not expected it.
    driver->aim_m = leans(self, 1 - number, now_us) ? driver->aim_m : aim_m;
    driver->hurry = hurry(self, number, seen, now_us);
    if (leans(self, number, now_us) && is_by) {
        driver->aim_m = seen->offset_m;
    }
}

static int16_t steer(const duel *self, duellist *driver, const apex_client_pose *own, double dt_s) {
    if (driver->seen_count < SEEN) {
        driver->way_m = driver->offset_m; // from where he stands
    }
    double most_m = ASIDE_MPS * dt_s, off_m = driver->aim_m - driver->way_m;
    driver->way_m += fmin(fmax(off_m, -most_m), most_m);
    double v = fmax(hypot(own->velocity_mps[0], own->velocity_mps[1]), 5.0);
    apex_track_frame here = apex_track_frame_at(self->track, driver->s_m);
    apex_track_frame soon = apex_track_frame_at(self->track, driver->s_m + PREVIEW_S * v);
    double course_rad = atan2(own->velocity_mps[1], own->velocity_mps[0]);
    double askew_rad = remainder(course_rad - here.heading_rad, 2.0 * M_PI);
    double bend_per_m = soon.curvature_per_m / (1.0 - soon.curvature_per_m * driver->way_m);
    double back_per_m = SPRING_RADPS * SPRING_RADPS * (driver->offset_m - driver->way_m) / (v * v) +
                        2.0 * DAMPING * SPRING_RADPS * askew_rad / v;
    double asked_per_m = bend_per_m - back_per_m;
    double wheelbase_m = self->car->axles[0].x_m - self->car->axles[self->car->axle_count - 1].x_m;
    double missing_per_m = asked_per_m - own->yaw_rate_radps / v;
    double angle_rad = atan(wheelbase_m * (asked_per_m + MORE_LOCK * missing_per_m));
    double share = angle_rad / self->car->steering.angle_rad_max;
    return (int16_t)(APEX_STEER_MAX * fmin(fmax(share, -1.0), 1.0));
}

static void drive(duel *self, virtual_race *race, int number, const apex_client_pose *own) {
    duellist *driver = &self->drivers[number];
    apex_client *client = virtual_race_client(race, (uint32_t)number);
    uint64_t now_us = virtual_race_now_us(race);
    if (now_us - driver->drove_us < DRIVE_US) {
        return;
    }
    double controls_tick = apex_client_controls_tick(client, now_us);
    double tick_hz = (double)apex_client_welcome(client)->tick_hz;
    double c = cos(own->yaw_rad), s = sin(own->yaw_rad);
    apex_driver_view view = {.dt_s = driver->drove_us > 0
                                         ? fmax(controls_tick - driver->drove_tick, 0.0) / tick_hz
                                         : 0.0,
                             .x_m = own->position_m[0],
                             .y_m = own->position_m[1],
                             .z_m = own->position_m[2],
                             .yaw_rad = own->yaw_rad,
                             .speed_mps = own->velocity_mps[0] * c + own->velocity_mps[1] * s,
                             .sideways_mps = own->velocity_mps[1] * c - own->velocity_mps[0] * s,
                             .yaw_rate_radps = own->yaw_rate_radps,
                             .gear = own->gear,
                             .may_go = apex_client_newest(client).phase == APEX_WIRE_PHASE_RACE};
    driver->drove_us = now_us;
    driver->drove_tick = controls_tick;
    driver->driver.lane_m = driver->aim_m - apex_driver_plan_offset_m(driver->plan, driver->s_m);
    driver->driver.skill = fmin(fmax(self->def->skill + driver->hurry, 0.5), 1.0);
    apex_controls wish = apex_driver_drive(&driver->driver, driver->plan, &view);
    apex_control_sample sample = {.steer = steer(self, driver, own, view.dt_s),
                                  .throttle = wish.throttle,
                                  .brake = wish.brake,
                                  .clutch = wish.clutch,
                                  .handbrake = wish.handbrake,
                                  .gear = wish.gear,
                                  .shift_up = wish.shift_up_count,
                                  .shift_down = wish.shift_down_count,
                                  .reset = wish.reset_count,
                                  .aids_off = APEX_AID_STEERING};
    apex_client_set_controls(client, &sample);
}

static void settle_frames(duel *self, const frame_truth *truth, int number, uint32_t tick) {
    duellist *driver = &self->drivers[number];
    uint32_t rival = self->drivers[1 - number].car;
    double me_m[2], him_m[2], yaw_rad;
    for (; driver->first < driver->end; driver->first++) {
        const pending_frame *frame = &driver->frames[driver->first % PENDING];
        if (frame->moment + 1.0 >= tick) {
            return;
        }
        if (!frame_truth_place(truth, driver->car, frame->moment, me_m, &yaw_rad) ||
            !frame_truth_place(truth, rival, frame->moment, him_m, &yaw_rad)) {
            continue;
        }
        double me_s = apex_track_find(self->track, me_m[0], me_m[1], 0.0).s_m;
        double him_s = apex_track_find(self->track, him_m[0], him_m[1], 0.0).s_m;
        double ahead_m = apex_track_gap_m(self->track, me_s, him_s);
        self->result.frames++;
        self->result.agreed += (ahead_m > 0.0) == (frame->ahead_m > 0.0);
    }
}

static duel_film_car film_car(const duel *self, const double place_m[2], double yaw_rad) {
    apex_track_place at = apex_track_find(self->track, place_m[0], place_m[1], 0.0);
    double heading_rad = apex_track_frame_at(self->track, at.s_m).heading_rad;
    return (duel_film_car){.along_m = apex_track_gap_m(self->track, self->film_s_m, at.s_m),
                           .aside_m = at.offset_m,
                           .askew_rad = remainder(yaw_rad - heading_rad, 2.0 * M_PI)};
}

static double film_moment(const duel *self, size_t frame) {
    return self->film_tick + (double)(frame * FILM_TICKS);
}

static bool is_filmed(const duel *self, size_t frame) {
    return self->def->film != NULL && self->film_tick > 0.0 && frame < DUEL_FILM_FRAMES;
}

// What a driver sees once his own car has come to the next moment of the film.
static void film_driver(duel *self, virtual_race *race, int number, const apex_client_pose *own,
                        const apex_client_pose *rival) {
    duellist *driver = &self->drivers[number];
    if (!is_filmed(self, driver->film_count) || own->tick < film_moment(self, driver->film_count)) {
        return;
    }
    duel_film_view *view = &self->def->film->frames[driver->film_count++][number];
    view->is_there = true;
    view->cars[number] = film_car(self, own->position_m, own->yaw_rad);
    view->cars[1 - number] = film_car(self, rival->position_m, rival->yaw_rad);
    apex_client_pose past[CARS];
    size_t count = apex_client_shown(virtual_race_client(race, (uint32_t)number),
                                     virtual_race_now_us(race), past, CARS);
    for (size_t i = 0; i < count; i++) {
        if (past[i].car == rival->car) {
            view->has_past = true;
            view->past = film_car(self, past[i].position_m, past[i].yaw_rad);
        }
    }
}

static void film_server(duel *self) {
    while (is_filmed(self, self->film_count)) {
        duel_film_view *view = &self->def->film->frames[self->film_count][DUEL_FILM_SERVER];
        for (int i = 0; i < DRIVERS; i++) {
            double place_m[2], yaw_rad;
            if (!frame_truth_place(self->drivers[i].truth, self->drivers[i].car,
                                   film_moment(self, self->film_count), place_m, &yaw_rad)) {
                return;
            }
            view->cars[i] = film_car(self, place_m, yaw_rad);
        }
        view->is_there = true;
        self->film_count++;
    }
}

static void begin_film(duel *self, double s_m) {
    if (self->film_tick <= 0.0) {
        self->film_tick = (double)self->last_tick + FILM_LATER_TICKS;
        self->film_s_m = s_m;
    }
}

static void end_film(duel *self) {
    duel_film *film = self->def->film;
    if (film == NULL) {
        return;
    }
    film->fps = 60.0 / FILM_TICKS;
    film->count = self->film_count;
    for (int i = 0; i < DRIVERS; i++) {
        size_t count = self->drivers[i].film_count;
        film->count = count < film->count ? count : film->count;
    }
}

static void look(duel *self, virtual_race *race, int number) {
    duellist *driver = &self->drivers[number];
    apex_client *client = virtual_race_client(race, (uint32_t)number);
    uint64_t now_us = virtual_race_now_us(race);
    apex_client_pose poses[CARS], own;
    if (!apex_client_predicted(client, now_us, &own)) {
        return;
    }
    size_t count = self->def->sees_ahead ? apex_client_ahead(client, now_us, poses, CARS)
                                         : apex_client_shown(client, now_us, poses, CARS);
    driver->car = own.car;
    for (size_t i = 0; i < count; i++) {
        if (poses[i].car == own.car) {
            poses[i] = own;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (poses[i].car != own.car) {
            sight seen = look_at(self, driver, &own, &poses[i], now_us);
            driver->seen[driver->seen_count++ % SEEN] = seen;
            APEX_ASSERT(driver->end - driver->first < PENDING);
            film_driver(self, race, number, &own, &poses[i]);
            if (self->ticks_since_met >= CLOSED_UP_TICKS) {
                driver->frames[driver->end++ % PENDING] =
                    (pending_frame){.moment = own.tick, .ahead_m = seen.ahead_m};
                frame_truth_show(driver->truth, own.car, own.tick, poses, count);
            }
        }
    }
    decide(self, number, now_us);
    drive(self, race, number, &own);
}

// Two that rub along each other have one contact.
static void count_contacts(duel *self, const apex_world *world) {
    size_t count;
    const apex_contact_event *contacts = apex_world_contacts(world, &count);
    for (size_t i = 0; i < count; i++) {
        if (contacts[i].kind == APEX_CONTACT_CAR && contacts[i].impulse_ns >= CONTACT_NS) {
            self->result.contacts += self->last_tick - self->touched_tick > APART_TICKS;
            self->touched_tick = self->last_tick;
        }
    }
}

static void judge_tick(duel *self, virtual_race *race) {
    const apex_world *world = apex_race_world(virtual_race_hosted(race));
    uint32_t tick = (uint32_t)apex_world_tick(world);
    double places_m[DRIVERS][2], yaw_rad;
    if (tick == self->last_tick) {
        return;
    }
    self->last_tick = tick;
    for (int i = 0; i < DRIVERS; i++) {
        frame_truth_keep(self->drivers[i].truth, virtual_race_hosted(race));
        if (!frame_truth_place(self->drivers[i].truth, self->drivers[i].car, tick - 1, places_m[i],
                               &yaw_rad)) {
            return;
        }
    }
    apex_track_place a = apex_track_find(self->track, places_m[0][0], places_m[0][1], 0.0);
    apex_track_place b = apex_track_find(self->track, places_m[1][0], places_m[1][1], 0.0);
    double apart_m = apex_track_gap_m(self->track, a.s_m, b.s_m);
    if (!self->met) {
        double beside_m =
            a.offset_m - b.offset_m - width_m(self) - self->def->side_gap_m - 2.0 * WIDE_M;
        bool is_beside = fabs(apart_m) < MET_M && fabs(beside_m) < SETTLED_M;
        self->beside_ticks = is_beside ? self->beside_ticks + 1 : 0;
        self->met = self->beside_ticks == SETTLED_TICKS;
        self->lap_s_m = a.s_m;
        return;
    }
    if (++self->ticks_since_met < CLOSED_UP_TICKS) {
        self->lap_s_m = a.s_m;
        return;
    }
    begin_film(self, a.s_m);
    film_server(self);
    self->driven_m += fmax(apex_track_gap_m(self->track, self->lap_s_m, a.s_m), 0.0);
    self->lap_s_m = a.s_m;
    count_contacts(self, world);
    self->ticks++;
    if (fabs(apart_m) <= self->car->hull.length_m) {
        self->abreast++;
        APEX_ASSERT(self->gap_count < GAPS);
        self->gaps_m[self->gap_count++] = a.offset_m - b.offset_m - width_m(self);
    }
    for (int i = 0; i < DRIVERS; i++) {
        settle_frames(self, self->drivers[i].truth, i, tick);
    }
}

static void watch(virtual_race *race, void *context) {
    duel *self = context;
    judge_tick(self, race);
    for (int i = 0; i < DRIVERS; i++) {
        look(self, race, i);
    }
}

static virtual_race *begin(const duel_def *def) {
    virtual_race_def race = {.file = apex_default_race_file(),
                             .network = link_sim_default_def(DRIVERS)};
    snprintf(race.file.track, sizeof race.file.track, "%s", def->track);
    race.file.race.laps = 50;
    race.file.race.races = 1;
    race.file.race.start_players = DRIVERS;
    race.file.race.player_capacity = DRIVERS;
    race.file.race.countdown_s = 1.0;
    race.file.clients_max = DRIVERS;
    race.round_hz = race.file.race.world.tick_hz * ROUNDS_PER_TICK;
    race.network.seed = def->seed;
    race.network.up = race.network.down = def->line;
    return virtual_race_create(&race);
}

static void connect(virtual_race *race, int number) {
    apex_client_def client = apex_default_client_def();
    client.name = number == 0 ? "left" : "right";
    client.ahead = true;
    client.tracks = client_plans_tracks(shared_content_plans());
    (void)virtual_race_connect(race, &client);
}

static void plan(duel *self, virtual_race *race, int number) {
    const char *problem = NULL;
    duellist *driver = &self->drivers[number];
    client_plans *plans = shared_content_plans();
    driver->plan =
        client_plans_for(plans, virtual_race_client(race, (uint32_t)number), NULL, &problem);
    APEX_ASSERT(driver->plan != NULL);
    driver->driver = apex_driver_create(self->def->skill, 0.0);
    self->track = client_plans_track(plans, driver->plan);
    self->car = client_plans_car(plans, driver->plan);
    driver->truth = frame_truth_create(&self->car->hull);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void finish(duel *self, virtual_race *race) {
    duel_result *result = &self->result;
    end_film(self);
    size_t n = self->gap_count;
    qsort(self->gaps_m, n, sizeof(double), by_size);
    if (n > 0) {
        result->gap_m_p5 = self->gaps_m[n / 20];
        result->gap_m_p50 = self->gaps_m[n / 2];
        result->gap_m_p95 = self->gaps_m[n - 1 - n / 20];
    }
    result->laps = self->driven_m / apex_track_length_m(self->track);
    result->abreast_share = self->ticks > 0 ? (double)self->abreast / (double)self->ticks : 0.0;
    frame_truth_add(self->drivers[0].truth, self->drivers[1].truth);
    result->errors = frame_truth_errors_of(self->drivers[0].truth);
    for (int i = 0; i < DRIVERS; i++) {
        result->of[i] = apex_client_prediction_of(virtual_race_client(race, (uint32_t)i));
        frame_truth_destroy(self->drivers[i].truth);
    }
}

duel_result duel_run(const duel_def *def) {
    duel *self = calloc(1, sizeof *self);
    virtual_race *race = begin(def);
    APEX_ASSERT(self != NULL && race != NULL);
    self->def = def;
    for (int i = 0; i < DRIVERS; i++) {
        connect(race, i);
    }
    bool is_there = virtual_race_until(race, APEX_CLIENT_DRIVING, 20.0);
    APEX_ASSERT(is_there);
    for (int i = 0; i < DRIVERS; i++) {
        plan(self, race, i);
    }
    virtual_race_on_round(race, watch, self);
    is_there = virtual_race_until_phase(race, APEX_PHASE_RACE, 20.0);
    APEX_ASSERT(is_there);
    double lap_m = apex_track_length_m(self->track);
    for (uint32_t s = 0; s < MEET_S && !self->met; s++) {
        virtual_race_run(race, 1.0);
    }
    self->met = true; // as far as they ever will
    virtual_race_run(race, 7.0);
    for (uint32_t s = 0; s < def->seconds && self->driven_m < def->laps * lap_m; s++) {
        virtual_race_run(race, 1.0);
    }
    finish(self, race);
    duel_result result = self->result;
    virtual_race_destroy(race);
    free(self);
    return result;
}
