// Texts about the race: order, results, events, telemetry.
#include "client-lite/text/text.h"
#include "client-lite/wasm/page.h"

void page_write_race_state(apex_json_writer *json, const apex_race_state *state) {
    apex_json_open(json, NULL, '{');
    apex_json_text(json, "phase", apex_wire_phase_name(state->phase));
    apex_json_integer(json, "raceNumber", state->race_number);
    apex_json_integer(json, "raceTimeUs", state->race_time_us);
    apex_json_integer(json, "laps", state->laps);
    apex_json_integer(json, "players", state->players);
    apex_json_integer(json, "running", state->running);
    apex_json_integer(json, "startPlayers", state->start_players);
    apex_json_integer(json, "seed", (int64_t)state->seed);
    apex_json_integer(json, "lobbyLeftUs", (int64_t)state->lobby_left_us);
    apex_json_close(json);
}

static void write_times(apex_json_writer *json, const char *key, const uint64_t times_us[],
                        uint32_t count) {
    apex_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        apex_json_integer(json, NULL, (int64_t)times_us[i]);
    }
    apex_json_close(json);
}

static void write_lines(apex_json_writer *json, const char *key, const apex_wire_standing lines[],
                        uint32_t count) {
    apex_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        const apex_wire_standing *line = &lines[i];
        apex_json_open(json, NULL, '{');
        apex_json_integer(json, "position", line->position);
        apex_json_integer(json, "player", line->player);
        apex_json_text(json, "name", line->name);
        apex_json_text(json, "carDef", line->car_def);
        apex_json_text(json, "state", apex_wire_standing_name(line->state));
        apex_json_integer(json, "laps", line->laps);
        apex_json_number(json, "lapM", (double)line->lap_m, 9);
        apex_json_integer(json, "lastLapUs", (int64_t)line->last_lap_us);
        apex_json_integer(json, "bestLapUs", (int64_t)line->best_lap_us);
        apex_json_integer(json, "totalUs", (int64_t)line->total_us);
        apex_json_integer(json, "gapUs", (int64_t)line->gap_us);
        apex_json_integer(json, "grid", line->grid);
        apex_json_bool(json, "kicked", line->kicked);
        apex_json_integer(json, "sector", line->sector);
        write_times(json, "sectorUs", line->sector_us, line->sector_count);
        write_times(json, "bestSectorUs", line->best_sector_us, line->sector_count);
        apex_json_close(json);
    }
    apex_json_close(json);
}

void page_write_standings(apex_json_writer *json, const apex_standings *standings) {
    apex_json_open(json, NULL, '{');
    apex_json_integer(json, "tick", standings->tick);
    apex_json_integer(json, "total", standings->total);
    write_times(json, "bestSectorUs", standings->best_sector_us, standings->sector_count);
    write_lines(json, "lines", standings->lines, standings->line_count);
    apex_json_close(json);
}

void page_write_results(apex_json_writer *json, const apex_results *results) {
    apex_json_open(json, NULL, '{');
    apex_json_integer(json, "raceNumber", results->race_number);
    apex_json_text(json, "track", results->track);
    apex_json_integer(json, "laps", results->laps);
    apex_json_integer(json, "seed", (int64_t)results->seed);
    write_lines(json, "lines", results->lines, results->line_count);
    write_lines(json, "apart", results->apart, results->apart_count);
    apex_json_close(json);
}

// A phase begins: which. A newer server may know more of them.
static void write_phase_of(apex_json_writer *json, const apex_race_event_message *event) {
    if (event->kind == APEX_WIRE_EVENT_PHASE && event->value >= 0 &&
        event->value < APEX_WIRE_PHASES) {
        apex_json_text(json, "phase", apex_wire_phase_name((uint32_t)event->value));
    }
}

void page_write_events(apex_json_writer *json, const apex_race_event_message events[],
                       size_t count) {
    apex_json_open(json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        apex_json_open(json, NULL, '{');
        apex_json_text(json, "kind", apex_wire_event_name(events[i].kind));
        apex_json_integer(json, "tick", events[i].tick);
        apex_json_integer(json, "raceNumber", events[i].race_number);
        apex_json_integer(json, "player", events[i].player);
        apex_json_integer(json, "other", events[i].other);
        apex_json_integer(json, "value", events[i].value);
        write_phase_of(json, &events[i]);
        apex_json_integer(json, "timeUs", (int64_t)events[i].time_us);
        apex_json_text(json, "name", events[i].name);
        apex_json_text(json, "otherName", events[i].other_name);
        apex_json_close(json);
    }
    apex_json_close(json);
}

static void write_wheel(apex_json_writer *json, const apex_wheel_telemetry *wheel) {
    apex_json_open(json, NULL, '{');
    apex_json_number(json, "loadN", (double)wheel->load_n, 9);
    apex_json_number(json, "slipRatio", (double)wheel->slip_ratio, 9);
    apex_json_number(json, "slipAngleRad", (double)wheel->slip_angle_rad, 9);
    apex_json_number(json, "forceLongN", (double)wheel->force_long_n, 9);
    apex_json_number(json, "forceLatN", (double)wheel->force_lat_n, 9);
    apex_json_number(json, "friction", (double)wheel->friction, 9);
    apex_json_number(json, "spinRadps", (double)wheel->spin_radps, 9);
    apex_json_number(json, "temperatureC", (double)wheel->temperature_c, 9);
    apex_json_integer(json, "surface", wheel->surface);
    apex_json_bool(json, "sliding", wheel->sliding);
    apex_json_close(json);
}

void page_write_telemetry(apex_json_writer *json, const apex_telemetry *telemetry) {
    apex_json_open(json, NULL, '{');
    apex_json_integer(json, "tick", telemetry->tick);
    apex_json_integer(json, "car", telemetry->car);
    apex_json_number(json, "speedMps", (double)telemetry->speed_mps, 9);
    apex_json_number(json, "rpm", (double)telemetry->rpm, 9);
    apex_json_integer(json, "gear", telemetry->gear);
    apex_json_number(json, "throttle", (double)telemetry->throttle, 9);
    apex_json_number(json, "brake", (double)telemetry->brake, 9);
    apex_json_number(json, "steerRad", (double)telemetry->steer_rad, 9);
    apex_json_number(json, "accelerationXMps2", (double)telemetry->acceleration_x_mps2, 9);
    apex_json_number(json, "accelerationYMps2", (double)telemetry->acceleration_y_mps2, 9);
    apex_json_number(json, "lapM", (double)telemetry->lap_m, 9);
    apex_json_number(json, "offsetM", (double)telemetry->offset_m, 9);
    apex_json_number(json, "fuelKg", (double)telemetry->fuel_kg, 9);
    apex_json_open(json, "wheels", '[');
    for (uint32_t i = 0; i < telemetry->wheel_count; i++) {
        write_wheel(json, &telemetry->wheels[i]);
    }
    apex_json_close(json);
    apex_json_close(json);
}

void page_write_playback(apex_json_writer *json, const apex_playback_state *playback) {
    apex_json_open(json, NULL, '{');
    apex_json_integer(json, "tick", playback->tick);
    apex_json_integer(json, "lastTick", playback->last_tick);
    apex_json_bool(json, "playing", playback->playing);
    apex_json_bool(json, "seeking", playback->seeking);
    apex_json_integer(json, "speedPermille", playback->speed_permille);
    apex_json_close(json);
}

void page_write_marks(apex_json_writer *json, const apex_playback_state *playback) {
    apex_json_open(json, NULL, '[');
    for (uint32_t i = 0; i < playback->mark_count; i++) {
        apex_json_open(json, NULL, '{');
        apex_json_integer(json, "tick", playback->marks[i].tick);
        apex_json_text(json, "kind", apex_wire_event_name(playback->marks[i].kind));
        apex_json_integer(json, "player", playback->marks[i].player);
        apex_json_close(json);
    }
    apex_json_close(json);
}
