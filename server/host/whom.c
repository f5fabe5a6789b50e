// Operators name people as they see them, or by the number that status lists.

#include "host/whom.h"

#include <stdarg.h>
#include <stdio.h>

#include "host/host_private.h"
#include "host/simulation/running_order.h"

apex_err host_answer(char said[HOST_SAID_BYTES], apex_err err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said, HOST_SAID_BYTES, format, arguments);
    va_end(arguments);
    return err;
}

const apex_standing *host_order_now(apex_server *server, size_t *count) {
    apex_arena_reset(&server->frame_arena);
    return host_running_order(server->simulation.race, &server->frame_arena, count);
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
    const apex_standing *lines = host_order_now(server, &count);
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
static apex_err ask_which(const apex_standing *const matches[], size_t found, const char *verb,
                          char said[HOST_SAID_BYTES]) {
    int length =
        snprintf(said, HOST_SAID_BYTES, "%zu look like that; %s one by number:", found, verb);
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

static apex_err find_numbered(apex_server *server, uint32_t player, const apex_standing **out,
                              char said[HOST_SAID_BYTES]) {
    size_t count = 0;
    const apex_standing *lines = host_order_now(server, &count);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].present && apex_player_wire_id(lines[i].player) == player) {
            *out = &lines[i];
            return APEX_OK;
        }
    }
    return host_answer(said, APEX_ERR_NOT_FOUND, "nobody here is player %u; status lists who is",
                       player);
}

apex_err host_find_player(apex_server *server, host_whom whom, const char *verb,
                          const apex_standing **out, char said[HOST_SAID_BYTES]) {
    if (whom.name == NULL) {
        return find_numbered(server, whom.player, out, said);
    }
    const apex_standing *matches[MATCHES_TOLD];
    size_t found = find(server, whom.name, matches);
    if (found > 1) {
        return ask_which(matches, found, verb, said);
    }
    if (found == 0) {
        return host_answer(said, APEX_ERR_NOT_FOUND,
                           "nobody here is called \"%.96s\"; status lists the names", whom.name);
    }
    *out = matches[0];
    return APEX_OK;
}
