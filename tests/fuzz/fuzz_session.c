// links: net
// A script of what links and the host do to sessions, with messages whole, mutated and made up, in
// virtual time and with a frame that is sometimes too small. These must hold: all that came in is
// accounted for, mail is legal for what went before, each client that was welcomed is told closed
// exactly once, only a player is lost or resumed, and in the end nothing is left.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "support/net/session_scene.h"

enum { LINKS = 12, SESSIONS = 8, FRAME_BYTES = 128 * 1024, SCRIPT_BYTES_MAX = 4096 };

typedef enum op {
    OP_CONNECT,
    OP_DISCONNECT,
    OP_SAY,
    OP_SAY_MUTATED,
    OP_SAY_BYTES,
    OP_ROUND,
    OP_ROUND_SMALL,
    OP_HOST,
    OP_COUNT
} op;

// A host's knowledge of a session from mail alone.
typedef struct client {
    apex_session_id id;
    bool is_known;
    bool is_player;
    bool has_place;
    bool is_lost;
} client;

typedef struct run {
    const uint8_t *script;
    size_t length, at;
    session_scene *scene;
    bool is_open[LINKS];
    client clients[SESSIONS + 1];    // by index1
    uint8_t token[APEX_TOKEN_BYTES]; // of the newest Welcome
    uint64_t resume_us;
    uint64_t links_opened, mails, closed_mails;
} run;

static uint8_t next(run *r) {
    return r->at < r->length ? r->script[r->at++] : 0;
}

static apex_sessions_def def_of(uint8_t byte) {
    apex_sessions_def def = apex_default_sessions_def();
    def.sessions_max = byte & 1 ? SESSIONS : 3;
    def.clients_max = byte & 2 ? SESSIONS : 2;
    def.clients_per_address_max = byte & 4 ? SESSIONS : 1;
    def.messages_per_s_max = byte & 8 ? 1000 : 4;
    def.strikes_max = byte & 16 ? 5 : 1000;
    def.resume_us_max = byte & 64 ? 2000000 : 0;
    if (byte & 32) {
        memcpy(def.password, "secret", 7);
    }
    return def;
}

static void do_connect(run *r, uint16_t link) {
    static const char *const addresses[] = {"10.0.0.1", "10.0.0.2", "", "10.0.0.3"};
    r->scene->trust = (apex_link_trust)(link % 3);
    scene_connect(r->scene, link, addresses[link % 4]);
    r->is_open[link] = true;
    r->links_opened++;
}

static void do_disconnect(run *r, uint16_t link) {
    if (r->is_open[link]) {
        scene_disconnect(r->scene, link);
        r->is_open[link] = false;
    }
}

static void do_say(run *r, uint16_t link, bool is_mutated) {
    int kind = 1 + (int)(next(r) % (APEX_CLIENT_MESSAGE_KINDS - 1));
    kind = apex_is_client_message_kind(kind) ? kind : APEX_CLIENT_PLAYBACK;
    apex_client_message message = scene_message((apex_client_message_kind)kind);
    if (message.kind == APEX_CLIENT_JOIN) {
        memcpy(message.join.password, "secret", 7);
    } else if (message.kind == APEX_CLIENT_HELLO) {
        message.hello.has_token = next(r) % 2 == 0;
        memcpy(message.hello.resume_token, r->token, sizeof r->token);
    }
    message.secret = next(r) % 8 != 0 ? scene_secret(r->scene, link) : 1;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    uint8_t channel = (uint8_t)apex_client_message_channel(message.kind);
    if (is_mutated && length > 0) {
        bytes[next(r) % length] ^= next(r);
        channel = next(r) % 8 == 0 ? next(r) % 3 : channel;
    }
    if (r->is_open[link]) {
        scene_say_bytes(r->scene, link, channel, bytes, length);
    }
}

static void do_say_bytes(run *r, uint16_t link) {
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX + 300] = {0};
    size_t length = next(r);
    size_t given = length < r->length - r->at ? length : r->length - r->at;
    memcpy(bytes, r->script + r->at, given);
    r->at += given;
    length = length == 255 ? sizeof bytes : length;
    uint8_t channel = next(r) % 3;
    if (r->is_open[link]) {
        scene_say_bytes(r->scene, link, channel, bytes, length);
    }
}

static void do_accept(run *r, client *c) {
    apex_session_state was = scene_state(r->scene, c->id);
    bool is_player = next(r) % 2 == 0;
    apex_sessions_accept(r->scene->sessions, c->id, &(apex_joined){.player = is_player});
    // A player may be made a spectator, but not the other way round.
    bool counts = was == APEX_SESSION_JOINING || (was == APEX_SESSION_PLAYER && !is_player);
    c->is_player = counts ? is_player : c->is_player;
    c->has_place = counts ? is_player : c->has_place;
}

// Tokens come in the newest message, if that is a Welcome; now and then one is left out, so that
// the one before is tried again.
static void do_welcome(run *r, const client *c) {
    apex_sessions *sessions = r->scene->sessions;
    apex_sessions_welcome(sessions, c->id, &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
    const apex_link_packet *packets = NULL;
    size_t count = apex_sessions_outbox(sessions, &packets);
    apex_scratch scratch = {r->scene->scratch, sizeof r->scene->scratch};
    apex_server_message message;
    if (count > 0 && next(r) % 4 != 0 &&
        apex_decode_server(packets[count - 1].bytes, packets[count - 1].length, scratch, &message,
                           NULL) &&
        message.kind == APEX_SERVER_WELCOME) {
        memcpy(r->token, message.welcome.resume_token, sizeof r->token);
    }
}

static void do_host(run *r) {
    apex_sessions *sessions = r->scene->sessions;
    client *c = &r->clients[1 + next(r) % SESSIONS];
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE, .notice = {"well"}};
    switch (next(r) % 6) {
    case 0:
        do_welcome(r, c);
        break;
    case 1:
        do_accept(r, c);
        break;
    case 2:
        apex_sessions_reject(sessions, c->id, (apex_reason)(1 + next(r) % (APEX_REASON_COUNT - 1)),
                             NULL);
        break;
    case 3:
        apex_sessions_send(sessions, c->id, &notice);
        break;
    case 4:
        apex_sessions_send_bytes(sessions, c->id, next(r) % 2, r->script, 1);
        break;
    default:
        apex_sessions_close(sessions, c->id, APEX_REASON_KICKED, "out");
        break;
    }
}

static void check_mail(run *r, const apex_mail *mail) {
    require(mail->session.index1 >= 1 && mail->session.index1 <= SESSIONS);
    client *c = &r->clients[mail->session.index1];
    if (mail->kind == APEX_MAIL_WELCOMED) {
        require(!c->is_known && mail->message->kind == APEX_CLIENT_HELLO);
        require(mail->message->hello.protocol_version == APEX_PROTOCOL_VERSION);
        *c = (client){.id = mail->session, .is_known = true};
        r->mails++;
        return;
    }
    require(c->is_known && c->id.generation == mail->session.generation);
    if (mail->kind == APEX_MAIL_LOST || mail->kind == APEX_MAIL_RESUMED) {
        require(r->resume_us > 0 || mail->kind == APEX_MAIL_RESUMED);
        require(c->has_place && (mail->kind == APEX_MAIL_RESUMED || !c->is_lost));
        c->is_lost = mail->kind == APEX_MAIL_LOST;
        c->is_player = false;
        r->mails += mail->kind == APEX_MAIL_RESUMED;
        return;
    }
    if (mail->kind == APEX_MAIL_CLOSED) {
        bool is_held = mail->was == APEX_SESSION_HELD;
        require(is_held ? c->has_place
                        : mail->was >= APEX_SESSION_LOBBY && mail->was <= APEX_SESSION_SPECTATOR);
        require(!c->is_player || mail->was == APEX_SESSION_PLAYER || is_held);
        c->is_known = false;
        r->closed_mails++;
        return;
    }
    require(mail->message->kind != APEX_CLIENT_HELLO);
    require(mail->message->kind != APEX_CLIENT_CONTROLS || c->is_player);
    require(mail->message->kind != APEX_CLIENT_JOIN || mail->message->join.name[0] != '\0');
    c->is_player = c->is_player && mail->message->kind != APEX_CLIENT_LEAVE;
    c->has_place = c->has_place && mail->message->kind != APEX_CLIENT_LEAVE;
    r->mails++;
}

static void check_counters(const run *r) {
    const uint64_t *counters = apex_sessions_counters(r->scene->sessions);
    uint64_t turned_away = r->links_opened - counters[APEX_SESSION_OPENED];
    uint64_t accounted = r->mails + counters[APEX_SESSION_REFUSED_SECRET];
    for (int i = APEX_SESSION_REFUSED_VERSION; i <= APEX_SESSION_REFUSED_RATE; i++) {
        accounted += counters[i];
    }
    accounted -= turned_away;
    require(counters[APEX_SESSION_MESSAGES_IN] >= accounted);
    // A session that has been resumed passes over one Join.
    require(counters[APEX_SESSION_MESSAGES_IN] <=
            accounted + counters[APEX_SESSION_OUTBOX_FULL] + counters[APEX_SESSION_RESUMED]);
    require(counters[APEX_SESSION_WELCOMED] >=
            r->closed_mails + apex_sessions_welcomed(r->scene->sessions));
    require(counters[APEX_SESSION_OPENED] - counters[APEX_SESSION_CLOSED] <= SESSIONS);
}

static void check_outbox(run *r) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_sessions_outbox(r->scene->sessions, &packets);
    for (size_t i = 0; i < count; i++) {
        require(packets[i].link.index1 >= 1 && packets[i].link.index1 <= LINKS);
        require(packets[i].length > 0 && packets[i].channel < APEX_CHANNEL_COUNT);
    }
}

static void do_round(run *r, size_t frame_bytes) {
    check_outbox(r);
    size_t capacity = r->scene->frame.capacity;
    r->scene->frame.capacity = frame_bytes < capacity ? frame_bytes : capacity;
    uint64_t later_us = (uint64_t)next(r) * next(r) * 200;
    scene_round(r->scene, later_us);
    for (size_t i = 0; i < r->scene->mail_count; i++) {
        check_mail(r, &r->scene->mail[i]);
    }
    check_counters(r);
    check_outbox(r);
    r->scene->frame.capacity = capacity;
}

static void check_end(run *r) {
    for (uint16_t link = 0; link < LINKS; link++) {
        do_disconnect(r, link);
    }
    r->at = r->length;
    do_round(r, FRAME_BYTES);
    r->scene->now_us += r->resume_us;
    do_round(r, FRAME_BYTES);
    const uint64_t *counters = apex_sessions_counters(r->scene->sessions);
    require(counters[APEX_SESSION_OPENED] == counters[APEX_SESSION_CLOSED]);
    require(counters[APEX_SESSION_WELCOMED] == r->closed_mails);
    require(apex_sessions_welcomed(r->scene->sessions) == 0);
    for (size_t i = 1; i <= SESSIONS; i++) {
        require(!r->clients[i].is_known);
    }
}

static void step(run *r) {
    uint8_t byte = next(r);
    uint16_t link = byte / OP_COUNT % LINKS;
    switch ((op)(byte % OP_COUNT)) {
    case OP_CONNECT:
        do_connect(r, link);
        break;
    case OP_DISCONNECT:
        do_disconnect(r, link);
        break;
    case OP_SAY:
        do_say(r, link, false);
        break;
    case OP_SAY_MUTATED:
        do_say(r, link, true);
        break;
    case OP_SAY_BYTES:
        do_say_bytes(r, link);
        break;
    case OP_ROUND:
        do_round(r, FRAME_BYTES);
        break;
    case OP_ROUND_SMALL:
        do_round(r, (size_t)next(r) * 64);
        break;
    case OP_HOST:
    case OP_COUNT:
        do_host(r);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || size > SCRIPT_BYTES_MAX) {
        return 0;
    }
    run *r = calloc(1, sizeof *r);
    require(r);
    *r = (run){.script = data, .length = size, .at = 1};
    apex_sessions_def def = def_of(data[0]);
    r->resume_us = def.resume_us_max;
    r->scene = scene_open(def, FRAME_BYTES);
    scene_round(r->scene, 0);
    for (size_t i = 0; r->at < r->length; i++) {
        step(r);
        if (r->scene->event_count > SCENE_EVENTS_MAX - 64 ||
            r->scene->byte_count > SCENE_BYTES_MAX - 4096) {
            do_round(r, FRAME_BYTES);
        }
    }
    check_end(r);
    scene_close(r->scene);
    free(r);
    return 0;
}
