// Finding, changing and ending sessions in their table. The end of one is told by CLOSED mail
// exactly once, by whichever side, and only if WELCOMED mail went before. Until that mail has found
// room on a frame the slot is not used again.
#include "net/sessions/session_table.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

static uint32_t index_of(const apex_sessions *sessions, const net_session *session) {
    return (uint32_t)(session - sessions->table);
}

apex_session_id net_session_id(const apex_sessions *sessions, const net_session *session) {
    return (apex_session_id){.index1 = (uint16_t)(index_of(sessions, session) + 1),
                             .generation = session->generation};
}

const net_session *net_session_find_any(const apex_sessions *sessions, apex_session_id id) {
    if (id.index1 == 0 || id.index1 > sessions->def.sessions_max) {
        return NULL;
    }
    const net_session *session = &sessions->table[id.index1 - 1];
    bool is_live = session->state != APEX_SESSION_FREE && session->generation == id.generation;
    return is_live ? session : NULL;
}

net_session *net_session_find(apex_sessions *sessions, apex_session_id id) {
    const net_session *session = net_session_find_any(sessions, id);
    bool is_good = session != NULL && session->state != APEX_SESSION_CLOSING;
    return is_good ? &sessions->table[id.index1 - 1] : NULL;
}

uint32_t net_session_known_at(const apex_sessions *sessions, uint64_t address_hash) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sessions->def.sessions_max; i++) {
        const net_session *session = &sessions->table[i];
        count += session->is_known && session->address_hash == address_hash;
    }
    return count;
}

uint16_t net_session_house_cell(apex_house house) {
    return (uint16_t)(apex_hash_bytes(house.bytes, sizeof house.bytes, 0) % NET_HOUSE_CELLS);
}

void net_session_route(apex_sessions *sessions, uint16_t link_index1, uint32_t session_index1) {
    bool is_scarce = link_index1 <= sessions->def.scarce_links_max;
    uint16_t *at = &sessions->by_link[link_index1];
    sessions->scarce_count -= is_scarce && *at != 0;
    sessions->scarce_count += is_scarce && session_index1 != 0;
    *at = (uint16_t)session_index1;
}

static void count_waiting(apex_sessions *sessions, const net_session *session, int change) {
    if (net_session_is_waiting(session->state)) {
        sessions->waiting[session->house_cell] =
            (uint16_t)(sessions->waiting[session->house_cell] + change);
    }
}

void net_session_set_state(apex_sessions *sessions, net_session *session,
                           apex_session_state state) {
    count_waiting(sessions, session, -1);
    sessions->timed_count -= net_session_is_timed(session->state);
    sessions->timed_count += net_session_is_timed((uint8_t)state);
    session->state = (uint8_t)state;
    count_waiting(sessions, session, 1);
    if (state == APEX_SESSION_LOBBY) {
        session->deadline_us = sessions->now_us + sessions->def.lobby_us_max;
    }
}

void net_session_release_slot(apex_sessions *sessions, net_session *session) {
    APEX_ASSERT(!session->is_known && !session->is_closed_due);
    net_session_set_state(sessions, session, APEX_SESSION_FREE);
    sessions->free[sessions->free_count++] = (uint16_t)index_of(sessions, session);
    sessions->counters[APEX_SESSION_CLOSED]++;
}

void net_session_forget_lost(apex_sessions *sessions, net_session *session) {
    sessions->due_count -= session->is_lost_due;
    session->is_lost_due = false;
}

void net_session_end(apex_sessions *sessions, net_session *session) {
    net_session_forget_lost(sessions, session);
    session->has_place = false;
    if (session->is_known) {
        session->was = session->state;
        session->is_known = false;
        session->is_closed_due = true;
        sessions->known_count--;
        sessions->due_count++;
    }
    net_session_set_state(sessions, session, APEX_SESSION_CLOSING);
    session->deadline_us = sessions->now_us + sessions->def.closing_us_max;
}

void net_session_ask_to_close(apex_sessions *sessions, apex_link link) {
    if (sessions->closing_count < NET_LINK_INDEXES) {
        sessions->closing[sessions->closing_count++] = link;
    }
}

void net_session_part_from_link(apex_sessions *sessions, net_session *session) {
    APEX_ASSERT(session->state == APEX_SESSION_CLOSING);
    if (session->link.index1 != 0) {
        net_session_route(sessions, session->link.index1, 0);
        session->link = (apex_link){0};
    }
    if (!session->is_closed_due) {
        net_session_release_slot(sessions, session);
    }
}

void net_session_begin_closing(apex_sessions *sessions, net_session *session) {
    APEX_ASSERT(session->state != APEX_SESSION_CLOSING);
    net_session_end(sessions, session);
    if (session->link.index1 != 0) {
        net_session_ask_to_close(sessions, session->link);
    }
}

static void swap_bytes(void *a, void *b, size_t bytes) {
    uint8_t kept[APEX_ADDRESS_BYTES];
    APEX_ASSERT(bytes <= sizeof kept);
    memcpy(kept, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, kept, bytes);
}

void net_session_swap_links(apex_sessions *sessions, net_session *session, net_session *fresh) {
    count_waiting(sessions, session, -1);
    count_waiting(sessions, fresh, -1);
    swap_bytes(&session->link, &fresh->link, sizeof session->link);
    swap_bytes(&session->house_cell, &fresh->house_cell, sizeof session->house_cell);
    count_waiting(sessions, session, 1);
    count_waiting(sessions, fresh, 1);
    swap_bytes(&session->address_hash, &fresh->address_hash, sizeof session->address_hash);
    swap_bytes(&session->trust, &fresh->trust, sizeof session->trust);
    swap_bytes(session->address, fresh->address, sizeof session->address);
    swap_bytes(session->binding, fresh->binding, sizeof session->binding);
    net_session_route(sessions, session->link.index1, index_of(sessions, session) + 1);
    if (fresh->link.index1 != 0) {
        net_session_route(sessions, fresh->link.index1, index_of(sessions, fresh) + 1);
    } else {
        net_session_release_slot(sessions, fresh);
    }
}

bool net_session_add_mail(apex_sessions *sessions, const net_session *session, apex_mail_kind kind,
                          const apex_client_message *message) {
    apex_client_message *copy = NULL;
    if (message != NULL) {
        copy = apex_arena_alloc(sessions->frame, sizeof *copy);
        if (copy == NULL) {
            return false;
        }
        *copy = *message;
    }
    apex_mail *mail = net_frame_list_add(&sessions->mail, sessions->frame);
    if (mail == NULL) {
        return false;
    }
    mail->kind = kind;
    mail->session = net_session_id(sessions, session);
    mail->was = (apex_session_state)session->was;
    mail->message = copy;
    return true;
}
