// What was felt and what was told are matched by car and time.
#include "client-lite/prediction/touches.h"

// So far apart the two may be and be the same; and so long two cars that rub along have one touch.
static const double SAME_S = 0.15, RUB_S = 0.5;
// Twice the impulse from which the server tells of touches.
static const double CLEAR_NS = 200.0;
// The server's word comes on a reliable channel, which may have to repeat it.
static const double WAIT_S = 2.0;

static uint32_t ticks_in(const client_touches *self, double seconds) {
    return (uint32_t)(seconds * self->tick_hz);
}

static client_touch_kept *find(client_touch_kept list[], uint32_t car, uint32_t tick,
                               uint32_t within) {
    for (uint32_t i = 0; i < CLIENT_TOUCHES_KEPT; i++) {
        client_touch_kept *kept = &list[i];
        if (kept->car == car && tick + within >= kept->first_tick &&
            tick <= kept->last_tick + within) {
            return kept;
        }
    }
    return NULL;
}

// @return NULL if it goes on with one that is known.
static client_touch_kept *keep(const client_touches *self, client_touch_kept list[],
                               uint32_t *count, const apex_client_touch *touch) {
    uint32_t tick = touch->tick;
    client_touch_kept *rubbed = find(list, touch->car, tick, ticks_in(self, RUB_S));
    if (rubbed != NULL) {
        rubbed->last_tick = tick > rubbed->last_tick ? tick : rubbed->last_tick;
        return NULL;
    }
    client_touch_kept *kept = &list[(*count)++ % CLIENT_TOUCHES_KEPT];
    *kept = (client_touch_kept){
        .car = touch->car, .first_tick = tick, .last_tick = tick, .impulse_ns = touch->impulse_ns};
    return kept;
}

static void match(client_touches *self, client_touch_kept *one, client_touch_kept others[]) {
    client_touch_kept *other = find(others, one->car, one->first_tick, ticks_in(self, SAME_S));
    if (other != NULL && !other->is_settled) {
        one->is_settled = other->is_settled = true;
        self->came++;
    }
}

void client_touches_begin_frame(client_touches *self) {
    self->frame_count = 0;
}

void client_touches_feel(client_touches *self, const apex_client_touch *touch) {
    if (self->frame_count < CLIENT_TOUCHES_MAX) {
        self->frame[self->frame_count++] = *touch;
    }
    client_touch_kept *kept = keep(self, self->felt, &self->felt_count, touch);
    if (kept != NULL) {
        match(self, kept, self->told);
    }
}

void client_touches_tell(client_touches *self, const apex_client_touch *touch) {
    client_touch_kept *kept = keep(self, self->told, &self->told_count, touch);
    if (kept != NULL) {
        match(self, kept, self->felt);
    }
}

static void settle(client_touch_kept list[], uint32_t before_tick, uint64_t *count) {
    for (uint32_t i = 0; i < CLIENT_TOUCHES_KEPT; i++) {
        if (list[i].car != 0 && !list[i].is_settled && list[i].first_tick < before_tick) {
            list[i].is_settled = true;
            *count += list[i].impulse_ns >= CLEAR_NS;
        }
    }
}

void client_touches_settle(client_touches *self, uint32_t told_tick, uint32_t shown_tick) {
    uint32_t wait = ticks_in(self, WAIT_S), same = ticks_in(self, SAME_S);
    settle(self->felt, told_tick > wait ? told_tick - wait : 0, &self->phantom);
    settle(self->told, shown_tick > same ? shown_tick - same : 0, &self->unforeseen);
}
