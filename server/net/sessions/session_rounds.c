// The life of sessions, round by round. A session begins with its link (GREETING), is welcomed by a
// Hello (LOBBY), asks to join or watch (JOINING), does so (PLAYER, SPECTATOR), and ends in CLOSING,
// where it stays until its link has gone. A player's link that breaks leaves the session HELD for a
// while; another link may resume it (held_session.c).
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "net/sessions/giving_way.h"
#include "net/sessions/held_session.h"
#include "net/sessions/session_identity.h"
#include "net/sessions/session_message.h"
#include "net/sessions/session_outbox.h"
#include "net/sessions/session_password.h"

#include "base/assert.h"
#include "base/hash.h"

apex_sessions_def apex_default_sessions_def(void) {
    return (apex_sessions_def){
        .sessions_max = 1024,
        .clients_max = 512,
        .clients_per_address_max = 256,
        .joins_per_s = 50,
        .joins_per_address_per_s = 2,
        .messages_per_s_max = 200,
        .bytes_per_s_max = 64 * 1024,
        .speed_permille = 1000,
        .strikes_max = 20,
        .greeting_us_max = 5000000,
        .lobby_us_max = 300000000,
        .closing_us_max = 2000000,
    };
}

apex_counter_row apex_session_counter_row(apex_session_counter counter) {
    static const apex_counter_row rows[] = {
        [APEX_SESSION_OPENED] = {"sessions-opened", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_WELCOMED] = {"sessions-welcomed", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_CLOSED] = {"sessions-closed", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_LOST] = {"sessions-lost", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_RESUMED] = {"sessions-resumed", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_KEYS_PROVED] = {"keys-proved", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_TOKENS_TAKEN] = {"tokens-taken", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_MESSAGES_IN] = {"messages-in", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_MESSAGES_OUT] = {"messages-out", APEX_COUNTS_TRAFFIC},
        [APEX_SESSION_REFUSED_VERSION] = {"refused-version", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_FULL] = {"refused-full", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_ADDRESS] = {"refused-address-limit", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_PASSWORD] = {"refused-password", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_GUESS] = {"refused-guess", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_JOIN_RATE] = {"refused-join-rate", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_LOCKDOWN] = {"refused-lockdown", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_KEY] = {"refused-key", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_PROOF_RATE] = {"refused-proof-rate", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_KEY_NEEDED] = {"refused-key-needed", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_NOT_LISTED] = {"refused-not-listed", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_NEEDED] = {"refused-token-needed", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_INVALID] = {"refused-token-invalid", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_ISSUER] = {"refused-token-issuer", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_AUDIENCE] = {"refused-token-audience", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_EARLY] = {"refused-token-early", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_EXPIRED] = {"refused-token-expired", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_HOLDER] = {"refused-token-holder", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN_USED] = {"refused-token-used", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_NAME] = {"refused-name", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_ORDER] = {"refused-order", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_MALFORMED] = {"refused-message", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_CHANNEL] = {"refused-channel", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_RATE] = {"refused-rate", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_TOKEN] = {"refused-token", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_REFUSED_SECRET] = {"refused-secret", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_CLOSED_STRIKES] = {"closed-strikes", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_CLOSED_SILENT] = {"closed-silent", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_CLOSED_GAVE_WAY] = {"closed-gave-way", APEX_COUNTS_REFUSALS},
        [APEX_SESSION_OUTBOX_FULL] = {"outbox-full", APEX_COUNTS_TROUBLES},
    };
    _Static_assert(sizeof rows / sizeof rows[0] == APEX_SESSION_COUNTERS, "name each counter");
    APEX_ASSERT((unsigned)counter < APEX_SESSION_COUNTERS);
    return rows[counter];
}

static bool allocate(apex_sessions *sessions) {
    uint32_t capacity = sessions->def.sessions_max;
    sessions->table = calloc(capacity, sizeof sessions->table[0]);
    sessions->free = calloc(capacity, sizeof sessions->free[0]);
    sessions->by_link = calloc(NET_LINK_INDEXES, sizeof sessions->by_link[0]);
    sessions->closing = calloc(NET_LINK_INDEXES, sizeof sessions->closing[0]);
    sessions->encode_buffer = malloc(APEX_MESSAGE_BYTES_MAX);
    sessions->decode_buffer = malloc(APEX_DECODE_SCRATCH_BYTES);
    return sessions->table != NULL && sessions->free != NULL && sessions->by_link != NULL &&
           sessions->closing != NULL && sessions->encode_buffer != NULL &&
           sessions->decode_buffer != NULL;
}

apex_err apex_sessions_create(const apex_sessions_def *def, const uint8_t token_key[16],
                              apex_sessions **out) {
    APEX_ASSERT(def->sessions_max >= 1 && def->sessions_max < NET_LINK_INDEXES);
    APEX_ASSERT(def->messages_per_s_max > 0 && def->bytes_per_s_max > 0 && def->strikes_max > 0);
    *out = NULL;
    if (sodium_init() < 0) {
        return APEX_ERR_UNSUPPORTED;
    }
    apex_sessions *sessions = calloc(1, sizeof *sessions);
    if (sessions == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    sessions->def = *def;
    memcpy(sessions->token_key, token_key, sizeof sessions->token_key);
    if (!allocate(sessions)) {
        apex_sessions_destroy(sessions);
        return APEX_ERR_NO_MEMORY;
    }
    apex_err err = net_identity_begin(sessions);
    if (err != APEX_OK) {
        apex_sessions_destroy(sessions);
        return err;
    }
    sessions->free_count = def->sessions_max;
    for (uint32_t i = 0; i < def->sessions_max; i++) {
        sessions->free[i] = (uint16_t)(def->sessions_max - 1 - i);
    }
    *out = sessions;
    return APEX_OK;
}

void apex_sessions_destroy(apex_sessions *sessions) {
    if (sessions == NULL) {
        return;
    }
    apex_token_gate_destroy(sessions->gate);
    free(sessions->listed);
    free(sessions->table);
    free(sessions->free);
    free(sessions->by_link);
    free(sessions->closing);
    free(sessions->encode_buffer);
    free(sessions->decode_buffer);
    free(sessions);
}

static net_session *find_by_link(apex_sessions *sessions, apex_link link) {
    uint16_t index1 = sessions->by_link[link.index1];
    if (index1 == 0) {
        return NULL;
    }
    net_session *session = &sessions->table[index1 - 1];
    return session->link.generation == link.generation ? session : NULL;
}

static void lose_link(apex_sessions *sessions, net_session *session) {
    net_session_route(sessions, session->link.index1, 0);
    session->link = (apex_link){0};
    if (net_session_hold(sessions, session)) {
        return;
    }
    if (session->state != APEX_SESSION_CLOSING) {
        net_session_end(sessions, session);
    }
    if (!session->is_closed_due) {
        net_session_release_slot(sessions, session);
    }
}

static void turn_away(apex_sessions *sessions, apex_link link) {
    sessions->counters[APEX_SESSION_REFUSED_FULL]++;
    apex_server_message message = {.kind = APEX_SERVER_REJECT};
    message.reject = (apex_refusal){.reason = APEX_REASON_SERVER_FULL,
                                    .text = "the server has no room for another connection",
                                    .closing = true};
    net_session_queue(sessions, link, &message);
    net_session_ask_to_close(sessions, link);
}

static void open_session(apex_sessions *sessions, const apex_link_event *event) {
    uint16_t left_over = sessions->by_link[event->link.index1];
    if (left_over != 0) {
        lose_link(sessions, &sessions->table[left_over - 1]);
    }
    net_session_make_room(sessions, event);
    if (sessions->free_count == 0) {
        turn_away(sessions, event->link);
        return;
    }
    uint16_t index = sessions->free[--sessions->free_count];
    net_session *session = &sessions->table[index];
    uint16_t generation = (uint16_t)(session->generation + 1);
    *session = (net_session){
        .link = event->link,
        .trust = (uint8_t)event->trust,
        .generation = generation != 0 ? generation : 1,
        .deadline_us = sessions->now_us + sessions->def.greeting_us_max,
    };
    memcpy(session->binding, event->binding, sizeof session->binding);
    memcpy(session->address, event->address, sizeof session->address);
    session->address[sizeof session->address - 1] = '\0';
    apex_house house = apex_house_of(session->address);
    session->address_hash = apex_hash_bytes(house.bytes, sizeof house.bytes, 0);
    session->house_cell = net_session_house_cell(house);
    net_session_set_state(sessions, session, APEX_SESSION_GREETING);
    net_session_route(sessions, event->link.index1, index + 1);
    sessions->counters[APEX_SESSION_OPENED]++;
}

static void take_event(apex_sessions *sessions, const apex_link_event *event) {
    APEX_ASSERT(event->link.index1 != 0);
    if (event->kind == APEX_LINK_OPENED) {
        open_session(sessions, event);
        return;
    }
    net_session *session = find_by_link(sessions, event->link);
    if (session == NULL) {
        return; // it was turned away
    }
    if (event->kind == APEX_LINK_CLOSED) {
        session->has_place = session->has_place && !event->by_client;
        lose_link(sessions, session);
    } else if (session->state != APEX_SESSION_CLOSING) {
        net_session_take_bytes(sessions, session, event);
    }
}

static void check_deadline(apex_sessions *sessions, net_session *session) {
    if (!net_session_is_timed(session->state) || sessions->now_us < session->deadline_us) {
        return;
    }
    if (session->state == APEX_SESSION_GREETING) {
        sessions->counters[APEX_SESSION_CLOSED_SILENT]++;
        net_session_expel(sessions, session, APEX_REASON_TIMEOUT,
                          "no Hello came in time after connecting");
    } else if (session->state == APEX_SESSION_LOBBY) {
        sessions->counters[APEX_SESSION_CLOSED_SILENT]++;
        net_session_expel(sessions, session, APEX_REASON_TIMEOUT,
                          "neither Join nor Spectate came in time after the welcome");
    } else if (session->state == APEX_SESSION_HELD) {
        net_session_end(sessions, session);
    } else if (session->link.index1 != 0) {
        net_session_ask_to_close(sessions, session->link);
        lose_link(sessions, session);
    }
}

static void check_deadlines(apex_sessions *sessions) {
    uint32_t left = sessions->timed_count;
    for (uint32_t i = 0; i < sessions->def.sessions_max && left > 0; i++) {
        net_session *session = &sessions->table[i];
        left -= net_session_is_timed(session->state);
        check_deadline(sessions, session);
    }
}

static void give_due_mail(apex_sessions *sessions) {
    for (uint32_t i = 0; i < sessions->def.sessions_max && sessions->due_count > 0; i++) {
        net_session *session = &sessions->table[i];
        if (session->is_lost_due) {
            if (!net_session_add_mail(sessions, session, APEX_MAIL_LOST, NULL)) {
                return;
            }
            net_session_forget_lost(sessions, session);
        }
        if (!session->is_closed_due) {
            continue;
        }
        if (!net_session_add_mail(sessions, session, APEX_MAIL_CLOSED, NULL)) {
            return;
        }
        session->is_closed_due = false;
        sessions->due_count--;
        if (session->link.index1 == 0) {
            net_session_release_slot(sessions, session);
        }
    }
}

// A second of a race that hurries is as long for its drivers as any other: it wants as many
// samples. If the race has no pace of its own, the ticks that it has made say how far it is
// (DECISIONS 43).
static void pass_time(apex_sessions *sessions, uint64_t now_us) {
    uint64_t passed_us = now_us > sessions->now_us ? now_us - sessions->now_us : 0;
    uint32_t speed_permille = sessions->def.speed_permille;
    if (sessions->now_us == 0) {
        passed_us = 0; // since when nobody knows
    } else if (speed_permille > 1000) {
        passed_us = passed_us * speed_permille / 1000;
    } else if (speed_permille == 0 && sessions->went_on_us > passed_us) {
        passed_us = sessions->went_on_us;
    }
    sessions->rate_us += passed_us;
    sessions->went_on_us = 0;
    sessions->now_us = now_us;
}

void apex_sessions_went_on(apex_sessions *sessions, uint64_t race_us) {
    APEX_ASSERT(sessions->def.speed_permille == 0);
    sessions->went_on_us += race_us;
}

void apex_sessions_begin(apex_sessions *sessions, uint64_t now_us, apex_arena *frame) {
    pass_time(sessions, now_us);
    sessions->frame = frame;
    sessions->mail = (net_frame_list){.item_bytes = sizeof(apex_mail)};
    sessions->outbox = (net_frame_list){.item_bytes = sizeof(apex_link_packet)};
    sessions->closing_count = 0;
}

size_t apex_sessions_take(apex_sessions *sessions, const apex_link_event events[], size_t count,
                          apex_mail **mail) {
    for (size_t i = 0; i < count; i++) {
        take_event(sessions, &events[i]);
    }
    check_deadlines(sessions);
    give_due_mail(sessions);
    net_password_log_guesses(sessions);
    *mail = sessions->mail.items;
    return sessions->mail.count;
}

const char *apex_session_address(const apex_sessions *sessions, apex_session_id id) {
    const net_session *session = net_session_find_any(sessions, id);
    return session != NULL ? session->address : "";
}

apex_link apex_session_link(const apex_sessions *sessions, apex_session_id id) {
    const net_session *session = net_session_find_any(sessions, id);
    return session != NULL ? session->link : (apex_link){0};
}

void apex_sessions_lock(apex_sessions *sessions, bool is_locked) {
    sessions->is_locked = is_locked;
}

bool apex_sessions_are_locked(const apex_sessions *sessions) {
    return sessions->is_locked;
}

uint32_t apex_sessions_welcomed(const apex_sessions *sessions) {
    return sessions->known_count;
}

const uint64_t *apex_sessions_counters(const apex_sessions *sessions) {
    return sessions->counters;
}
