// Greeting newcomers: they are sent the roster, the newest results and the past.

#include "host/news/greet.h"

#include "host/news/kept_results.h"
#include "host/news/past.h"
#include "host/news/roster.h"

static host_message encode_past(const host_frame *frame, const host_past *past) {
    enum { EVENT_BYTES_MAX = 128 };
    apex_race_event_message events[APEX_PAST_EVENTS_MAX];
    apex_server_message message = {
        .kind = APEX_SERVER_PAST_EVENTS,
        .past_events = {.event_count = host_past_list(past, events), .events = events},
    };
    if (message.past_events.event_count == 0) {
        return (host_message){NULL, 0};
    }
    return host_encode_message(frame, &message,
                               HOST_HEAD_BYTES + message.past_events.event_count * EVENT_BYTES_MAX);
}

// Encoded once for all who came in this tick: a thousand copies of each would fill the frame.
void host_greet(const host_frame *frame, host_clients *clients, apex_sessions *sessions,
                const host_news *news) {
    host_message roster = {NULL, 0};
    host_message results = {NULL, 0};
    host_message past = {NULL, 0};
    for (uint32_t i = 0; i < clients->end; i++) {
        host_client *client = &clients->at[i];
        if (!client->needs_roster) {
            continue;
        }
        if (roster.length == 0) {
            roster = host_whole_roster(frame);
            results = news->results.told ? host_encode_results(frame, &news->results) : results;
            past = encode_past(frame, &news->past);
        }
        if (roster.length == 0) {
            return; // the next tick may have room
        }
        client->needs_roster = false;
        host_send_message(sessions, client, APEX_SERVER_ROSTER, roster);
        host_send_message(sessions, client, APEX_SERVER_RESULTS, results);
        if (client->needs_past) {
            client->needs_past = false;
            host_send_message(sessions, client, APEX_SERVER_PAST_EVENTS, past);
        }
    }
    clients->newcomers_wait = false;
}
