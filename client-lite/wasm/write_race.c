// Texts about the race: order, results, events, telemetry.
#include "client-lite/text/text.h"
#include "client-lite/wasm/page.h"

void page_write_race_state(page_json *json, const apex_race_state *state) {
    page_json_open(json, NULL, '{');
    page_json_text(json, "phase", client_text_phase(state->phase));
    page_json_whole(json, "raceNumber", state->race_number);
    page_json_whole(json, "raceTimeUs", state->race_time_us);
    page_json_whole(json, "laps", state->laps);
    page_json_whole(json, "players", state->players);
    page_json_whole(json, "running", state->running);
    page_json_whole(json, "startPlayers", state->start_players);
    page_json_whole(json, "seed", (int64_t)state->seed);
    page_json_whole(json, "lobbyLeftUs", (int64_t)state->lobby_left_us);
    page_json_close(json, '}');
}

static void write_times(page_json *json, const char *key, const uint64_t times_us[],
                        uint32_t count) {
    page_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        page_json_whole(json, NULL, (int64_t)times_us[i]);
    }
    page_json_close(json, ']');
}

static void write_lines(page_json *json, const char *key, const apex_wire_standing lines[],
                        uint32_t count) {
    page_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        const apex_wire_standing *line = &lines[i];
        page_json_open(json, NULL, '{');
        page_json_whole(json, "position", line->position);
        page_json_whole(json, "player", line->player);
        page_json_text(json, "name", line->name);
        page_json_text(json, "carDef", line->car_def);
        page_json_text(json, "state", client_text_state(line->state));
        page_json_whole(json, "laps", line->laps);
        page_json_number(json, "lapM", (double)line->lap_m);
        page_json_whole(json, "lastLapUs", (int64_t)line->last_lap_us);
        page_json_whole(json, "bestLapUs", (int64_t)line->best_lap_us);
        page_json_whole(json, "totalUs", (int64_t)line->total_us);
        page_json_whole(json, "gapUs", (int64_t)line->gap_us);
        page_json_whole(json, "grid", line->grid);
        page_json_flag(json, "kicked", line->kicked);
        page_json_whole(json, "sector", line->sector);
        write_times(json, "sectorUs", line->sector_us, line->sector_count);
        write_times(json, "bestSectorUs", line->best_sector_us, line->sector_count);
        page_json_close(json, '}');
    }
    page_json_close(json, ']');
}

void page_write_standings(page_json *json, const apex_standings *standings) {
    page_json_open(json, NULL, '{');
    page_json_whole(json, "tick", standings->tick);
    page_json_whole(json, "total", standings->total);
    write_times(json, "bestSectorUs", standings->best_sector_us, standings->sector_count);
    write_lines(json, "lines", standings->lines, standings->line_count);
    page_json_close(json, '}');
}

void page_write_results(page_json *json, const apex_results *results) {
    page_json_open(json, NULL, '{');
    page_json_whole(json, "raceNumber", results->race_number);
    page_json_text(json, "track", results->track);
    page_json_whole(json, "laps", results->laps);
    page_json_whole(json, "seed", (int64_t)results->seed);
    write_lines(json, "lines", results->lines, results->line_count);
    write_lines(json, "apart", results->apart, results->apart_count);
    page_json_close(json, '}');
}

void page_write_events(page_json *json, const apex_race_event_message events[], size_t count) {
    page_json_open(json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        page_json_open(json, NULL, '{');
        page_json_text(json, "kind", client_text_event(events[i].kind));
        page_json_whole(json, "tick", events[i].tick);
        page_json_whole(json, "raceNumber", events[i].race_number);
        page_json_whole(json, "player", events[i].player);
        page_json_whole(json, "other", events[i].other);
        page_json_whole(json, "value", events[i].value);
        page_json_whole(json, "timeUs", (int64_t)events[i].time_us);
        page_json_text(json, "name", events[i].name);
        page_json_text(json, "otherName", events[i].other_name);
        page_json_close(json, '}');
    }
    page_json_close(json, ']');
}

static void write_wheel(page_json *json, const apex_wheel_telemetry *wheel) {
    page_json_open(json, NULL, '{');
    page_json_number(json, "loadN", (double)wheel->load_n);
    page_json_number(json, "slipRatio", (double)wheel->slip_ratio);
    page_json_number(json, "slipAngleRad", (double)wheel->slip_angle_rad);
    page_json_number(json, "forceLongN", (double)wheel->force_long_n);
    page_json_number(json, "forceLatN", (double)wheel->force_lat_n);
    page_json_number(json, "friction", (double)wheel->friction);
    page_json_number(json, "spinRadps", (double)wheel->spin_radps);
    page_json_number(json, "temperatureC", (double)wheel->temperature_c);
    page_json_whole(json, "surface", wheel->surface);
    page_json_flag(json, "sliding", wheel->sliding);
    page_json_close(json, '}');
}

void page_write_telemetry(page_json *json, const apex_telemetry *telemetry) {
    page_json_open(json, NULL, '{');
    page_json_whole(json, "tick", telemetry->tick);
    page_json_whole(json, "car", telemetry->car);
    page_json_number(json, "speedMps", (double)telemetry->speed_mps);
    page_json_number(json, "rpm", (double)telemetry->rpm);
    page_json_whole(json, "gear", telemetry->gear);
    page_json_number(json, "throttle", (double)telemetry->throttle);
    page_json_number(json, "brake", (double)telemetry->brake);
    page_json_number(json, "steerRad", (double)telemetry->steer_rad);
    page_json_number(json, "accelerationXMps2", (double)telemetry->acceleration_x_mps2);
    page_json_number(json, "accelerationYMps2", (double)telemetry->acceleration_y_mps2);
    page_json_number(json, "lapM", (double)telemetry->lap_m);
    page_json_number(json, "offsetM", (double)telemetry->offset_m);
    page_json_number(json, "fuelKg", (double)telemetry->fuel_kg);
    page_json_open(json, "wheels", '[');
    for (uint32_t i = 0; i < telemetry->wheel_count; i++) {
        write_wheel(json, &telemetry->wheels[i]);
    }
    page_json_close(json, ']');
    page_json_close(json, '}');
}

void page_write_playback(page_json *json, const apex_playback_state *playback) {
    page_json_open(json, NULL, '{');
    page_json_whole(json, "tick", playback->tick);
    page_json_whole(json, "lastTick", playback->last_tick);
    page_json_flag(json, "playing", playback->playing);
    page_json_flag(json, "seeking", playback->seeking);
    page_json_whole(json, "speedPermille", playback->speed_permille);
    page_json_close(json, '}');
}

void page_write_marks(page_json *json, const apex_playback_state *playback) {
    page_json_open(json, NULL, '[');
    for (uint32_t i = 0; i < playback->mark_count; i++) {
        page_json_open(json, NULL, '{');
        page_json_whole(json, "tick", playback->marks[i].tick);
        page_json_text(json, "kind", client_text_event(playback->marks[i].kind));
        page_json_whole(json, "player", playback->marks[i].player);
        page_json_close(json, '}');
    }
    page_json_close(json, ']');
}
