// The session's life by the clock: its link, its time-outs, and what is due when.
#include "client-lite/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "client-lite/session/handshake/session_requests.h"
#include "client-lite/session/handshake/session_resume.h"
#include "client-lite/session/session_controls.h"
#include "client-lite/session/session_pits.h"
#include "client-lite/session/showing/session_playback.h"
#include "client-lite/session/showing/session_shown.h"

enum { HURRIED_TIME_REQUESTS = 6 }; ///< asked in quick succession, so that the clock settles soon

static const uint64_t HURRIED_TIME_US = 150000;
static const uint64_t TIME_US = 900000;
static const uint64_t SILENCE_ASKED_US = 60000; ///< more than from a lobby's snapshot to the next
static const uint64_t LEAVE_US_MAX = 1000000;
// An update that comes later than this after the last one was asleep, and so were its ears.
static const uint64_t NAP_US = 1000000;

static bool copy_name(char out[APEX_WIRE_NAME_BYTES], const char *name) {
    size_t length = name != NULL ? strlen(name) : 0;
    if (length >= APEX_WIRE_NAME_BYTES) {
        return false;
    }
    if (length > 0) {
        memcpy(out, name, length);
    }
    out[length] = '\0';
    return true;
}

apex_err client_session_create(const apex_client_def *def, client_session **out) {
    client_session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    session->def = *def;
    if (!copy_name(session->name, def->name) || !copy_name(session->car_wanted, def->car) ||
        !copy_name(session->password, def->password)) {
        free(session);
        return APEX_ERR_INVALID;
    }
    session->def.predict = def->predict || def->ahead;
    session->def.show = def->show || def->ahead;
    session->def.want_defs = def->want_defs || session->def.predict;
    session->def.name = session->name;
    session->def.car = session->car_wanted;
    session->def.password = session->password;
    session->has_token = def->resume_token != NULL;
    if (session->has_token) {
        memcpy(session->token, def->resume_token, sizeof session->token);
    }
    session->def.resume_token = session->token;
    session->scratch = malloc(APEX_DECODE_SCRATCH_BYTES);
    if (session->scratch == NULL) {
        free(session);
        return APEX_ERR_NO_MEMORY;
    }
    *out = session;
    return APEX_OK;
}

void client_session_destroy(client_session *session) {
    if (session == NULL) {
        return;
    }
    client_session_end_showing(session);
    client_snapshots_free(&session->snapshots);
    client_deltas_free(&session->deltas);
    client_knowledge_free(&session->knowledge);
    free(session->scratch);
    free(session);
}

void client_session_begin(client_session *session, const char *server, uint64_t now_us) {
    APEX_ASSERT(session->state == APEX_CLIENT_IDLE);
    snprintf(session->server, sizeof session->server, "%s", server);
    session->state = APEX_CLIENT_CONNECTING;
    session->begun_us = now_us;
    session->heard_us = now_us;
    session->updated_us = now_us;
}

void client_session_set_seal(client_session *session, const uint8_t *server_key,
                             const uint8_t *binding) {
    APEX_ASSERT((server_key == NULL) == (binding == NULL));
    session->is_sealed = binding != NULL;
    if (session->is_sealed) {
        memcpy(session->server_key, server_key, sizeof session->server_key);
        memcpy(session->binding, binding, sizeof session->binding);
    }
}

void client_session_opened(client_session *session, uint64_t now_us) {
    bool awaited =
        session->state == APEX_CLIENT_CONNECTING || session->state == APEX_CLIENT_RECONNECTING;
    if (!awaited || session->leaving) {
        return;
    }
    session->heard_us = now_us;
    if (session->coming_back) {
        session->begun_us = now_us;
    }
    session->state = APEX_CLIENT_GREETED;
    session->outbox.secret = 0; // it was the link's before
    apex_client_message hello = {.kind = APEX_CLIENT_HELLO};
    hello.hello.protocol_version = APEX_PROTOCOL_VERSION;
    hello.hello.has_token = session->has_token;
    memcpy(hello.hello.resume_token, session->token, sizeof session->token);
    snprintf(hello.hello.client, sizeof hello.hello.client, "apex-client %s", APEX_VERSION);
    client_outbox_say(&session->outbox, &hello);
}

void client_session_link_closed(client_session *session) {
    if (session->state == APEX_CLIENT_RECONNECTING) {
        return; // that try has failed; the next one is due by the clock
    }
    if (session->state == APEX_CLIENT_CONNECTING) {
        client_session_close(session, APEX_REASON_TIMEOUT,
                             "no answer from %s: is apex-server running there?", session->server);
    } else {
        client_session_lose(session, "%s closed the connection without a word", session->server);
    }
}

void client_session_link_refused(client_session *session, apex_reason reason) {
    if (session->state == APEX_CLIENT_CONNECTING && reason != APEX_REASON_NONE) {
        client_session_close(session, reason, "%s: %s", session->server, apex_reason_text(reason));
    } else {
        client_session_link_closed(session);
    }
}

void client_session_leave(client_session *session, uint64_t now_us) {
    if (session->leaving || session->state == APEX_CLIENT_CLOSED) {
        return;
    }
    session->leaving = true;
    session->left_us = now_us;
    if (session->state < APEX_CLIENT_GREETED) {
        client_session_close(session, APEX_REASON_NONE, "%s", "");
        return;
    }
    client_outbox_say(&session->outbox, &(apex_client_message){.kind = APEX_CLIENT_LEAVE});
}

static void check_timeouts(client_session *session, uint64_t now_us) {
    uint64_t since_us = now_us - session->updated_us;
    session->updated_us = now_us;
    if (since_us > NAP_US) {
        session->heard_us += since_us - NAP_US;
    }
    if (session->leaving) {
        if (now_us - session->left_us > LEAVE_US_MAX) {
            client_session_close(session, APEX_REASON_NONE, "%s", "");
        }
        return;
    }
    const apex_client_def *def = &session->def;
    bool unwelcomed =
        session->state == APEX_CLIENT_CONNECTING || session->state == APEX_CLIENT_GREETED;
    if (session->state == APEX_CLIENT_RECONNECTING) {
        client_session_retry(session, now_us);
    } else if (unwelcomed && session->coming_back) {
        if (now_us - session->begun_us >= def->connect_timeout_us) {
            client_session_try_failed(session, APEX_REASON_TIMEOUT);
        }
    } else if (unwelcomed && now_us - session->begun_us >= def->connect_timeout_us) {
        client_session_close(
            session, APEX_REASON_TIMEOUT,
            "no answer from %s within %.3g s: is apex-server running there, and is %s let through?",
            session->server, (double)def->connect_timeout_us / 1e6,
            session->is_stream ? "its port" : "UDP");
    } else if (!unwelcomed && now_us > session->heard_us &&
               now_us - session->heard_us >= def->silence_timeout_us) {
        client_session_lose(session,
                            "nothing heard from %s for %.3g s: the server is gone, or the network",
                            session->server, (double)def->silence_timeout_us / 1e6);
    }
}

// A server that waits for this driver's controls makes no ticks, and so no snapshots: one who knows
// of none but old ticks, as he has only just come, or has lost what was said, has to ask. Else the
// race would stand still until he asks anyway, or is waited for no longer.
static uint64_t ask_time_due_us(const client_session *session) {
    const client_clock *clock = &session->clock;
    if (session->state != APEX_CLIENT_DRIVING || !clock->as_fast_as_possible) {
        return session->ask_time_us;
    }
    uint64_t since_us = clock->heard_us > session->asked_us ? clock->heard_us : session->asked_us;
    uint64_t due_us = since_us + SILENCE_ASKED_US;
    return due_us < session->ask_time_us ? due_us : session->ask_time_us;
}

static void ask_time(client_session *session, uint64_t now_us) {
    if (now_us < ask_time_due_us(session)) {
        return;
    }
    session->asked_us = now_us;
    client_outbox_say(&session->outbox, &(apex_client_message){.kind = APEX_CLIENT_TIME_REQUEST,
                                                               .client_us = now_us});
    bool hurried = session->times_asked < HURRIED_TIME_REQUESTS;
    // A server that answers once a tick would always be met at the same moment of its tick by a
    // period that is a multiple of it, so the period wanders by up to 0.2 s.
    uint64_t wander_us = (uint64_t)(session->times_asked * 37u % 101u) * 2000u;
    session->ask_time_us =
        now_us + (hurried ? HURRIED_TIME_US + wander_us / 4 : TIME_US + wander_us);
    session->times_asked++;
}

void client_session_was_deaf(client_session *session, uint64_t now_us) {
    session->deaf_us = now_us;
    session->ask_time_us = now_us < session->ask_time_us ? now_us : session->ask_time_us;
}

uint64_t client_session_due_us(const client_session *session, uint64_t now_us) {
    if (session->state < APEX_CLIENT_LOADING || session->state == APEX_CLIENT_CLOSED ||
        session->leaving) {
        return UINT64_MAX;
    }
    uint64_t due_us = ask_time_due_us(session);
    if (session->state == APEX_CLIENT_JOINING && session->join_again_us != 0 &&
        session->join_again_us < due_us) {
        due_us = session->join_again_us;
    }
    if (session->state == APEX_CLIENT_DRIVING) {
        uint64_t controls_us = client_session_controls_due_us(session, now_us);
        uint64_t plan_us = client_session_plan_due_us(session);
        due_us = controls_us < due_us ? controls_us : due_us;
        due_us = plan_us < due_us ? plan_us : due_us;
    } else if (session->state == APEX_CLIENT_SPECTATING) {
        bool is_now = session->deltas.is_ack_due || client_session_wishes_play(session);
        uint64_t focus_us = client_session_focus_due_us(session);
        due_us = focus_us < due_us ? focus_us : due_us;
        due_us = is_now ? now_us : due_us;
    }
    return due_us;
}

static void acknowledge(client_session *session) {
    if (session->deltas.is_ack_due) {
        client_outbox_say(
            &session->outbox,
            &(apex_client_message){.kind = APEX_CLIENT_SNAPSHOT_ACK,
                                   .snapshot_ack = client_deltas_ack(&session->deltas)});
    }
}

void client_session_update(client_session *session, uint64_t now_us) {
    if (session->state == APEX_CLIENT_IDLE || session->state == APEX_CLIENT_CLOSED) {
        return;
    }
    APEX_ASSERT(now_us >= session->updated_us);
    check_timeouts(session, now_us);
    if (session->state < APEX_CLIENT_LOADING || session->state == APEX_CLIENT_CLOSED ||
        session->leaving) {
        return;
    }
    client_clock_update(&session->clock, now_us);
    ask_time(session, now_us);
    if (session->state == APEX_CLIENT_JOINING && session->join_again_us != 0 &&
        now_us >= session->join_again_us) {
        client_session_join(session);
    }
    if (session->state == APEX_CLIENT_DRIVING) {
        client_session_send_controls(session, now_us);
        client_session_say_plan(session, now_us);
    } else if (session->state == APEX_CLIENT_SPECTATING) {
        acknowledge(session);
        client_session_say_play(session);
        if (now_us >= client_session_focus_due_us(session)) {
            client_session_subscribe(session, now_us);
        }
    }
}
