// Greeting newcomers: they are sent the roster, the newest results and the past.

#include "host/news/greet.h"

#include "host/news/kept_results.h"
#include "host/news/past.h"
#include "host/news/roster.h"
#include "host/news/session_news.h"

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

static host_message encode_penalties(const host_frame *frame, const host_penalties *penalties) {
    enum { PENALTY_BYTES_MAX = 128 };
    if (!frame->setup->has_control) {
        return (host_message){NULL, 0};
    }
    const apex_server_message message = {
        .kind = APEX_SERVER_PENALTIES,
        .penalties = {.complete = true, .count = penalties->count, .penalties = penalties->all}};
    return host_encode_message(frame, &message,
                               HOST_HEAD_BYTES + penalties->count * (size_t)PENALTY_BYTES_MAX);
}

// Encoded once for all who came in this tick: a thousand copies of each would fill the frame.
void host_greet(const host_frame *frame, host_clients *clients, apex_sessions *sessions,
                const host_news *news) {
    host_message roster = {NULL, 0};
    host_message results = {NULL, 0};
    host_message past = {NULL, 0};
    host_message penalties = {NULL, 0};
    for (uint32_t i = 0; i < clients->end; i++) {
        host_client *client = &clients->at[i];
        if (!client->needs_roster) {
            continue;
        }
        if (roster.length == 0) {
            roster = host_whole_roster(frame);
            results = news->results.told ? host_encode_results(frame, &news->results) : results;
            past = encode_past(frame, &news->past);
            penalties = encode_penalties(frame, &news->penalties);
        }
        if (roster.length == 0) {
            return; // the next tick may have room
        }
        client->needs_roster = false;
        host_send_message(sessions, client, APEX_SERVER_ROSTER, roster);
        host_send_message(sessions, client, APEX_SERVER_RESULTS, results);
        host_greet_with_session(frame, client, sessions);
        host_send_message(sessions, client, APEX_SERVER_PENALTIES, penalties);
        client->has_conduct = false;
        if (client->needs_past) {
            client->needs_past = false;
            host_send_message(sessions, client, APEX_SERVER_PAST_EVENTS, past);
        }
    }
    clients->newcomers_wait = false;
}
