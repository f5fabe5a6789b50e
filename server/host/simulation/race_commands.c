// Commands to the race: whoever gives them, they are applied and recorded in one order.

#include "host/simulation/race_commands.h"

#include "host/host_private.h"

apex_err host_apply(apex_server *server, const apex_race_command *command) {
    if (server->read_only_why != NULL) {
        return APEX_ERR_STATE;
    }
    apex_err err = apex_race_apply(server->race, command);
    if (err == APEX_OK && server->recorder != NULL) {
        apex_replay_command(server->recorder, command);
    }
    return err;
}

apex_err host_seat(apex_server *server, apex_race_command *join) {
    bool has_room = apex_race_reserve(server->race, &join->player);
    return has_room ? host_apply(server, join) : APEX_ERR_FULL;
}

void host_drop_player(apex_server *server, apex_player_id player, apex_leave_why why) {
    if (player.index1 == 0) {
        return;
    }
    apex_race_command leave = {.kind = APEX_RACE_LEAVE, .player = player, .why = why};
    (void)host_apply(server, &leave); // who has left already can't leave again
}
