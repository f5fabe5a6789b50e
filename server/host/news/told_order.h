/// The order with its laps and sectors, as it may be told: with nothing in it that the store has
/// not got.
#pragma once

#include "host/news/line_conduct.h"

/// The order of one tick.
typedef struct host_order {
    apex_standing *lines;
    apex_sector_times *sectors;  ///< of each line
    host_line_conduct *conducts; ///< likewise; NULL: of an event without control
    apex_session_status session;
    size_t count;
    uint64_t best_sector_us[APEX_TRACK_SECTORS_MAX]; ///< of anybody, in this race
    uint32_t sector_count;                           ///< of a lap; 0: there are none
    uint32_t tick;
    uint64_t record; ///< of the store, the newest by then
} host_order;

typedef struct host_told_order {
    host_order told;
    host_order next; ///< told once the store has its record
    bool has_next;
    size_t capacity; ///< lines of each
} host_told_order;

/// @param has_control the event has conduct to tell of
/// @return false: no memory; host_told_order_destroy frees what there is.
bool host_told_order_create(host_told_order *order, const apex_race *race, bool has_control);
void host_told_order_destroy(host_told_order *order);
/// Once a round.
/// @param newest the newest record that the store was given @param committed that it has
/// @param is_due a new order is to be taken, if none waits
void host_told_order_follow(host_told_order *order, const apex_race *race, uint64_t newest,
                            uint64_t committed, bool is_due);
