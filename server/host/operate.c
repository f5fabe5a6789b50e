// Orders of an operator, each answered in one sentence.

#include "host/operate.h"

#include <string.h>

#include "host/host_private.h"
#include "host/simulation/race_commands.h"
#include "host/whom.h"

apex_err host_operate_say(apex_server *server, const char *text, char said[HOST_SAID_BYTES]) {
    if (text[strspn(text, " \t\r\n")] == '\0') {
        return host_answer(said, APEX_ERR_INVALID, "say what? for example: say five minutes to go");
    }
    if (strlen(text) >= APEX_WIRE_TEXT_BYTES) {
        return host_answer(said, APEX_ERR_RANGE, "that is too long; say it in at most %d bytes",
                           APEX_WIRE_TEXT_BYTES - 1);
    }
    if (apex_server_finished(server)) {
        return host_answer(said, APEX_ERR_STATE,
                           "nobody hears it: this race is over, and all have gone");
    }
    if (server->news.announcement_count == HOST_ANNOUNCEMENTS_MAX) {
        return host_answer(said, APEX_ERR_FULL, "too much at a time; say it again in a moment");
    }
    apex_wire_text(server->news.announcements[server->news.announcement_count++],
                   APEX_WIRE_TEXT_BYTES, text);
    return host_answer(said, APEX_OK, "said to everybody");
}

static apex_err kick(host_clients *clients, host_simulation *simulation, const apex_standing *line,
                     char said[HOST_SAID_BYTES]) {
    host_client *client = host_client_of_player(clients, line->player);
    if (client != NULL) {
        client->kicked = true;
        client->leaves_why = APEX_LEAVE_KICKED;
        clients->kicks_wait = true;
    } else {
        host_drop_player(simulation, line->player, APEX_LEAVE_KICKED);
    }
    return host_answer(said, APEX_OK, "%s is out", line->name);
}

apex_err host_operate_kick(apex_server *server, host_whom whom, char said[HOST_SAID_BYTES]) {
    const apex_standing *line = NULL;
    apex_err err = host_find_player(server, whom, "kick", &line, said);
    return err == APEX_OK ? kick(&server->clients, &server->simulation, line, said) : err;
}

apex_err host_operate_kick_driver(apex_server *server,
                                  const uint8_t fingerprint[APEX_FINGERPRINT_BYTES],
                                  char said[HOST_SAID_BYTES]) {
    size_t count = 0;
    uint32_t cars = 0;
    const apex_standing *lines = host_order_now(server, &count);
    for (size_t i = 0; i < count; i++) {
        apex_store_who who = host_names_who(&server->simulation.names, lines[i].player);
        if (lines[i].present && who.has_driver &&
            memcmp(who.driver, fingerprint, sizeof who.driver) == 0) {
            (void)kick(&server->clients, &server->simulation, &lines[i], said);
            cars++;
        }
    }
    if (cars == 0) {
        return host_answer(said, APEX_ERR_NOT_FOUND,
                           "no driver with this fingerprint is here; status lists who is");
    }
    return cars == 1 ? APEX_OK : host_answer(said, APEX_OK, "%u cars of this driver are out", cars);
}

static apex_err apply(host_simulation *simulation, apex_race_command_kind kind, const char *done,
                      char said[HOST_SAID_BYTES]) {
    apex_race_command command = {.kind = kind};
    apex_err err = host_apply(simulation, &command);
    if (err == APEX_OK) {
        return host_answer(said, err, "%s", done);
    }
    if (err != APEX_ERR_STATE) {
        return host_answer(said, err, "%s", apex_err_text(err));
    }
    if (apex_race_status_of(simulation->race).players == 0) {
        return host_answer(said, err, "nobody has a car; it takes a player or a bot");
    }
    return host_answer(said, err, "%s: the race is in its phase %s; %s", apex_err_text(err),
                       apex_race_phase_name(apex_race_phase_of(simulation->race)),
                       kind == APEX_RACE_START
                           ? "start is for the lobby, or the results if a race follows"
                           : "restart is for what comes after the lobby");
}

apex_err host_operate_start(apex_server *server, char said[HOST_SAID_BYTES]) {
    return apply(&server->simulation, APEX_RACE_START, "the grid forms", said);
}

apex_err host_operate_restart(apex_server *server, char said[HOST_SAID_BYTES]) {
    return apply(&server->simulation, APEX_RACE_RESTART, "back to the grid", said);
}

apex_err host_operate_lockdown(apex_server *server, bool is_on, char said[HOST_SAID_BYTES]) {
    if (is_on == apex_sessions_are_locked(server->network.sessions)) {
        return host_answer(said, APEX_OK,
                           is_on ? "the doors are locked already" : "the doors are open already");
    }
    apex_sessions_lock(server->network.sessions, is_on);
    return host_answer(said, APEX_OK,
                       is_on ? "locked: nobody new gets in until lockdown off"
                             : "open: whoever comes may join again");
}

void host_operate_quit(apex_server *server, char said[HOST_SAID_BYTES]) {
    apex_server_stop(server, APEX_REASON_SHUTDOWN, "the operator closed the server");
    (void)host_answer(said, APEX_OK, "closing");
}
