// Orders of race control and stewards: to the race they are commands like any other, so a recording
// has them.

#include "host/operate.h"

#include <math.h>
#include <stdio.h>

#include "base/log.h"
#include "host/host_private.h"
#include "host/simulation/race_commands.h"
#include "host/whom.h"

static const char NO_SESSIONS[] = "this event has no sessions: its race file lists none";

// An event may have no rules at all, or some that do not know what was ordered.
static const char *no_rules(const apex_server *server) {
    return server->setup.has_control ? "the rules of this event do not provide for it"
                                     : "this event has no rules to go by: its race file names none";
}

static const char *phase_name(const apex_server *server) {
    return apex_race_phase_name(apex_race_phase_of(server->simulation.race));
}

static bool has_sessions(const apex_server *server) {
    return server->setup.file.race.weekend.session_count > 0;
}

static apex_err command_session(apex_server *server, const apex_race_command *command,
                                const char *done, const char *why_not, char said[HOST_SAID_BYTES]) {
    if (!has_sessions(server)) {
        return host_answer(said, APEX_ERR_UNSUPPORTED, "%s", NO_SESSIONS);
    }
    apex_err err = host_apply(&server->simulation, command);
    if (err == APEX_OK) {
        return host_answer(said, err, "%s", done);
    }
    if (err == APEX_ERR_STATE) {
        return host_answer(said, err, "%s; it is in its phase %s", why_not, phase_name(server));
    }
    return host_answer(said, err, "%s", apex_err_text(err));
}

apex_err host_operate_session_end(apex_server *server, char said[HOST_SAID_BYTES]) {
    return command_session(server, &(apex_race_command){.kind = APEX_RACE_SESSION_END},
                           "the session ends: the flag is out",
                           "no session is under way that could end", said);
}

apex_err host_operate_session_extend(apex_server *server, double seconds,
                                     char said[HOST_SAID_BYTES]) {
    if (!(seconds >= 1.0 && seconds <= 86400.0)) {
        return host_answer(said, APEX_ERR_RANGE, "a session is extended by 1 to 86400 seconds");
    }
    char done[64];
    snprintf(done, sizeof done, "the session goes on for %g s more", seconds);
    return command_session(
        server, &(apex_race_command){.kind = APEX_RACE_SESSION_EXTEND, .seconds = seconds}, done,
        "only a session by time whose flag is not out can be extended", said);
}

apex_err host_operate_session_skip(apex_server *server, char said[HOST_SAID_BYTES]) {
    return command_session(server, &(apex_race_command){.kind = APEX_RACE_SESSION_SKIP},
                           "on to the next session", "there is no session to skip", said);
}

apex_err host_operate_flag(apex_server *server, apex_race_flag flag, char said[HOST_SAID_BYTES]) {
    apex_race_command command = {.kind = APEX_RACE_CALL, .flag = flag};
    const char *name = apex_wire_flag_name((uint32_t)flag);
    apex_err err = server->setup.has_control ? host_apply(&server->simulation, &command)
                                             : APEX_ERR_UNSUPPORTED;
    switch (err) {
    case APEX_OK:
        return host_answer(said, err, "the flag is %s", name);
    case APEX_ERR_UNSUPPORTED:
        return host_answer(said, err, "nobody can show the flag %s here: %s", name,
                           no_rules(server));
    case APEX_ERR_STATE:
        return host_answer(said, err,
                           "the flag %s cannot be shown now: it is, or nobody races (phase %s)",
                           name, phase_name(server));
    default:
        return host_answer(said, err, "%s", apex_err_text(err));
    }
}

static void put_penalty(const apex_penalty *penalty, char *out, size_t bytes) {
    const char *kind = apex_wire_penalty_name((uint32_t)penalty->kind);
    if (penalty->kind == APEX_PENALTY_GRID_DROP) {
        snprintf(out, bytes, "%s of %.0f places", kind, penalty->amount);
    } else if (penalty->amount > 0.0) {
        snprintf(out, bytes, "%s of %g s", kind, penalty->amount);
    } else {
        snprintf(out, bytes, "%s", kind);
    }
}

// The race knows the ranges; what they are is said here, for who has to type another number.
static apex_err refuse_penalty(const apex_server *server, apex_err err, const apex_penalty *penalty,
                               const char *whose, char said[HOST_SAID_BYTES]) {
    switch (err) {
    case APEX_ERR_UNSUPPORTED:
        return host_answer(said, err, "no penalty can be given or cancelled: %s", no_rules(server));
    case APEX_ERR_RANGE:
        return host_answer(said, err,
                           "a %s of %g cannot be: time and stop-and-hold take seconds, above 0 and "
                           "up to 600, grid-drop whole places, other penalties nothing",
                           apex_wire_penalty_name((uint32_t)penalty->kind), penalty->amount);
    case APEX_ERR_STATE:
        return host_answer(said, err,
                           "not now: penalty %u is served, converted or cancelled, or a %s is of "
                           "races alone",
                           penalty->number, apex_wire_penalty_name((uint32_t)penalty->kind));
    case APEX_ERR_NOT_FOUND:
        return host_answer(said, err, "%s has no such penalty any more; status lists them", whose);
    default:
        return host_answer(said, err, "%s", apex_err_text(err));
    }
}

static apex_err penalise(apex_server *server, const apex_standing *line,
                         const apex_penalty *penalty, char said[HOST_SAID_BYTES]) {
    apex_race_command command = {
        .kind = APEX_RACE_PENALISE, .player = line->player, .penalty = *penalty};
    command.penalty.by_stewards = true;
    apex_err err = isfinite(penalty->amount) ? APEX_OK : APEX_ERR_RANGE;
    err = server->setup.has_control ? err : APEX_ERR_UNSUPPORTED;
    err = err == APEX_OK ? host_apply(&server->simulation, &command) : err;
    if (err != APEX_OK) {
        return refuse_penalty(server, err, penalty, line->name, said);
    }
    char text[64];
    put_penalty(penalty, text, sizeof text);
    apex_log(APEX_LOG_INFO, "race", "stewards: %s for %s, %s", text, line->name,
             apex_wire_offence_name((uint32_t)penalty->offence));
    return host_answer(said, APEX_OK, "%s for %s: %s", text, line->name,
                       apex_wire_offence_name((uint32_t)penalty->offence));
}

apex_err host_operate_penalise(apex_server *server, host_whom whom, const apex_penalty *penalty,
                               char said[HOST_SAID_BYTES]) {
    const apex_standing *line = NULL;
    apex_err err = host_find_player(server, whom, "name", &line, said);
    return err == APEX_OK ? penalise(server, line, penalty, said) : err;
}

// Also of those who have left: what they did may still change the results.
static const apex_standing *whose(apex_server *server, uint32_t number, apex_penalty *out) {
    size_t count = 0;
    const apex_standing *lines = host_order_now(server, &count);
    for (size_t i = 0; i < count; i++) {
        if (host_penalty_of(server->simulation.race, lines[i].player, number, out)) {
            return &lines[i];
        }
    }
    return NULL;
}

static apex_err no_such_penalty(uint32_t number, char said[HOST_SAID_BYTES]) {
    return host_answer(said, APEX_ERR_NOT_FOUND,
                       "no penalty of this session has the number %u; status lists them", number);
}

apex_err host_operate_change(apex_server *server, const apex_penalty *penalty, bool keeps_offence,
                             char said[HOST_SAID_BYTES]) {
    apex_penalty before, after = *penalty;
    const apex_standing *line = whose(server, penalty->number, &before);
    if (line == NULL) {
        return no_such_penalty(penalty->number, said);
    }
    after.offence = keeps_offence ? before.offence : penalty->offence;
    return penalise(server, line, &after, said);
}

apex_err host_operate_pardon(apex_server *server, uint32_t number, char said[HOST_SAID_BYTES]) {
    apex_penalty penalty;
    const apex_standing *line = whose(server, number, &penalty);
    if (line == NULL) {
        return no_such_penalty(number, said);
    }
    apex_race_command command = {
        .kind = APEX_RACE_PARDON, .player = line->player, .penalty = {.number = number}};
    apex_err err = host_apply(&server->simulation, &command);
    if (err != APEX_OK) {
        return refuse_penalty(server, err, &penalty, line->name, said);
    }
    apex_log(APEX_LOG_INFO, "race", "stewards: penalty %u of %s is cancelled", number, line->name);
    return host_answer(said, APEX_OK, "penalty %u of %s is cancelled", number, line->name);
}
