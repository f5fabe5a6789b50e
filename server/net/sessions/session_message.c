// The intake of sessions' messages: each is checked for its sender, its rate, its length, its
// bytes, its channel, the rate of requests for definitions, and whether its time has come. What
// costs little comes first, so that a flood is refused before it is decoded.
//
// Over a plain link a message may be anybody's until it shows the secret of the Welcome. One in
// doubt brings its session no strike and takes nothing of what the client may say, and where the
// secret is asked for it is dropped without a word (DECISIONS 57).
#include "net/sessions/session_message.h"

#include <stdio.h>
#include <string.h>

#include "net/player_name.h"
#include "net/sessions/giving_way.h"
#include "net/sessions/held_session.h"
#include "net/sessions/session_identity.h"
#include "net/sessions/session_outbox.h"
#include "net/sessions/session_password.h"

#include "base/assert.h"

enum {
    BURST_S = 2, // of messages and bytes
    STRIKE_FORGIVEN_US = 10000000,
    LEFT_GRACE_US = 2000000, // controls that were on their way when their sender left
};

// Refusals are answered, but a flood is not answered one for one.
static const net_rate answer_rate = {.per_s = 4, .burst = 8};
// The answer to a request for a def may be hundreds of kilobytes; an honest client asks for each
// once, and keeps it.
static const net_rate def_rate = {.per_s = 2, .burst = 2 * APEX_WIRE_DEFS_MAX};
// Each becomes a command of the race, which its recording keeps.
static const net_rate plan_rate = {.per_s = 2, .burst = 8};

static void answer(apex_sessions *sessions, net_session *session, apex_reason reason,
                   const char *text) {
    if (net_bucket_take(&session->answers, answer_rate, 1, sessions->now_us)) {
        net_session_refuse(sessions, session, reason, text);
    }
}

// A strike is forgiven after a while, so that a session may last for weeks.
static bool is_out(apex_sessions *sessions, net_session *session) {
    uint64_t forgiven = (sessions->now_us - session->struck_us) / STRIKE_FORGIVEN_US;
    session->strikes -= forgiven < session->strikes ? (uint32_t)forgiven : session->strikes;
    session->struck_us = sessions->now_us;
    session->strikes++;
    return session->strikes >= sessions->def.strikes_max;
}

static void refuse(apex_sessions *sessions, net_session *session, net_refusal refusal) {
    sessions->counters[refusal.counter]++;
    if (!session->is_in_doubt && is_out(sessions, session)) {
        char text[APEX_WIRE_TEXT_BYTES];
        snprintf(text, sizeof text, "too many refused messages; the last: %.100s", refusal.text);
        sessions->counters[APEX_SESSION_CLOSED_STRIKES]++;
        net_session_expel(sessions, session, refusal.reason, text);
        return;
    }
    answer(sessions, session, refusal.reason, refusal.text);
}

static void expel(apex_sessions *sessions, net_session *session, net_refusal refusal) {
    sessions->counters[refusal.counter]++;
    net_session_expel(sessions, session, refusal.reason, refusal.text);
}

// Hands a message on. If the frame is full, an unreliable one is lost like others on the way; a
// reliable one its sender would take for received.
static bool hand_on(apex_sessions *sessions, net_session *session, apex_mail_kind kind,
                    const apex_client_message *message) {
    if (net_session_add_mail(sessions, session, kind, message)) {
        return true;
    }
    sessions->counters[APEX_SESSION_OUTBOX_FULL]++;
    if (!session->is_in_doubt &&
        apex_client_message_channel(message->kind) == APEX_CHANNEL_RELIABLE) {
        net_session_expel(sessions, session, APEX_REASON_SERVER_FULL,
                          "the server has no memory left for what you sent");
    }
    return false;
}

static bool speaks_our_version(apex_sessions *sessions, net_session *session,
                               const apex_hello *hello) {
    if (hello->protocol_version == APEX_PROTOCOL_VERSION) {
        return true;
    }
    char text[APEX_WIRE_TEXT_BYTES];
    snprintf(text, sizeof text, "this server speaks protocol version %u, your client %u",
             APEX_PROTOCOL_VERSION, hello->protocol_version);
    expel(sessions, session,
          (net_refusal){APEX_SESSION_REFUSED_VERSION, APEX_REASON_VERSION, text});
    return false;
}

// @return whether one more client may be here, and one more at his address; others may have given
// way.
static bool has_place(apex_sessions *sessions, net_session *session) {
    const apex_sessions_def *def = &sessions->def;
    char text[APEX_WIRE_TEXT_BYTES];
    if (sessions->known_count >= def->clients_max && !net_session_make_place(sessions, session)) {
        snprintf(text, sizeof text, "the server is full: %u clients are connected",
                 sessions->known_count);
        expel(sessions, session,
              (net_refusal){APEX_SESSION_REFUSED_FULL, APEX_REASON_SERVER_FULL, text});
        return false;
    }
    if (net_session_known_at(sessions, session->address_hash) >= def->clients_per_address_max &&
        !net_session_make_place_at_address(sessions, session)) {
        snprintf(text, sizeof text, "%u clients are connected from your address; no more may",
                 def->clients_per_address_max);
        expel(sessions, session,
              (net_refusal){APEX_SESSION_REFUSED_ADDRESS, APEX_REASON_ADDRESS_LIMIT, text});
        return false;
    }
    return true;
}

static void welcome(apex_sessions *sessions, net_session *session,
                    const apex_client_message *message) {
    if (hand_on(sessions, session, APEX_MAIL_WELCOMED, message)) {
        net_session_set_state(sessions, session, APEX_SESSION_LOBBY);
        session->is_known = true;
        sessions->known_count++;
        sessions->counters[APEX_SESSION_WELCOMED]++;
    }
}

static void take_hello(apex_sessions *sessions, net_session *session,
                       const apex_client_message *message) {
    const apex_hello *hello = &message->hello;
    if (session->state != APEX_SESSION_GREETING) {
        refuse(sessions, session,
               (net_refusal){APEX_SESSION_REFUSED_ORDER, APEX_REASON_OUT_OF_ORDER,
                             "you have said Hello already"});
        return;
    }
    if (!speaks_our_version(sessions, session, hello)) {
        return;
    }
    // Before the limits: a client that comes back has been counted already.
    if (hello->has_token && net_session_resume(sessions, session, hello->resume_token)) {
        return;
    }
    session->lost_place = hello->has_token;
    if (has_place(sessions, session)) {
        welcome(sessions, session, message);
    }
}

// What is to be said to a password; no text, it is right.
static net_refusal refusal_of(net_password_verdict verdict, const char *wait_text) {
    switch (verdict) {
    case NET_PASSWORD_RIGHT:
        break;
    case NET_PASSWORD_NONE:
        return (net_refusal){APEX_SESSION_REFUSED_PASSWORD, APEX_REASON_PASSWORD,
                             "this server asks for a password"};
    case NET_PASSWORD_WRONG:
        return (net_refusal){APEX_SESSION_REFUSED_PASSWORD, APEX_REASON_PASSWORD,
                             "the password is wrong"};
    case NET_PASSWORD_WAIT:
        return (net_refusal){APEX_SESSION_REFUSED_GUESS, APEX_REASON_RATE, wait_text};
    }
    return (net_refusal){0};
}

// @param password NULL: none is asked for. @return whether a Join or a Spectate may be considered
// at all.
static bool may_enter(apex_sessions *sessions, net_session *session, const char *password) {
    net_refusal refusal = {0};
    char wait_text[APEX_WIRE_TEXT_BYTES];
    if (session->state == APEX_SESSION_JOINING) {
        refusal = (net_refusal){APEX_SESSION_REFUSED_ORDER, APEX_REASON_ALREADY_JOINED,
                                "you have asked already; wait for the answer"};
    } else if (session->state != APEX_SESSION_LOBBY) {
        refusal = (net_refusal){APEX_SESSION_REFUSED_ORDER, APEX_REASON_ALREADY_JOINED,
                                "you have joined already; leave first"};
    } else if (sessions->is_locked) {
        refusal = (net_refusal){APEX_SESSION_REFUSED_LOCKDOWN, APEX_REASON_LOCKDOWN,
                                "the operator lets nobody new in for now; try again later"};
    } else if (password != NULL) {
        uint32_t wait_s = 0;
        net_password_verdict verdict = net_password_try(sessions, session, password, &wait_s);
        snprintf(wait_text, sizeof wait_text,
                 "too many wrong passwords came from your address; try again in %u s", wait_s);
        refusal = refusal_of(verdict, wait_text);
    }
    if (refusal.text != NULL) {
        refuse(sessions, session, refusal);
    }
    return refusal.text == NULL;
}

// A Join costs its server a car on the track and everybody an event.
static bool may_come(apex_sessions *sessions, net_session *session) {
    const apex_sessions_def *def = &sessions->def;
    const net_rate of_house = {def->joins_per_address_per_s, def->clients_per_address_max};
    const net_rate of_all = {def->joins_per_s, def->clients_max};
    net_refusal refusal = {APEX_SESSION_REFUSED_JOIN_RATE, APEX_REASON_RATE, NULL};
    if (of_house.per_s > 0 &&
        !net_house_take(&sessions->house_joins, apex_house_of(session->address), of_house,
                        sessions->now_us)) {
        refusal.text = "too many joined from your address; try again in a moment";
    } else if (of_all.per_s > 0 &&
               !net_bucket_take(&sessions->joins, of_all, 1, sessions->now_us)) {
        refusal.text = "too many joined just now; try again in a moment";
    }
    if (refusal.text != NULL) {
        refuse(sessions, session, refusal);
    }
    return refusal.text == NULL;
}

static bool has_name(apex_sessions *sessions, net_session *session, apex_join *join) {
    const char *why = apex_name_tidy(join->name);
    if (why != NULL) {
        refuse(sessions, session,
               (net_refusal){APEX_SESSION_REFUSED_NAME, APEX_REASON_BAD_NAME, why});
    }
    return why == NULL;
}

static bool has_proved(apex_sessions *sessions, net_session *session, apex_join *join) {
    net_refusal refusal = {0};
    if (!net_identity_prove(sessions, session, &join->identity, &refusal) ||
        !net_identity_may_take_role(session, &refusal)) {
        refuse(sessions, session, refusal);
        return false;
    }
    net_identity_name(session, join->name);
    return true;
}

// A lobby's name goes before his own, and is there once the token has been looked at.
static bool may_drive(apex_sessions *sessions, net_session *session, apex_join *join) {
    net_refusal refusal = {0};
    if (!net_identity_may_drive(sessions, &join->identity, &refusal)) {
        refuse(sessions, session, refusal);
        return false;
    }
    bool has_token = join->identity.token_length > 0;
    return (has_token || has_name(sessions, session, join)) && may_come(sessions, session) &&
           has_proved(sessions, session, join) && (!has_token || has_name(sessions, session, join));
}

static void take_join(apex_sessions *sessions, net_session *session, apex_client_message *message) {
    if (session->passes_join) { // it was sent before Joined{resumed} could have come (DECISIONS 29)
        session->passes_join = false;
        return;
    }
    if (!may_enter(sessions, session, message->join.password)) {
        return;
    }
    if (may_drive(sessions, session, &message->join) &&
        hand_on(sessions, session, APEX_MAIL_MESSAGE, message)) {
        net_session_set_state(sessions, session, APEX_SESSION_JOINING);
    }
}

static void take_spectate(apex_sessions *sessions, net_session *session,
                          const apex_client_message *message) {
    const char *password = sessions->def.watching_open ? NULL : message->spectate.password;
    if (!may_enter(sessions, session, password) || !may_come(sessions, session)) {
        return;
    }
    net_refusal refusal = {0};
    if (!net_identity_prove(sessions, session, &message->spectate.identity, &refusal)) {
        refuse(sessions, session, refusal);
    } else if (hand_on(sessions, session, APEX_MAIL_MESSAGE, message)) {
        net_session_set_state(sessions, session, APEX_SESSION_JOINING);
    }
}

static void take_leave(apex_sessions *sessions, net_session *session,
                       const apex_client_message *message) {
    if (session->state != APEX_SESSION_PLAYER && session->state != APEX_SESSION_SPECTATOR) {
        refuse(sessions, session,
               (net_refusal){APEX_SESSION_REFUSED_ORDER, APEX_REASON_OUT_OF_ORDER,
                             "you have not joined, so you cannot leave"});
        return;
    }
    if (hand_on(sessions, session, APEX_MAIL_MESSAGE, message)) {
        net_session_set_state(sessions, session, APEX_SESSION_LOBBY);
        session->has_place = false;
        session->passes_join = false;
        session->left_us = sessions->now_us;
    }
}

// No strike for controls out of place: they may have been on their way, and losing them costs
// nobody anything. The rate still holds.
static void take_controls(apex_sessions *sessions, net_session *session,
                          const apex_client_message *message) {
    if (session->state == APEX_SESSION_PLAYER) {
        hand_on(sessions, session, APEX_MAIL_MESSAGE, message);
        return;
    }
    sessions->counters[APEX_SESSION_REFUSED_ORDER]++;
    bool has_just_left =
        session->left_us != 0 && sessions->now_us < session->left_us + LEFT_GRACE_US;
    if (!has_just_left) {
        answer(sessions, session, APEX_REASON_OUT_OF_ORDER, "controls are for players only");
    }
}

// Likewise, from everybody who is sent snapshots.
static void take_snapshot_ack(apex_sessions *sessions, net_session *session,
                              const apex_client_message *message) {
    if (session->state == APEX_SESSION_PLAYER || session->state == APEX_SESSION_SPECTATOR) {
        hand_on(sessions, session, APEX_MAIL_MESSAGE, message);
    } else {
        sessions->counters[APEX_SESSION_REFUSED_ORDER]++;
    }
}

static void take_playback(apex_sessions *sessions, net_session *session,
                          const apex_client_message *message) {
    if (session->state != APEX_SESSION_SPECTATOR) {
        refuse(sessions, session,
               (net_refusal){APEX_SESSION_REFUSED_ORDER, APEX_REASON_OUT_OF_ORDER,
                             "only who watches a recording can play it"});
        return;
    }
    hand_on(sessions, session, APEX_MAIL_MESSAGE, message);
}

static void take_pit_plan(apex_sessions *sessions, net_session *session,
                          const apex_client_message *message) {
    if (session->state != APEX_SESSION_PLAYER) {
        refuse(sessions, session,
               (net_refusal){APEX_SESSION_REFUSED_ORDER, APEX_REASON_OUT_OF_ORDER,
                             "plans for the pits are for players only"});
        return;
    }
    hand_on(sessions, session, APEX_MAIL_MESSAGE, message);
}

static void take_message(apex_sessions *sessions, net_session *session,
                         apex_client_message *message) {
    if (session->state == APEX_SESSION_GREETING && message->kind != APEX_CLIENT_HELLO) {
        refuse(
            sessions, session,
            (net_refusal){APEX_SESSION_REFUSED_ORDER, APEX_REASON_OUT_OF_ORDER, "say Hello first"});
        return;
    }
    switch (message->kind) {
    case APEX_CLIENT_HELLO:
        take_hello(sessions, session, message);
        break;
    case APEX_CLIENT_JOIN:
        take_join(sessions, session, message);
        break;
    case APEX_CLIENT_SPECTATE:
        take_spectate(sessions, session, message);
        break;
    case APEX_CLIENT_LEAVE:
        take_leave(sessions, session, message);
        break;
    case APEX_CLIENT_CONTROLS:
        take_controls(sessions, session, message);
        break;
    case APEX_CLIENT_SNAPSHOT_ACK:
        take_snapshot_ack(sessions, session, message);
        break;
    case APEX_CLIENT_DEF_REQUEST:
    case APEX_CLIENT_TIME_REQUEST:
    case APEX_CLIENT_SUBSCRIBE:
        hand_on(sessions, session, APEX_MAIL_MESSAGE, message);
        break;
    case APEX_CLIENT_PLAYBACK:
        take_playback(sessions, session, message);
        break;
    case APEX_CLIENT_PIT_PLAN:
        take_pit_plan(sessions, session, message);
        break;
    case APEX_CLIENT_MESSAGE_KINDS:
        APEX_ASSERT(false);
    }
}

// The secret may stand anywhere: who knows it is the client, whatever is around it.
static bool carries(const apex_link_event *event, uint64_t secret) {
    uint8_t wanted[sizeof secret];
    for (size_t i = 0; i < sizeof wanted; i++) {
        wanted[i] = (uint8_t)(secret >> 8 * i);
    }
    // From the end, where encoders put it.
    for (size_t end = event->length; end >= sizeof wanted; end--) {
        if (memcmp(event->bytes + end - sizeof wanted, wanted, sizeof wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void drop_forged(apex_sessions *sessions) {
    sessions->counters[APEX_SESSION_REFUSED_SECRET]++;
}

static bool is_within_rate(const apex_sessions *sessions, net_session *session, size_t bytes) {
    const apex_sessions_def *def = &sessions->def;
    net_rate message_rate = {def->messages_per_s_max, BURST_S * def->messages_per_s_max};
    net_rate byte_rate = {def->bytes_per_s_max, BURST_S * def->bytes_per_s_max};
    int kind = session->is_in_doubt;
    return net_bucket_take(&session->messages[kind], message_rate, 1, sessions->rate_us) &&
           net_bucket_take(&session->bytes[kind], byte_rate, (uint32_t)bytes, sessions->rate_us);
}

// Some kinds cost more than the bytes that they are.
static bool is_within_kind_rate(const apex_sessions *sessions, net_session *session,
                                apex_client_message_kind kind, const char **text) {
    if (kind == APEX_CLIENT_DEF_REQUEST) {
        *text = "you are asking for more definitions than this server gives";
        return net_bucket_take(&session->defs, def_rate, 1, sessions->now_us);
    }
    if (kind == APEX_CLIENT_PIT_PLAN) {
        *text = "you are changing your plan for the pits faster than this server takes it";
        return net_bucket_take(&session->plans, plan_rate, 1, sessions->now_us);
    }
    return true;
}

void net_session_take_bytes(apex_sessions *sessions, net_session *session,
                            const apex_link_event *event) {
    sessions->counters[APEX_SESSION_MESSAGES_IN]++;
    session->is_in_doubt = session->secret != 0 && !carries(event, session->secret);
    if (session->is_in_doubt && event->channel == APEX_CHANNEL_STATE) {
        drop_forged(sessions);
        return;
    }
    net_refusal rate = {APEX_SESSION_REFUSED_RATE, APEX_REASON_RATE,
                        "you are sending more than this server takes"};
    if (!is_within_rate(sessions, session, event->length)) {
        refuse(sessions, session, rate);
        return;
    }
    net_refusal malformed = {APEX_SESSION_REFUSED_MALFORMED, APEX_REASON_BAD_MESSAGE,
                             "a message from a client has at most 1200 bytes"};
    _Static_assert(APEX_DATAGRAM_BYTES_MAX == 1200, "the text above says so");
    if (event->length > APEX_DATAGRAM_BYTES_MAX) {
        refuse(sessions, session, malformed);
        return;
    }
    apex_scratch scratch = {sessions->decode_buffer, APEX_DECODE_SCRATCH_BYTES};
    apex_client_message message = {0};
    if (!apex_decode_client(event->bytes, event->length, scratch, &message, &malformed.text)) {
        refuse(sessions, session, malformed);
        return;
    }
    if (event->channel != APEX_CHANNEL_EITHER &&
        event->channel != apex_client_message_channel(message.kind)) {
        refuse(sessions, session,
               (net_refusal){APEX_SESSION_REFUSED_CHANNEL, APEX_REASON_BAD_MESSAGE,
                             "controls, acks and time requests belong on channel 1"});
        return;
    }
    if (session->is_in_doubt && message.kind == APEX_CLIENT_LEAVE) {
        drop_forged(sessions);
        return;
    }
    if (!is_within_kind_rate(sessions, session, message.kind, &rate.text)) {
        refuse(sessions, session, rate);
        return;
    }
    session->has_token_before = session->has_token_before && session->is_in_doubt;
    take_message(sessions, session, &message);
}
