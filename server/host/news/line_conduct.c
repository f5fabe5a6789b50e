// A player's conduct, of which a line of the order tells what others may know.

#include "host/news/line_conduct.h"

host_line_conduct host_line_conduct_of(const apex_race *race, apex_player_id player) {
    apex_race_conduct conduct;
    if (!apex_race_conduct_of(race, player, &conduct)) {
        return (host_line_conduct){.class1 = 0};
    }
    return (host_line_conduct){
        .class1 = conduct.class1,
        .class_position = conduct.class_position,
        .number = conduct.number,
        .best_counting_us = conduct.best_counting_us,
        .ideal_us = conduct.ideal_us,
        .penalty_us = conduct.penalty_us,
        .trap_cmps = (uint32_t)(conduct.trap_mps * 100.0 + 0.5),
        .pit = conduct.pit.phase,
        .stops = conduct.pit.stops,
        .lap_voids = conduct.lap_voids,
        .incident_points = conduct.incident_points,
        .points = conduct.points,
        .status = conduct.status,
    };
}

void host_tell_line_conduct(const host_line_conduct *conduct, bool with_sectors,
                            apex_wire_standing *wire) {
    wire->class1 = conduct->class1;
    wire->class_position = conduct->class_position;
    wire->number = conduct->number;
    wire->best_counting_us = conduct->best_counting_us;
    wire->penalty_us = conduct->penalty_us;
    wire->pit = (uint32_t)conduct->pit;
    wire->stops = conduct->stops;
    wire->lap_voids = conduct->lap_voids;
    wire->incident_points = conduct->incident_points;
    wire->points = conduct->points;
    wire->status = (uint32_t)conduct->status;
    if (with_sectors) {
        wire->ideal_us = conduct->ideal_us;
        wire->trap_cmps = conduct->trap_cmps;
    }
}
