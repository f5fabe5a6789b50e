// The world begins anew from a state that is not as predicted, and repeats the steps since.
//
// Not predicted are cars that are not near (rivals_ahead.h), resets, damage done by others,
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

#include "base/assert.h"
#include "base/histogram.h"
#include "client-lite/prediction/foresight.h"
#include "client-lite/prediction/joint.h"
#include "client-lite/prediction/own_state.h"
#include "client-lite/view/correction.h"
#include "client-lite/view/pose.h"
#include "client-lite/view/presentation_clock.h"

// Farther off than this a car is put where it belongs: blending would show it drive through things.
static const double SNAP_M = 4.0;
static const double SNAP_RAD = 1.0;
static const double ERROR_MAX = 1e12; // millionths; not-a-number counts as that

enum { RING = CLIENT_PREDICT_TICKS_MAX };
_Static_assert((uint32_t)CLIENT_PREDICT_TICKS_MAX == (uint32_t)CLIENT_JOINT_TICKS,
               "as far as it goes ahead its past is kept");

struct client_predict {
    client_joint joint;
    uint32_t wheel_count;

    apex_control_sample samples[RING]; ///< by tick % RING, up to next_sample - 1
    uint32_t first_sample, next_sample;

    uint32_t go_tick;    ///< after which cars on the grid go; 0: not known
    uint32_t told_tick;  ///< of the newest state from the server
    apex_car_state told; ///< that state

    client_moment moment; ///< that is shown

    client_correction correction;
    uint64_t passed_us; ///< until when the correction has gone by
    apex_client_prediction stats;
    apex_histogram error_um, error_urad;

    bool has_rivals;
    client_rivals rivals;
};

client_predict *client_predict_create(const client_predict_def *def) {
    client_predict *predict = calloc(1, sizeof *predict);
    client_joint_def joint = {.ground = def->ground,
                              .walls = def->walls,
                              .own = def->car,
                              .tick_hz = def->tick_hz,
                              .rules = def->rules,
                              .has_rivals = def->seen != NULL};
    apex_car_pose pose;
    if (predict == NULL || !client_joint_create(&joint, &predict->joint)) {
        free(predict);
        return NULL;
    }
    bool there =
        apex_world_pose(predict->joint.world, predict->joint.cars[CLIENT_JOINT_OWN].id, &pose);
    APEX_ASSERT(there);
    predict->wheel_count = pose.wheel_count;
    predict->has_rivals = joint.has_rivals;
    client_rivals_begin(&predict->rivals, def->tick_hz, def->seen);
    return predict;
}

void client_predict_destroy(client_predict *predict) {
    if (predict != NULL) {
        client_joint_destroy(&predict->joint);
        free(predict);
    }
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

// A car that was told of a tick is as told after it, however often that is stepped anew.
static void put_told(client_predict *predict) {
    client_joint *joint = &predict->joint;
    if (joint->at_tick == predict->told_tick && predict->has_rivals) {
        (void)client_joint_put(joint, CLIENT_JOINT_OWN, &predict->told);
    }
    client_rivals_put(&predict->rivals, joint);
    if (joint->at_tick == predict->go_tick) {
        client_joint_release(joint);
    }
}

static void step_to(client_predict *predict, uint32_t tick) {
    client_joint *joint = &predict->joint;
    while (joint->at_tick < tick) {
        apex_control_sample sample = sample_for(predict, joint->at_tick + 1);
        apex_controls controls[CLIENT_JOINT_CARS] = {client_foresight_controls(&sample)};
        client_rivals_drive(&predict->rivals, controls);
        client_joint_step(joint, controls);
        put_told(predict);
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

void client_predict_advance(client_predict *predict, const client_controls *controls) {
    if (!controls->started || controls->held == 0) {
        return;
    }
    uint32_t renewed = note_samples(predict, controls);
    client_joint *joint = &predict->joint;
    if (joint->at_tick == 0 || predict->next_sample == 0) {
        return;
    }
    uint32_t newest = predict->next_sample - 1;
    if (newest > predict->told_tick && newest - predict->told_tick >= RING) {
        joint->at_tick = 0; // nothing was heard for too long
        return;
    }
    if (renewed <= joint->at_tick && renewed > predict->told_tick) {
        (void)client_joint_go_back(joint, renewed - 1); // else the server's word will put it right
    }
    step_to(predict, newest);
}

// @return whether the car was predicted to the bit.
static bool is_as_foretold(const client_predict *predict, uint32_t tick,
                           const apex_car_state *told) {
    const client_joint_moment *known = client_joint_past(&predict->joint, CLIENT_JOINT_OWN, tick);
    return predict->joint.at_tick != 0 && known != NULL &&
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

static void pass(client_predict *predict, uint64_t now_us) {
    if (now_us > predict->passed_us) {
        double elapsed_s = (double)(now_us - predict->passed_us) / 1e6;
        client_correction_pass(&predict->correction, elapsed_s);
        predict->passed_us = now_us;
    }
}

static client_correction_limits limits_of(const client_predict *predict) {
    return predict->rivals.near.count > 0 ? client_correction_near() : client_correction_alone();
}

// The pose shown goes on from where it was: the difference is added to its present offset.
static void correct(client_predict *predict, const apex_client_pose *was, bool is_compared) {
    const client_joint *joint = &predict->joint;
    const apex_client_pose *is = &client_joint_past(joint, CLIENT_JOINT_OWN, joint->at_tick)->pose;
    client_correction_limits limits = limits_of(predict);
    client_offset jump = client_offset_between(was, is);
    if (is_compared) {
        count_error(predict, client_offset_m(&jump), client_offset_rad(&jump));
    }
    if (client_offset_m(&jump) > SNAP_M || client_offset_rad(&jump) > SNAP_RAD) {
        predict->correction = (client_correction){0};
        predict->stats.snaps++;
    } else {
        client_correction_add(&predict->correction, &jump, &limits);
    }
}

// @return whether there is news of the own car that is not as predicted.
static bool hear_own(client_predict *predict, const client_predict_news *news) {
    bool is_news = news->own != NULL && news->tick > predict->told_tick &&
                   news->own->wheel_count == predict->wheel_count;
    if (!is_news) {
        return false;
    }
    predict->told = client_state_of(news->own);
    predict->told_tick = news->tick;
    predict->stats.states++;
    if (is_as_foretold(predict, news->tick, &predict->told)) {
        predict->stats.exact++;
        count_error(predict, 0.0, 0.0);
        return false;
    }
    return true;
}

// The world begins anew at the news, and repeats what has been done since.
static bool repeat_from(client_predict *predict, uint32_t tick, bool is_own_news) {
    client_joint *joint = &predict->joint;
    bool is_there = is_own_news ? client_joint_begin(joint, tick, &predict->told)
                                : client_joint_go_back(joint, tick);
    if (!is_there) {
        return false;
    }
    put_told(predict);
    uint32_t newest = predict->next_sample > 0 ? predict->next_sample - 1 : 0;
    if (newest > tick && newest - tick < RING) {
        step_to(predict, newest);
    }
    return true;
}

void client_predict_look(client_predict *predict) {
    client_rivals_note_poses(&predict->rivals, &predict->joint);
}

void client_predict_take(client_predict *predict, const client_predict_news *news,
                         uint64_t now_us) {
    client_joint *joint = &predict->joint;
    predict->go_tick = news->go_tick;
    bool is_own_news = hear_own(predict, news);
    bool is_news = is_own_news;
    if (predict->has_rivals && news->rivals != NULL) {
        is_news = client_rivals_hear(&predict->rivals, joint, news->rivals) || is_news;
    }
    const client_joint_moment *now = client_joint_past(joint, CLIENT_JOINT_OWN, joint->at_tick);
    bool was_there = joint->at_tick != 0 && now != NULL;
    uint32_t was_at = joint->at_tick;
    apex_client_pose was = was_there ? now->pose : (apex_client_pose){0};
    bool is_repeated = is_news && repeat_from(predict, news->tick, is_own_news);
    if (is_repeated && was_there && was_at == joint->at_tick) {
        pass(predict, now_us);
        correct(predict, &was, is_own_news);
    }
    client_rivals_hide_jumps(&predict->rivals, joint, now_us);
}

uint32_t client_predict_tick(const client_predict *predict) {
    return predict->joint.at_tick;
}

bool client_predict_state(const client_predict *predict, apex_car_state *out) {
    const client_joint *joint = &predict->joint;
    return joint->at_tick != 0 &&
           apex_world_get_car(joint->world, joint->cars[CLIENT_JOINT_OWN].id, out);
}

// A step behind the newest, so that there are steps on both sides; beyond them for a moment only.
static apex_client_pose pose_at(const client_predict *predict, double tick) {
    const client_joint *joint = &predict->joint;
    apex_client_pose pose;
    if (!client_joint_pose(joint, CLIENT_JOINT_OWN, tick, &pose)) {
        // before the server's last word
        const client_joint_moment *told =
            client_joint_past(joint, CLIENT_JOINT_OWN, predict->told_tick);
        pose = told != NULL ? told->pose
                            : client_joint_past(joint, CLIENT_JOINT_OWN, joint->at_tick)->pose;
    }
    return pose;
}

bool client_predict_show(client_predict *predict, double controls_tick, double ticks_per_s,
                         uint64_t now_us, apex_client_pose *pose) {
    double moment =
        client_moment_follow(&predict->moment, controls_tick - 1.0, ticks_per_s, now_us);
    uint32_t at_tick = predict->joint.at_tick;
    if (at_tick == 0) {
        return false;
    }
    // Where a server has lost ticks the clock went back, and the car waits for it. Then it goes on
    // with the steps: a moment that stays ahead of them would show each pair of them as one.
    double newest = (double)at_tick + 1.0;
    if (moment > newest) {
        predict->moment.tick -= moment - newest;
        moment = newest;
    }
    pass(predict, now_us);
    *pose = pose_at(predict, moment);
    client_offset offset = client_correction_offset(&predict->correction);
    client_pose_shift(pose, &offset);
    return true;
}

bool client_predict_show_rival(client_predict *predict, double ticks_per_s, uint64_t now_us,
                               apex_client_pose *pose) {
    bool is_ahead = predict->has_rivals && predict->joint.at_tick != 0 && predict->moment.begun;
    client_rivals_frame frame = {.own_tick = is_ahead ? predict->moment.tick : 0.0,
                                 .ticks_per_s = ticks_per_s,
                                 .now_us = now_us};
    return predict->has_rivals &&
           client_rivals_show(&predict->rivals, &predict->joint, &frame, pose);
}

void client_predict_begin_frame(client_predict *predict, const apex_client_pose *own) {
    client_rivals_begin_frame(&predict->rivals, &predict->joint, predict->moment.tick, own);
    client_touches_settle(&predict->rivals.touches, predict->told_tick, predict->rivals.felt_tick);
}

const apex_client_touch *client_predict_touches(const client_predict *predict, size_t *count) {
    *count = predict->rivals.touches.frame_count;
    return predict->rivals.touches.frame;
}

void client_predict_tell_touch(client_predict *predict, const apex_client_touch *touch) {
    client_touches_tell(&predict->rivals.touches, touch);
}

static double millionths(const apex_histogram *histogram, double share) {
    return (double)apex_histogram_quantile(histogram, share) / 1e6;
}

apex_client_prediction client_predict_stats(const client_predict *predict) {
    apex_client_prediction stats = predict->stats;
    stats.steps = predict->joint.steps;
    const client_touches *touches = &predict->rivals.touches;
    stats.rivals = client_rival_errors_of(&predict->rivals.errors);
    stats.rivals.touches_came = touches->came;
    stats.rivals.touches_phantom = touches->phantom;
    stats.rivals.touches_unforeseen = touches->unforeseen;
    stats.error_m_p50 = millionths(&predict->error_um, 0.5);
    stats.error_m_p99 = millionths(&predict->error_um, 0.99);
    stats.error_rad_p50 = millionths(&predict->error_urad, 0.5);
    stats.error_rad_p99 = millionths(&predict->error_urad, 0.99);
    return stats;
}
