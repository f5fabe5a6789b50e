// Commands to the race: from wherever they come, they are applied and recorded in one order.

#include "host/simulation/race_commands.h"

apex_err host_apply(host_simulation *simulation, const apex_race_command *command) {
    if (simulation->refuses_commands) {
        return APEX_ERR_STATE;
    }
    apex_err err = apex_race_apply(simulation->race, command);
    if (err == APEX_OK && simulation->recorder != NULL) {
        apex_replay_command(simulation->recorder, command);
    }
    return err;
}

apex_err host_seat(host_simulation *simulation, apex_race_command *join) {
    bool has_room = apex_race_reserve(simulation->race, &join->player);
    apex_err err = has_room ? host_apply(simulation, join) : APEX_ERR_FULL;
    if (err == APEX_OK) {
        host_names_note(&simulation->names, join->player, join->name);
    }
    return err;
}

void host_drop_player(host_simulation *simulation, apex_player_id player, apex_leave_why why) {
    if (player.index1 == 0) {
        return;
    }
    apex_race_command leave = {.kind = APEX_RACE_LEAVE, .player = player, .why = why};
    (void)host_apply(simulation, &leave); // a player who has left already can't leave again
}
