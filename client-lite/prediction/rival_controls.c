// Guesses are judged by the pedals that came: what they did to the speed follows from these.
#include "client-lite/prediction/rival_controls.h"

#include <math.h>
#include <string.h>

// The mean of a driver who taps is over so long; and so long is he watched before he is believed.
static const double TAPS_S = 0.4;
static const double WATCHED_S = 3.0;
// Another rule must be better by this share.
static const double BETTER = 0.2;
// Squares of pedals smaller than this are no difference.
static const double NO_ERROR = 1e-4;

static const client_pedals *pedals_back(const client_rival_controls *self, uint32_t back,
                                        uint32_t *tick) {
    uint32_t at = (self->count - 1 - back) % CLIENT_RIVAL_PEDALS_KEPT;
    *tick = self->ticks[at];
    return &self->told[at];
}

static uint32_t kept(const client_rival_controls *self) {
    return self->count < CLIENT_RIVAL_PEDALS_KEPT ? self->count : CLIENT_RIVAL_PEDALS_KEPT;
}

// Mean of what was told in the ticks (after, upto].
static bool mean_of(const client_rival_controls *self, uint32_t after, uint32_t upto,
                    client_pedals *out) {
    client_pedals sum = {0};
    uint32_t count = 0, tick;
    for (uint32_t back = 0; back < kept(self); back++) {
        const client_pedals *pedals = pedals_back(self, back, &tick);
        if (tick > after && tick <= upto) {
            sum.throttle += pedals->throttle;
            sum.brake += pedals->brake;
            count++;
        }
    }
    if (count > 0) {
        *out = (client_pedals){sum.throttle / count, sum.brake / count};
    }
    return count > 0;
}

static uint32_t before(uint32_t tick, uint32_t ticks) {
    return tick > ticks ? tick - ticks : 0;
}

static bool held_at(const client_rival_controls *self, uint32_t upto, client_pedals *out) {
    uint32_t tick;
    for (uint32_t back = 0; back < kept(self); back++) {
        const client_pedals *pedals = pedals_back(self, back, &tick);
        if (tick <= upto) {
            *out = *pedals;
            return true;
        }
    }
    return false;
}

static bool guess_at(const client_rival_controls *self, client_rival_rule rule, uint32_t tick,
                     client_pedals *out) {
    return rule == CLIENT_RIVAL_HOLDS ? held_at(self, tick, out)
                                      : mean_of(self, before(tick, self->taps_ticks), tick, out);
}

static double square_off(client_pedals a, client_pedals b) {
    double throttle = a.throttle - b.throttle, brake = a.brake - b.brake;
    return throttle * throttle + brake * brake;
}

// @param gap_s since what was told before: its share of the three seconds.
static void judge(client_rival_controls *self, uint32_t tick, uint32_t horizon_ticks,
                  double gap_s) {
    client_pedals came, guess;
    uint32_t from = before(tick, horizon_ticks);
    if (!mean_of(self, from, tick, &came)) {
        return;
    }
    double weight = fmin(gap_s / WATCHED_S, 1.0);
    for (int rule = 0; rule < CLIENT_RIVAL_RULES; rule++) {
        if (guess_at(self, (client_rival_rule)rule, from, &guess)) {
            self->errors[rule] += weight * (square_off(guess, came) - self->errors[rule]);
        }
    }
    double held = self->errors[CLIENT_RIVAL_HOLDS], taps = self->errors[CLIENT_RIVAL_TAPS];
    if (taps + NO_ERROR < (1.0 - BETTER) * held) {
        self->rule = CLIENT_RIVAL_TAPS;
    } else if (held <= (1.0 - BETTER) * taps || held < NO_ERROR) {
        self->rule = CLIENT_RIVAL_HOLDS;
    }
}

void client_rival_controls_told(client_rival_controls *self, uint32_t tick,
                                const apex_wire_car *told, uint32_t tick_hz,
                                uint32_t horizon_ticks) {
    uint32_t newest = 0;
    if (self->count > 0) {
        (void)pedals_back(self, 0, &newest);
        if (tick <= newest) {
            return;
        }
    }
    self->taps_ticks = (uint32_t)(TAPS_S * tick_hz);
    uint32_t at = self->count++ % CLIENT_RIVAL_PEDALS_KEPT;
    self->ticks[at] = tick;
    self->told[at] = (client_pedals){told->throttle / 255.0, told->brake / 255.0};
    if (newest > 0) {
        judge(self, tick, horizon_ticks, (double)(tick - newest) / tick_hz);
    }
}

static uint8_t level(double share) {
    return (uint8_t)(255.0 * fmin(fmax(share, 0.0), 1.0) + 0.5);
}

static int16_t steer_of(const apex_car_def *def, double steer_rad) {
    double lock_rad = def->steering.angle_rad_max;
    double share = lock_rad > 0.0 ? fmin(fmax(steer_rad / lock_rad, -1.0), 1.0) : 0.0;
    return (int16_t)(share * APEX_STEER_MAX);
}

apex_controls client_rival_controls_now(const client_rival_controls *self, const apex_car_def *def,
                                        double steer_rad, int8_t gear) {
    client_pedals pedals = {0};
    uint32_t newest = 0;
    if (self->count > 0) {
        (void)pedals_back(self, 0, &newest);
        (void)guess_at(self, self->rule, newest, &pedals);
    }
    return (apex_controls){.steer = steer_of(def, steer_rad),
                           .throttle = level(pedals.throttle),
                           .brake = level(pedals.brake),
                           .gear = gear > 0 ? APEX_GEAR_AUTOMATIC : gear,
                           .aids_off = APEX_AID_STEERING};
}
