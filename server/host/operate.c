// Orders of an operator, each answered in one sentence.

#include "host/operate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/host_private.h"
#include "host/simulation/race_commands.h"
#include "host/simulation/running_order.h"

__attribute__((format(printf, 3, 4))) static apex_err say(char said[HOST_SAID_BYTES], apex_err err,
                                                          const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said, HOST_SAID_BYTES, format, arguments);
    va_end(arguments);
    return err;
}

apex_err host_operate_say(apex_server *server, const char *text, char said[HOST_SAID_BYTES]) {
    if (text[strspn(text, " \t\r\n")] == '\0') {
        return say(said, APEX_ERR_INVALID, "say what? for example: say five minutes to go");
    }
    if (strlen(text) >= APEX_WIRE_TEXT_BYTES) {
        return say(said, APEX_ERR_RANGE, "that is too long; say it in at most %d bytes",
                   APEX_WIRE_TEXT_BYTES - 1);
    }
    if (apex_server_finished(server)) {
        return say(said, APEX_ERR_STATE, "nobody hears it: this race is over, and all have gone");
    }
    if (server->news.announcement_count == HOST_ANNOUNCEMENTS_MAX) {
        return say(said, APEX_ERR_FULL, "too much at a time; say it again in a moment");
    }
    apex_wire_text(server->news.announcements[server->news.announcement_count++],
                   APEX_WIRE_TEXT_BYTES, text);
    return say(said, APEX_OK, "said to everybody");
}

// On the frame, which is free between ticks; as it stands, since operators act on who is there.
static const apex_standing *order_of(apex_server *server, size_t *count) {
    apex_arena_reset(&server->frame_arena);
    return host_running_order(server->simulation.race, &server->frame_arena, count);
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
    return say(said, APEX_OK, "%s is out", line->name);
}

enum { MATCHES_TOLD = 3 };

// @return how many answer to the name; the first of them are in `matches`.
static size_t find(apex_server *server, const char *name,
                   const apex_standing *matches[MATCHES_TOLD]) {
    apex_name_look look;
    if (!apex_name_look_of(server->simulation.names.judge, name, &look)) {
        return 0;
    }
    size_t count = 0, found = 0;
    const apex_standing *lines = order_of(server, &count);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].present && host_names_has_look(&server->simulation.names, &lines[i], &look)) {
            if (found < MATCHES_TOLD) {
                matches[found] = &lines[i];
            }
            found++;
        }
    }
    return found;
}

// Nobody is removed by guess (DECISIONS 53).
static apex_err ask_which(const apex_standing *const matches[], size_t found,
                          char said[HOST_SAID_BYTES]) {
    int length = snprintf(said, HOST_SAID_BYTES, "%zu look like that; kick one by number:", found);
    for (size_t i = 0; i < found && i < MATCHES_TOLD; i++) {
        length +=
            snprintf(said + length, HOST_SAID_BYTES - (size_t)length, "%s #%u %s", i > 0 ? "," : "",
                     apex_player_wire_id(matches[i]->player), matches[i]->name);
    }
    if (found > MATCHES_TOLD) {
        snprintf(said + length, HOST_SAID_BYTES - (size_t)length, ", ...");
    }
    return APEX_ERR_STATE;
}
// Words and a count, and for each a comma, a number and a name.
_Static_assert(64 + MATCHES_TOLD * (14 + APEX_NAME_BYTES) <= HOST_SAID_BYTES, "all are told");

apex_err host_operate_kick(apex_server *server, const char *name, char said[HOST_SAID_BYTES]) {
    const apex_standing *matches[MATCHES_TOLD];
    size_t found = find(server, name, matches);
    if (found > 1) {
        return ask_which(matches, found, said);
    }
    if (found == 1) {
        return kick(&server->clients, &server->simulation, matches[0], said);
    }
    return say(said, APEX_ERR_NOT_FOUND, "nobody here is called \"%.96s\"; status lists the names",
               name);
}

apex_err host_operate_kick_player(apex_server *server, uint32_t player,
                                  char said[HOST_SAID_BYTES]) {
    size_t count = 0;
    const apex_standing *lines = order_of(server, &count);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].present && apex_player_wire_id(lines[i].player) == player) {
            return kick(&server->clients, &server->simulation, &lines[i], said);
        }
    }
    return say(said, APEX_ERR_NOT_FOUND, "nobody here is player %u; status lists who is", player);
}

apex_err host_operate_kick_driver(apex_server *server,
                                  const uint8_t fingerprint[APEX_FINGERPRINT_BYTES],
                                  char said[HOST_SAID_BYTES]) {
    size_t count = 0;
    uint32_t cars = 0;
    const apex_standing *lines = order_of(server, &count);
    for (size_t i = 0; i < count; i++) {
        apex_store_who who = host_names_who(&server->simulation.names, lines[i].player);
        if (lines[i].present && who.has_driver &&
            memcmp(who.driver, fingerprint, sizeof who.driver) == 0) {
            (void)kick(&server->clients, &server->simulation, &lines[i], said);
            cars++;
        }
    }
    if (cars == 0) {
        return say(said, APEX_ERR_NOT_FOUND,
                   "no driver with this fingerprint is here; status lists who is");
    }
    return cars == 1 ? APEX_OK : say(said, APEX_OK, "%u cars of this driver are out", cars);
}

static apex_err apply(host_simulation *simulation, apex_race_command_kind kind, const char *done,
                      char said[HOST_SAID_BYTES]) {
    apex_race_command command = {.kind = kind};
    apex_err err = host_apply(simulation, &command);
    if (err == APEX_OK) {
        return say(said, err, "%s", done);
    }
    if (err != APEX_ERR_STATE) {
        return say(said, err, "%s", apex_err_text(err));
    }
    if (apex_race_status_of(simulation->race).players == 0) {
        return say(said, err, "nobody has a car; it takes a player or a bot");
    }
    return say(said, err, "%s: the race is in its phase %s; %s", apex_err_text(err),
               apex_race_phase_name(apex_race_phase_of(simulation->race)),
               kind == APEX_RACE_START ? "start is for the lobby, or the results if a race follows"
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
        return say(said, APEX_OK,
                   is_on ? "the doors are locked already" : "the doors are open already");
    }
    apex_sessions_lock(server->network.sessions, is_on);
    return say(said, APEX_OK,
               is_on ? "locked: nobody new gets in until lockdown off"
                     : "open: whoever comes may join again");
}

void host_operate_quit(apex_server *server, char said[HOST_SAID_BYTES]) {
    apex_server_stop(server, APEX_REASON_SHUTDOWN, "the operator closed the server");
    (void)say(said, APEX_OK, "closing");
}
