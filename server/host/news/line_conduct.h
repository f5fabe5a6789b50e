/// What standings, results and the web tell of a player in an event with sessions or rules, beside
/// his line of the order. All zero in others.
#pragma once

#include "proto/proto.h"
#include "race/race.h"

typedef struct host_line_conduct {
    uint32_t class1, class_position; ///< from 1; 0: none
    uint32_t number;                 ///< start number; 0: none
    uint64_t best_counting_us, ideal_us, penalty_us;
    uint32_t trap_cmps;
    apex_pit_phase pit;
    uint32_t stops;
    uint32_t lap_voids; ///< bits of apex_lap_void
    uint32_t incident_points, points;
    apex_result_status status;
} host_line_conduct;

host_line_conduct host_line_conduct_of(const apex_race *race, apex_player_id player);
/// @param with_sectors what belongs to those, too
void host_tell_line_conduct(const host_line_conduct *conduct, bool with_sectors,
                            apex_wire_standing *wire);
