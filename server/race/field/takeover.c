// The hands at the wheel: the player's own, or those of the server's driver.
#include "race/field/takeover.h"

#include "race/field/players.h"

// Two hands count shifts and resets separately. Without this the first sample of the new hand would
// look like as many shifts and resets as its counts differ from the old one's.
static void forget_counters(race_field *field, uint32_t slot) {
    apex_car_state state;
    if (apex_world_get_car(field->world, field->players[slot].car_id, &state)) {
        state.counters_known = false;
        apex_world_set_car(field->world, field->players[slot].car_id, &state);
    }
}

apex_err race_takeover(race_field *field, const apex_race_command *command) {
    uint32_t slot = race_player_slot(field, command->player);
    if (slot == field->capacity) {
        return APEX_ERR_NOT_FOUND;
    }
    if (!apex_driver_takes(command->skill, command->lane_m)) {
        return APEX_ERR_RANGE; // else the driver would be another than the command's
    }
    race_player *player = &field->players[slot];
    player->driver = apex_driver_create(command->skill, command->lane_m);
    player->driver.patience_s = command->patience_s > 0.0 ? command->patience_s : 0.0;
    player->driver.s_m = player->s_m;
    player->driver.placed = true;
    player->driven_by_server = true;
    forget_counters(field, slot);
    return APEX_OK;
}

apex_err race_handback(race_field *field, apex_player_id id) {
    uint32_t slot = race_player_slot(field, id);
    if (slot == field->capacity) {
        return APEX_ERR_NOT_FOUND;
    }
    if (field->players[slot].driven_by_server) {
        field->players[slot].driven_by_server = false;
        forget_counters(field, slot);
    }
    return APEX_OK;
}
