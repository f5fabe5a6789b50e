// The world begins anew from a state that is not as predicted, and repeats the steps since.
//
// Not predicted are other cars and their slipstream, resets, the start, damage done by others,
// controls that came too late, and contacts with walls after a correction: the solver's warm start
// is not sent, and is right again as soon as the car is as foretold. The state is set at once and
// never blended; the pose shown is, by 1 / e in a tenth of a second and not beyond 4 m.
//
// Measured with 60 ms each way: in traffic on the oval at most 5 mm off; run into from behind at
// full throttle 1.4 m, shown as steps of no more than 6 cm a frame. Alone with a restless hand,
// 200 ms each way, 25 ms of jitter and 25 % loss, 96 % of ticks are foretold to the bit and none is
// off by more than 7 cm. DECISIONS 28 says why the own car travels whole.
#include "client-lite/prediction/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/histogram.h"
#include "base/trig.h"
#include "client-lite/prediction/foresight.h"
#include "client-lite/prediction/own_state.h"
#include "client-lite/prediction/world_def.h"
#include "client-lite/view/pose.h"
#include "client-lite/view/presentation_clock.h"

// Farther off than this a car is put where it belongs: blending would show it drive through things.
static const double SNAP_M = 4.0;
static const double SNAP_RAD = 1.0;
static const double ERROR_MAX = 1e12; // millionths; not-a-number counts as that

enum { RING = CLIENT_PREDICT_TICKS_MAX };

typedef struct known_state {
    uint32_t tick; ///< 0: none
    apex_car_state state;
    apex_client_pose pose;
} known_state;

struct client_predict {
    apex_world *world;
    apex_car_type type;
    apex_car_id car;
    uint32_t wheel_count;

    apex_control_sample samples[RING]; ///< by tick % RING, up to next_sample - 1
    uint32_t first_sample, next_sample;

    uint32_t at_tick;    ///< of the world; 0: there is no state to go by
    uint32_t told_tick;  ///< of the newest state from the server
    known_state *states; ///< [RING] as predicted, by tick % RING

    client_moment moment; ///< that is shown

    client_offset offset; ///< by which the pose shown is off, less and less
    uint64_t decayed_us;  ///< when it was as large as it says
    apex_client_prediction stats;
    apex_histogram error_um, error_urad;
};

// A new car, so that no contact of an earlier run is remembered.
static bool renew_car(client_predict *predict) {
    apex_placement anywhere = {0};
    apex_world_remove_car(predict->world, predict->car);
    return apex_world_add_car(predict->world, predict->type, &anywhere, &predict->car) == APEX_OK;
}

client_predict *client_predict_create(const client_predict_def *def) {
    client_predict *predict = calloc(1, sizeof *predict);
    if (predict == NULL) {
        return NULL;
    }
    apex_world_def world = client_world_def(&def->rules, def->tick_hz);
    apex_car_pose pose;
    predict->states = calloc(RING, sizeof *predict->states);
    if (predict->states == NULL ||
        apex_world_create(&world, def->ground, def->walls, &predict->world) != APEX_OK ||
        apex_world_add_type(predict->world, def->car, &predict->type) != APEX_OK ||
        !renew_car(predict) || !apex_world_pose(predict->world, predict->car, &pose)) {
        client_predict_destroy(predict);
        return NULL;
    }
    predict->wheel_count = pose.wheel_count;
    return predict;
}

void client_predict_destroy(client_predict *predict) {
    if (predict != NULL) {
        apex_world_destroy(predict->world);
        free(predict->states);
        free(predict);
    }
}

static uint8_t flags_of(const apex_car_pose *pose) {
    return apex_car_flags((apex_car_condition){.airborne = pose->airborne,
                                               .held = pose->held,
                                               .ghost = pose->ghost,
                                               .engine_blown = pose->engine_blown,
                                               .off_road = pose->wheels_on_road == 0});
}

static apex_client_pose pose_now(const client_predict *predict) {
    apex_car_pose at;
    bool there = apex_world_pose(predict->world, predict->car, &at);
    APEX_ASSERT(there);
    apex_client_pose pose = {
        .tick = (double)predict->at_tick,
        .yaw_rad = at.yaw_rad,
        .pitch_rad = at.pitch_rad,
        .roll_rad = at.roll_rad,
        .yaw_rate_radps = at.angular_radps[2],
        .steer_rad = at.steer_rad,
        .rpm = at.engine_radps * APEX_RPM_PER_RADPS,
        .gear = at.gear,
        .throttle = (uint8_t)(at.throttle * 255.0 + 0.5),
        .brake = (uint8_t)(at.brake * 255.0 + 0.5),
        .flags = flags_of(&at),
        .damage = (uint8_t)(at.damage * 255.0 + 0.5),
        .damage_zones = apex_car_zones(at.zone_damage),
    };
    memcpy(pose.position_m, at.position_m, sizeof pose.position_m);
    memcpy(pose.velocity_mps, at.velocity_mps, sizeof pose.velocity_mps);
    return pose;
}

// The world's car as it is after at_tick.
static void note_state(client_predict *predict) {
    known_state *known = &predict->states[predict->at_tick % RING];
    known->tick = predict->at_tick;
    apex_world_get_car(predict->world, predict->car, &known->state);
    known->pose = pose_now(predict);
}

// As the server finds them: before the first sample nothing is pressed, and on a tick without a
// sample the last one counts again.
static apex_control_sample sample_for(const client_predict *predict, uint32_t tick) {
    if (predict->next_sample == 0 || tick < predict->first_sample) {
        return (apex_control_sample){.gear = APEX_GEAR_AUTOMATIC};
    }
    uint32_t newest = predict->next_sample - 1;
    return predict->samples[(tick < newest ? tick : newest) % RING];
}

static void step_to(client_predict *predict, uint32_t tick) {
    while (predict->at_tick < tick) {
        apex_control_sample sample = sample_for(predict, predict->at_tick + 1);
        apex_controls used = client_foresight_controls(&sample);
        apex_world_step(predict->world, &used, NULL);
        predict->at_tick++;
        predict->stats.steps++;
        note_state(predict);
    }
}

static void add_sample(client_predict *predict, uint32_t tick, const apex_control_sample *sample) {
    predict->samples[tick % RING] = *sample;
    predict->next_sample = tick + 1;
    if (tick - predict->first_sample >= RING) {
        predict->first_sample = tick - RING + 1;
    }
}

static bool is_same_sample(const apex_control_sample *a, const apex_control_sample *b) {
    return a->steer == b->steer && a->throttle == b->throttle && a->brake == b->brake &&
           a->clutch == b->clutch && a->handbrake == b->handbrake && a->gear == b->gear &&
           a->shift_up == b->shift_up && a->shift_down == b->shift_down && a->reset == b->reset &&
           a->aids_off == b->aids_off;
}

// A clock that was too far ahead goes back and samples ticks anew, and the server takes what comes
// last. @return the first tick that has another sample than before; UINT32_MAX if none has.
static uint32_t renew_samples(client_predict *predict, const client_controls *controls,
                              uint32_t oldest) {
    uint32_t first = UINT32_MAX;
    uint32_t begin = oldest > predict->first_sample ? oldest : predict->first_sample;
    uint32_t end = predict->next_sample;
    end = end < controls->next_tick ? end : controls->next_tick;
    for (uint32_t tick = begin; tick < end; tick++) {
        const apex_control_sample *made = &controls->ring[tick % CLIENT_CONTROLS_RING].sample;
        if (!is_same_sample(made, &predict->samples[tick % RING])) {
            predict->samples[tick % RING] = *made;
            first = tick < first ? tick : first;
        }
    }
    return first;
}

// Ticks for which no sample was made have the last one, as on the server.
// @return the first tick before which nothing has changed.
static uint32_t note_samples(client_predict *predict, const client_controls *controls) {
    uint32_t oldest = controls->next_tick - controls->held;
    if (predict->next_sample == 0 ||
        (oldest > predict->next_sample && oldest - predict->next_sample > RING)) {
        predict->first_sample = predict->next_sample = oldest;
    }
    uint32_t renewed = renew_samples(predict, controls, oldest);
    while (predict->next_sample < controls->next_tick) {
        uint32_t tick = predict->next_sample;
        apex_control_sample sample = tick >= oldest
                                         ? controls->ring[tick % CLIENT_CONTROLS_RING].sample
                                         : sample_for(predict, tick);
        add_sample(predict, tick, &sample);
    }
    return renewed;
}

// To a tick that was predicted, or told, before.
static bool go_back_to(client_predict *predict, uint32_t tick) {
    const known_state *known = &predict->states[tick % RING];
    if (known->tick != tick || !renew_car(predict) ||
        !apex_world_set_car(predict->world, predict->car, &known->state)) {
        return false;
    }
    predict->at_tick = tick;
    return true;
}

void client_predict_advance(client_predict *predict, const client_controls *controls) {
    if (!controls->started || controls->held == 0) {
        return;
    }
    uint32_t renewed = note_samples(predict, controls);
    if (predict->at_tick == 0 || predict->next_sample == 0) {
        return;
    }
    uint32_t newest = predict->next_sample - 1;
    if (newest > predict->told_tick && newest - predict->told_tick >= RING) {
        predict->at_tick = 0; // nothing was heard for too long
        return;
    }
    if (renewed <= predict->at_tick && renewed > predict->told_tick) {
        (void)go_back_to(predict, renewed - 1); // else the server's word will put it right
    }
    step_to(predict, newest);
}

// @return whether the car was predicted to the bit.
static bool is_as_foretold(const client_predict *predict, uint32_t tick,
                           const apex_car_state *told) {
    const known_state *known = &predict->states[tick % RING];
    return predict->at_tick != 0 && known->tick == tick &&
           client_states_are_same(&known->state, told);
}

static void count_error(client_predict *predict, double error_m, double error_rad) {
    apex_client_prediction *stats = &predict->stats;
    stats->compared++;
    stats->error_m_max = fmax(stats->error_m_max, error_m);
    stats->error_rad_max = fmax(stats->error_rad_max, error_rad);
    apex_histogram_add(&predict->error_um, (uint64_t)fmin(1e6 * error_m, ERROR_MAX));
    apex_histogram_add(&predict->error_urad, (uint64_t)fmin(1e6 * error_rad, ERROR_MAX));
}

static void forget_states(client_predict *predict) {
    for (uint32_t i = 0; i < RING; i++) {
        predict->states[i].tick = 0;
    }
}

static void decay(client_predict *predict, uint64_t now_us) {
    if (now_us > predict->decayed_us) {
        double elapsed_s = (double)(now_us - predict->decayed_us) / 1e6;
        client_offset_decay(&predict->offset, elapsed_s);
        predict->decayed_us = now_us;
    }
}

// The pose shown goes on from where it was: the difference is added to its present offset.
static void correct(client_predict *predict, const apex_client_pose *was) {
    const apex_client_pose *is = &predict->states[predict->at_tick % RING].pose;
    client_offset jump = client_offset_between(was, is);
    count_error(predict, client_offset_m(&jump), client_offset_rad(&jump));
    client_offset_add(&predict->offset, &jump);
    if (client_offset_m(&predict->offset) > SNAP_M ||
        client_offset_rad(&predict->offset) > SNAP_RAD) {
        predict->offset = (client_offset){0};
        predict->stats.snaps++;
    }
}

static bool begin_at(client_predict *predict, uint32_t tick, const apex_car_state *state) {
    predict->at_tick = 0;
    if (!renew_car(predict) || !apex_world_set_car(predict->world, predict->car, state)) {
        return false;
    }
    forget_states(predict);
    predict->at_tick = tick;
    note_state(predict);
    return true;
}

void client_predict_take(client_predict *predict, uint32_t tick, const apex_own_car *own,
                         uint64_t now_us) {
    bool is_news = tick > predict->told_tick && own->wheel_count == predict->wheel_count;
    if (!is_news) {
        return;
    }
    apex_car_state told = client_state_of(own);
    predict->stats.states++;
    predict->told_tick = tick;
    if (is_as_foretold(predict, tick, &told)) {
        predict->stats.exact++;
        count_error(predict, 0.0, 0.0);
        return;
    }
    uint32_t was_at = predict->at_tick;
    apex_client_pose was = predict->states[was_at % RING].pose;
    if (!begin_at(predict, tick, &told)) {
        return;
    }
    uint32_t newest = predict->next_sample > 0 ? predict->next_sample - 1 : 0;
    if (newest > tick && newest - tick < RING) {
        step_to(predict, newest);
    }
    if (was_at != 0 && was_at == predict->at_tick) {
        decay(predict, now_us);
        correct(predict, &was);
    }
}

uint32_t client_predict_tick(const client_predict *predict) {
    return predict->at_tick;
}

bool client_predict_state(const client_predict *predict, apex_car_state *out) {
    return predict->at_tick != 0 && apex_world_get_car(predict->world, predict->car, out);
}

// A step behind the newest, so that there are steps on both sides; beyond them for a moment only.
static apex_client_pose pose_at(const client_predict *predict, double tick) {
    uint32_t to_tick = predict->at_tick;
    if (tick < (double)predict->at_tick - 1.0) {
        double down = tick > 0.0 ? tick : 0.0;
        to_tick = (uint32_t)down + 1;
    }
    const known_state *to = &predict->states[to_tick % RING];
    const known_state *from = &predict->states[(to_tick - 1) % RING];
    if (to->tick != to_tick || from->tick != to_tick - 1) { // before the server's last word
        const known_state *told = &predict->states[predict->told_tick % RING];
        bool is_there = told->tick == predict->told_tick;
        return is_there ? told->pose : predict->states[predict->at_tick % RING].pose;
    }
    double share = tick - from->pose.tick;
    return client_pose_between(&from->pose, &to->pose, share > 2.0 ? 2.0 : share);
}

bool client_predict_show(client_predict *predict, double controls_tick, double ticks_per_s,
                         uint64_t now_us, apex_client_pose *pose) {
    double moment =
        client_moment_follow(&predict->moment, controls_tick - 1.0, ticks_per_s, now_us);
    if (predict->at_tick == 0) {
        return false;
    }
    // Where a server has lost ticks the clock went back, and the car waits for it. Then it goes on
    // with the steps: a moment that stays ahead of them would show each pair of them as one.
    double newest = (double)predict->at_tick + 1.0;
    if (moment > newest) {
        predict->moment.tick -= moment - newest;
        moment = newest;
    }
    decay(predict, now_us);
    *pose = pose_at(predict, moment);
    client_pose_shift(pose, &predict->offset);
    return true;
}

static double millionths(const apex_histogram *histogram, double share) {
    return (double)apex_histogram_quantile(histogram, share) / 1e6;
}

apex_client_prediction client_predict_stats(const client_predict *predict) {
    apex_client_prediction stats = predict->stats;
    stats.error_m_p50 = millionths(&predict->error_um, 0.5);
    stats.error_m_p99 = millionths(&predict->error_um, 0.99);
    stats.error_rad_p50 = millionths(&predict->error_urad, 0.5);
    stats.error_rad_p99 = millionths(&predict->error_urad, 0.99);
    return stats;
}
