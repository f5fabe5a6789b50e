// The life of the page's client, from the first link to the last: what JavaScript tells the client,
// and what it is told of it.
#include <stdlib.h>
#include <string.h>

#include "client-lite/client_internal.h"
#include "client-lite/session/handshake/session_resume.h"
#include "client-lite/session/session.h"
#include "client-lite/wasm/page.h"
#include "client-lite/wasm/page_link.h"

// A wait of seconds is nothing unusual on a stream that lost a packet in a tunnel.
static const uint64_t SILENCE_US = 8000000;
static const uint64_t CONNECT_US = 10000000;
// On a stream nothing is lost, so the server needs to hear only now and then how far it got.
enum { TELEMETRY_HZ = 20, ACK_EVERY = 4 };

// Messages come between frames, and a frame's time is that of its begin: never backwards.
static uint64_t later(page_instance *page, double now_us) {
    uint64_t told_us = now_us > 0.0 ? (uint64_t)now_us : 0;
    if (told_us > page->now_us) {
        page->now_us = told_us;
    }
    return page->now_us;
}

uint8_t *page_input(page_instance *page, uint32_t bytes) {
    if (bytes > page->input.capacity) {
        size_t capacity = 2u * (size_t)bytes;
        uint8_t *grown = realloc(page->input.bytes, capacity);
        if (grown == NULL) {
            return NULL;
        }
        page->input = (page_memory){.bytes = grown, .capacity = capacity};
    }
    return page->input.bytes;
}

// Text number `index` of the input, NULL if it does not end there.
static const char *text_of(const page_instance *page, uint32_t length, uint32_t index) {
    const char *at = (const char *)page->input.bytes;
    size_t left = length <= page->input.capacity ? length : 0;
    for (;; index--) {
        const char *end = left > 0 ? memchr(at, '\0', left) : NULL;
        if (end == NULL || index == 0) {
            return end != NULL ? at : NULL;
        }
        left -= (size_t)(end + 1 - at);
        at = end + 1;
    }
}

const char *page_input_text(const page_instance *page, uint32_t length) {
    return text_of(page, length, 0);
}

static int digit_of(char letter) {
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                            : -1;
}

// As page_write_welcome gave it. @return false where there is none.
static bool read_token(const char *text, uint8_t token[APEX_TOKEN_BYTES]) {
    if (text == NULL || strlen(text) != (size_t)2 * APEX_TOKEN_BYTES) {
        return false;
    }
    for (size_t i = 0; i < APEX_TOKEN_BYTES; i++) {
        int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        token[i] = (uint8_t)(16 * high + low);
    }
    return true;
}

int page_begin(page_instance *page, uint32_t input_length, uint32_t port, uint32_t wishes) {
    const char *host = text_of(page, input_length, 3);
    if (page->client != NULL || host == NULL || port > UINT16_MAX) {
        return APEX_ERR_INVALID;
    }
    apex_client_def def = apex_default_client_def();
    def.name = text_of(page, input_length, 0);
    def.car = text_of(page, input_length, 1);
    def.password = text_of(page, input_length, 2);
    uint8_t token[APEX_TOKEN_BYTES];
    def.resume_token = read_token(text_of(page, input_length, 4), token) ? token : NULL;
    def.sign = page_identify;
    def.sign_context = page;
    def.spectate = (wishes & PAGE_SPECTATES) != 0;
    def.resume_only = (wishes & PAGE_RESUMES) != 0;
    def.ahead = !def.spectate;
    def.want_defs = true;
    def.show = true;
    def.standings = true;
    def.sectors = true;
    def.ack_every = ACK_EVERY;
    def.telemetry_hz = TELEMETRY_HZ;
    def.connect_timeout_us = CONNECT_US;
    def.silence_timeout_us = SILENCE_US;
    apex_err err = apex_client_create(&def, &page->client);
    if (err != APEX_OK) {
        return err;
    }
    client_session_of(page->client)->is_stream = true;
    client_session_of(page->client)->lays_apart = true;
    return apex_client_connect(page->client, host, (uint16_t)port);
}

// The newest message of a subject that a message of the server tells whole.
typedef struct source {
    apex_server_message_kind kind; ///< 0: not from one
    const void *known;
} source;

static source source_of(const page_instance *page, uint32_t subject) {
    const apex_client *client = page->client;
    switch (subject) {
    case PAGE_WELCOME:
        return (source){APEX_SERVER_WELCOME, apex_client_welcome(client)};
    case PAGE_ROSTER:
        return (source){APEX_SERVER_ROSTER, client};
    case PAGE_RACE_STATE:
        return (source){APEX_SERVER_RACE_STATE, apex_client_race_state(client)};
    case PAGE_STANDINGS:
        return (source){APEX_SERVER_STANDINGS, apex_client_standings(client)};
    case PAGE_RESULTS:
        return (source){APEX_SERVER_RESULTS, apex_client_results(client)};
    case PAGE_TELEMETRY:
        return (source){APEX_SERVER_TELEMETRY, apex_client_telemetry(client)};
    case PAGE_PLAYBACK:
        return (source){APEX_SERVER_PLAYBACK_STATE, apex_client_playback(client)};
    case PAGE_DEFS:
        return (source){APEX_SERVER_DEF, client};
    default:
        return (source){.known = NULL};
    }
}

static bool status_changed(page_instance *page) {
    page_status *before = &page->status;
    const client_session *session = client_session_of(page->client);
    uint32_t rejects = session->tally.heard[APEX_SERVER_REJECT];
    bool is_new = session->state != before->state || session->player != before->player ||
                  session->car != before->car || rejects != before->rejects;
    before->state = session->state;
    before->player = session->player;
    before->car = session->car;
    before->rejects = rejects;
    return is_new;
}

static bool marks_changed(page_instance *page) {
    const apex_playback_state *playback = apex_client_playback(page->client);
    const apex_playback_mark *before = page->marks;
    page->marks = playback != NULL ? playback->marks : NULL;
    return page->marks != before;
}

static void gather_news(page_instance *page) {
    const client_session *session = client_session_of(page->client);
    for (uint32_t subject = 0; subject < PAGE_SUBJECTS; subject++) {
        source from = source_of(page, subject);
        if (from.kind != 0) {
            // Knowledge may also be forgotten.
            page->news[subject] = 2 * session->tally.heard[from.kind] + (from.known != NULL);
        }
    }
    page->news[PAGE_STATUS] += status_changed(page);
    page->news[PAGE_MARKS] += marks_changed(page);
    size_t count;
    (void)apex_client_events(page->client, &count);
    page->news[PAGE_EVENTS] = (uint32_t)count;
    (void)apex_client_past_events(page->client, &count);
    page->news[PAGE_PAST] = (uint32_t)count;
    (void)apex_client_notices(page->client, &count);
    page->news[PAGE_NOTICES] = (uint32_t)count;
}

static void hear(page_instance *page, double now_us) {
    apex_client_hear(page->client, later(page, now_us));
    gather_news(page);
}

void page_link_opened(page_instance *page, double now_us) {
    page_link_note_opened(client_transport_of(page->client));
    hear(page, now_us);
}

void page_link_closed(page_instance *page, double now_us) {
    page_link_note_closed(client_transport_of(page->client));
    hear(page, now_us);
}

void page_link_received(page_instance *page, uint32_t length, double now_us) {
    page_link_note_bytes(client_transport_of(page->client), page->input.bytes, length);
    hear(page, now_us);
}

void page_was_deaf(page_instance *page, double now_us) {
    client_session_was_deaf(client_session_of(page->client), later(page, now_us));
}

void page_update(page_instance *page, double now_us) {
    apex_client_speak(page->client, later(page, now_us));
    gather_news(page);
}

void page_leave(page_instance *page, double now_us) {
    apex_client_leave(page->client);
    page_update(page, now_us);
}

double page_next_try(page_instance *page) {
    const client_session *session = client_session_of(page->client);
    return session->state == APEX_CLIENT_RECONNECTING ? (double)session->try_us : 0.0;
}

void page_try_now(page_instance *page, double now_us) {
    client_session_try_now(client_session_of(page->client));
    page_update(page, now_us);
}

static void write(page_instance *page, uint32_t subject) {
    apex_json_writer *json = &page->json;
    const void *known = source_of(page, subject).known;
    size_t count, past_count;
    const apex_race_event_message *events = apex_client_events(page->client, &count);
    const apex_race_event_message *past = apex_client_past_events(page->client, &past_count);
    switch (subject) {
    case PAGE_STATUS:
        page_write_status(json, page->client);
        break;
    case PAGE_WELCOME:
        page_write_welcome(json, known);
        break;
    case PAGE_ROSTER:
        page_write_roster(json, page->client);
        break;
    case PAGE_RACE_STATE:
        page_write_race_state(json, known);
        break;
    case PAGE_STANDINGS:
        page_write_standings(json, known);
        break;
    case PAGE_RESULTS:
        page_write_results(json, known);
        break;
    case PAGE_TELEMETRY:
        page_write_telemetry(json, known);
        break;
    case PAGE_PLAYBACK:
        page_write_playback(json, known);
        break;
    case PAGE_MARKS:
        page_write_marks(json, apex_client_playback(page->client));
        break;
    case PAGE_EVENTS:
        page_write_events(json, events, count);
        break;
    case PAGE_PAST:
        page_write_events(json, past, past_count);
        break;
    case PAGE_NOTICES:
        page_write_notices(json, page->client);
        break;
    default:
        break;
    }
}

uint32_t page_text(page_instance *page, uint32_t subject) {
    source from = source_of(page, subject);
    bool is_known =
        from.kind != 0 ? from.known != NULL : subject != PAGE_MARKS || page->marks != NULL;
    apex_json_restart(&page->json);
    if (is_known) {
        write(page, subject);
    }
    return page->json.text.is_cut ? 0 : (uint32_t)page->json.text.length;
}

static void tell_of_rivals(page_instance *page, const apex_client_rival_errors *rivals) {
    page->stats[PAGE_RIVALS_COMPARED] = (double)rivals->compared;
    page->stats[PAGE_RIVALS_LATE] = (double)rivals->late;
    page->stats[PAGE_RIVAL_ALONG_P50_M] = rivals->along_m_p50;
    page->stats[PAGE_RIVAL_ALONG_P95_M] = rivals->along_m_p95;
    page->stats[PAGE_RIVAL_ACROSS_P50_M] = rivals->across_m_p50;
    page->stats[PAGE_RIVAL_ACROSS_P95_M] = rivals->across_m_p95;
    page->stats[PAGE_RIVAL_HORIZON_P50_MS] = 1e3 * rivals->horizon_s_p50;
    page->stats[PAGE_RIVAL_HORIZON_P99_MS] = 1e3 * rivals->horizon_s_p99;
    page->stats[PAGE_RIVAL_CORRECTION_P99_MPS] = rivals->correction_mps_p99;
    page->stats[PAGE_RIVAL_CORRECTION_MAX_MPS] = rivals->correction_mps_max;
    page->stats[PAGE_TOUCHES_CAME] = (double)rivals->touches_came;
    page->stats[PAGE_TOUCHES_PHANTOM] = (double)rivals->touches_phantom;
    page->stats[PAGE_TOUCHES_UNFORESEEN] = (double)rivals->touches_unforeseen;
}

const double *page_stats(page_instance *page) {
    apex_client_stats stats = apex_client_stats_of(page->client);
    apex_client_prediction prediction = apex_client_prediction_of(page->client);
    page->stats[PAGE_RTT_MS] = (double)stats.rtt_us / 1e3;
    page->stats[PAGE_BYTES_IN] = (double)stats.bytes_in;
    page->stats[PAGE_BYTES_OUT] = (double)stats.bytes_out;
    page->stats[PAGE_SNAPSHOTS] = (double)stats.snapshots;
    page->stats[PAGE_DELAY_MS] = 1e3 * apex_client_showing_of(page->client).delay_s;
    page->stats[PAGE_PREDICTED_TICK] = prediction.tick;
    page->stats[PAGE_PREDICTION_ERROR_M] = prediction.error_m_p50;
    tell_of_rivals(page, &prediction.rivals);
    return page->stats;
}
