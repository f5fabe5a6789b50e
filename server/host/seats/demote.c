// A driver whose car nobody drives is warned by the race, and out of it when he does not answer:
// his client watches from then on. For the race that is a command between ticks, like any other
// leave.

#include <stdio.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/host_private.h"
#include "host/simulation/race_commands.h"

static void say_to(apex_server *server, const host_client *client, const char *text) {
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    apex_wire_text(notice.notice.text, sizeof notice.notice.text, text);
    apex_sessions_send(server->sessions, client->session, &notice);
}

static void warn(apex_server *server, const host_client *client, int64_t left_s) {
    char text[APEX_WIRE_TEXT_BYTES];
    snprintf(text, sizeof text, "nobody drives your car: drive on within %lld s, or you will watch",
             (long long)left_s);
    say_to(server, client, text);
}

// A lost player is driven by the server, so he is not idle; who breaks off in this very tick is
// kept like any other who is out.
void host_demote_note(apex_server *server) {
    for (size_t i = 0; i < server->frame.event_count; i++) {
        const apex_race_event *event = &server->frame.events[i];
        if (event->kind != APEX_EVENT_IDLE) {
            continue;
        }
        host_client *client = host_client_of_player(&server->clients, event->player);
        if (client == NULL || !client->admitted) {
            continue;
        }
        if (event->value > 0) {
            warn(server, client, event->value);
        } else {
            client->demoted = true;
            server->demotions_wait = true;
        }
    }
}

static void demote(apex_server *server, host_client *client) {
    apex_standing standing;
    bool found = apex_race_player_standing(server->race, client->player, &standing);
    APEX_ASSERT(found);
    apex_player_id player = client->player;
    host_client_unseat(&server->clients, client);
    host_drop_player(server, player, APEX_LEAVE_IDLE);
    apex_joined joined = {.player = 0};
    apex_sessions_accept(server->sessions, client->session, &joined);
    say_to(server, client, "nobody drove your car, so you watch now; to drive, connect again");
    apex_log(APEX_LOG_INFO, "race", "%s watches now: %s", standing.name,
             apex_reason_text(APEX_REASON_IDLE));
}

void host_demote_waiting(apex_server *server) {
    for (uint32_t i = 0; server->demotions_wait && i < server->clients.end; i++) {
        host_client *client = &server->clients.at[i];
        if (client->demoted && client->admitted) {
            demote(server, client);
        }
        client->demoted = false;
    }
    server->demotions_wait = false;
}
