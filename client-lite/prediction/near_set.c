// Cars come in at a shorter time than that at which they go out, so that none flutters.
#include "client-lite/prediction/near_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Where one brakes before the other gaps close so fast: 35 m are the time to come in, 61 that to go
// out.
static const double CLOSING_MPS = 14.0;
static const double IN_S = 2.5, OUT_S = 4.4;
// A car that has to glide for longer comes in so much sooner: it should be there when it is met.
static const double EARLY_S = 0.5;
// Between centres of cars that touch end to end.
static const double LENGTH_M = 4.0;
static const double STAY_S = 1.0;
// A car outside takes the place of one inside only if it is nearer by this share.
static const double NEARER = 0.7;

double client_near_reach_s(const apex_wire_car *own, const apex_wire_car *other) {
    double x = other->x_mm / 1000.0 - own->x_mm / 1000.0;
    double y = other->y_mm / 1000.0 - own->y_mm / 1000.0;
    double z = other->z_mm / 1000.0 - own->z_mm / 1000.0;
    double away_m = sqrt(x * x + y * y + z * z);
    double vx = (other->vx_cmps - own->vx_cmps) / 100.0,
           vy = (other->vy_cmps - own->vy_cmps) / 100.0;
    double closing_mps = away_m > 0.0 ? -(x * vx + y * vy) / away_m : 0.0;
    return fmax(away_m - LENGTH_M, 0.0) / fmax(closing_mps, CLOSING_MPS);
}

static client_near_car *find(client_near_set *self, uint32_t car) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->cars[i].car == car) {
            return &self->cars[i];
        }
    }
    return NULL;
}

bool client_near_has(const client_near_set *self, uint32_t car) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->cars[i].car == car) {
            return true;
        }
    }
    return false;
}

// The place that a car would have among those that are sorted by reach.
static void insert(client_near_set *next, client_near_car car) {
    uint32_t at = next->count < CLIENT_NEAR_MAX ? next->count++ : CLIENT_NEAR_MAX;
    while (at > 0 && next->cars[at - 1].reach_s > car.reach_s) {
        if (at < CLIENT_NEAR_MAX) {
            next->cars[at] = next->cars[at - 1];
        }
        at--;
    }
    if (at < CLIENT_NEAR_MAX) {
        next->cars[at] = car;
    }
}

void client_near_update(client_near_set *self, const client_near_view *view) {
    client_near_set next = {0};
    double sooner_s = fmax(view->glide_s + EARLY_S - IN_S, 0.0);
    for (size_t i = 0; view->own != NULL && i < view->count; i++) {
        const apex_wire_car *car = &view->cars[i];
        if (car->id == view->own->id) {
            continue;
        }
        const client_near_car *was = find(self, car->id);
        double reach_s = client_near_reach_s(view->own, car);
        uint32_t since_tick = was != NULL ? was->since_tick : view->tick;
        bool is_new = view->tick - since_tick < STAY_S * view->tick_hz;
        bool stays = was != NULL && (reach_s <= OUT_S + sooner_s || is_new);
        if (stays || reach_s <= IN_S + sooner_s) {
            insert(&next, (client_near_car){.car = car->id,
                                            .since_tick = since_tick,
                                            .reach_s = stays ? NEARER * reach_s : reach_s});
        }
    }
    *self = next;
}
