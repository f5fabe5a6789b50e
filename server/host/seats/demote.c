// A driver whose car nobody drives is warned by the race, and out of it when he does not answer:
// his client watches from then on. For the race that is a command between ticks, like any other
// leave.

#include "host/seats/demote.h"

#include <stdio.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/simulation/race_commands.h"

static void say_to(apex_sessions *sessions, const host_client *client, const char *text) {
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    apex_wire_text(notice.notice.text, sizeof notice.notice.text, text);
    apex_sessions_send(sessions, client->session, &notice);
}

static void warn(apex_sessions *sessions, const host_client *client, int64_t left_s) {
    char text[APEX_WIRE_TEXT_BYTES];
    snprintf(text, sizeof text, "nobody drives your car: drive on within %lld s, or you will watch",
             (long long)left_s);
    say_to(sessions, client, text);
}

// A lost player is driven by the server, so he is not idle; one who breaks off in this very tick is
// kept like any other who is out.
static const host_client *idle_client(const host_clients *clients, const apex_race_event *event) {
    host_client *client =
        event->kind == APEX_EVENT_IDLE ? host_client_of_player(clients, event->player) : NULL;
    return client != NULL && client->admitted ? client : NULL;
}

void host_demote_note(const host_frame *frame, host_clients *clients) {
    APEX_ASSERT(frame->event_count == 0 || frame->events != NULL);
    for (size_t i = 0; i < frame->event_count; i++) {
        const host_client *client = idle_client(clients, &frame->events[i]);
        if (client != NULL && frame->events[i].value <= 0) {
            clients->at[client - clients->at].demoted = true;
            clients->demotions_wait = true;
        }
    }
}

void host_send_warnings(const host_frame *frame, const host_clients *clients,
                        apex_sessions *sessions) {
    for (size_t i = 0; i < frame->event_count; i++) {
        const host_client *client = idle_client(clients, &frame->events[i]);
        if (client != NULL && frame->events[i].value > 0) {
            warn(sessions, client, frame->events[i].value);
        }
    }
}

static void demote(host_clients *clients, apex_sessions *sessions, host_simulation *simulation,
                   host_client *client) {
    apex_standing standing;
    bool found = apex_race_player_standing(simulation->race, client->player, &standing);
    APEX_ASSERT(found);
    apex_player_id player = client->player;
    host_client_unseat(clients, client);
    host_drop_player(simulation, player, APEX_LEAVE_IDLE);
    apex_joined joined = {.player = 0};
    apex_sessions_accept(sessions, client->session, &joined);
    say_to(sessions, client, "nobody drove your car, so you watch now; to drive, connect again");
    apex_log_limited(APEX_LOG_INFO, "race", "%s watches now: %s", standing.name,
                     apex_reason_text(APEX_REASON_IDLE));
}

void host_demote_waiting(host_clients *clients, apex_sessions *sessions,
                         host_simulation *simulation) {
    APEX_ASSERT(clients->end <= clients->capacity);
    for (uint32_t i = 0; clients->demotions_wait && i < clients->end; i++) {
        host_client *client = &clients->at[i];
        if (client->demoted && client->admitted) {
            demote(clients, sessions, simulation, client);
        }
        client->demoted = false;
    }
    clients->demotions_wait = false;
}
