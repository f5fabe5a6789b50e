// "Stored, then told" for what is told at a rate: the order is copied with the number of the
// newest record, and the copy is told once the store has that record. One copy waits at a time, so
// while the disk stands still the order does, too, as events do (DECISIONS 52).

#include "host/news/told_order.h"

#include <stdlib.h>

static bool create_one(host_order *order, size_t capacity, bool has_control) {
    order->lines = calloc(capacity, sizeof *order->lines);
    order->sectors = calloc(capacity, sizeof *order->sectors);
    order->conducts = has_control ? calloc(capacity, sizeof *order->conducts) : NULL;
    return order->lines != NULL && order->sectors != NULL &&
           (order->conducts != NULL || !has_control);
}

bool host_told_order_create(host_told_order *order, const apex_race *race, bool has_control) {
    *order = (host_told_order){.capacity = apex_race_standings_max(race)};
    return create_one(&order->told, order->capacity, has_control) &&
           create_one(&order->next, order->capacity, has_control);
}

void host_told_order_destroy(host_told_order *order) {
    free(order->told.lines);
    free(order->told.sectors);
    free(order->told.conducts);
    free(order->next.lines);
    free(order->next.sectors);
    free(order->next.conducts);
    *order = (host_told_order){0};
}

static void copy(host_order *order, size_t capacity, const apex_race *race) {
    order->count = apex_race_standings(race, order->lines, capacity);
    order->tick = (uint32_t)apex_world_tick(apex_race_world(race));
    order->sector_count = apex_race_best_sectors(race, order->best_sector_us);
    for (size_t i = 0; i < order->count; i++) {
        if (!apex_race_player_sectors(race, order->lines[i].player, &order->sectors[i])) {
            order->sectors[i] = (apex_sector_times){0};
        }
    }
    if (order->conducts == NULL) {
        return;
    }
    order->session = apex_race_session_of(race);
    for (size_t i = 0; i < order->count; i++) {
        order->conducts[i] = host_line_conduct_of(race, order->lines[i].player);
    }
}

static void tell_next(host_told_order *order, uint64_t committed) {
    if (order->has_next && order->next.record <= committed) {
        host_order told = order->told;
        order->told = order->next;
        order->next = told;
        order->has_next = false;
    }
}

void host_told_order_follow(host_told_order *order, const apex_race *race, uint64_t newest,
                            uint64_t committed, bool is_due) {
    tell_next(order, committed);
    if (order->has_next || !is_due) {
        return;
    }
    copy(&order->next, order->capacity, race);
    order->next.record = newest;
    order->has_next = true;
    tell_next(order, committed);
}
