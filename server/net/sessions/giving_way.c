// Counts of those who have not joined are kept for each household (session_table.c); here one walk
// over the table finds who is to go.
#include "net/sessions/giving_way.h"

#include "net/sessions/session_outbox.h"

enum {
    LOBBY_GRACE_US = 2000000, // from its Welcome to its Join a client needs a round trip
    SPARE_MAX = 64,           // sessions that are kept free, for those who go still to go
    SPARE_SHARE = 8,          // or one of so many
    SHARE_MORE = 8,           // of a household, above the clients that it may have
};

static uint32_t waiting_of(const apex_sessions *sessions, const net_session *session) {
    return sessions->waiting[session->house_cell];
}

static uint64_t waited_us(const apex_sessions *sessions, const net_session *session) {
    uint64_t patience_us = session->state == APEX_SESSION_GREETING ? sessions->def.greeting_us_max
                                                                   : sessions->def.lobby_us_max;
    return sessions->now_us + patience_us - session->deadline_us;
}

// @return whether `a` goes before `b`.
static bool goes_first(const apex_sessions *sessions, const net_session *a, const net_session *b) {
    if (b == NULL) {
        return true;
    }
    uint32_t of_a = waiting_of(sessions, a);
    uint32_t of_b = waiting_of(sessions, b);
    if (of_a != of_b) {
        return of_a > of_b;
    }
    if (a->state != b->state) {
        return a->state == APEX_SESSION_GREETING;
    }
    return a->deadline_us < b->deadline_us;
}

typedef enum among {
    AMONG_ALL,
    AMONG_SCARCE,
    AMONG_HOUSE,
    AMONG_LOBBY,
    AMONG_LOBBY_AT_ADDRESS
} among;

// Who looks for a place: his household with those of it that wait.
typedef struct seeker {
    uint32_t cell, waiting;
    uint64_t address_hash;
} seeker;

static bool may_go(const apex_sessions *sessions, const net_session *session, among whom,
                   const seeker *for_whom) {
    bool is_greeting = session->state == APEX_SESSION_GREETING;
    if (!is_greeting && session->state != APEX_SESSION_LOBBY) {
        return false;
    }
    bool is_of_house = session->house_cell == for_whom->cell;
    if (whom == AMONG_HOUSE) {
        return is_of_house;
    }
    bool is_scarce = session->link.index1 <= sessions->def.scarce_links_max;
    if (whom == AMONG_SCARCE && !is_scarce) {
        return false;
    }
    if (is_greeting) {
        return whom == AMONG_ALL || whom == AMONG_SCARCE;
    }
    if (whom == AMONG_LOBBY_AT_ADDRESS && session->address_hash != for_whom->address_hash) {
        return false;
    }
    return waiting_of(sessions, session) > for_whom->waiting ||
           waited_us(sessions, session) >= LOBBY_GRACE_US;
}

static net_session *first_to_go(apex_sessions *sessions, among whom, const seeker *for_whom) {
    net_session *first = NULL;
    for (uint32_t i = 0; i < sessions->def.sessions_max; i++) {
        net_session *session = &sessions->table[i];
        if (may_go(sessions, session, whom, for_whom) && goes_first(sessions, session, first)) {
            first = session;
        }
    }
    return first;
}

static bool let_go(apex_sessions *sessions, net_session *session) {
    if (session == NULL) {
        return false;
    }
    sessions->counters[APEX_SESSION_CLOSED_GAVE_WAY]++;
    net_session_expel(sessions, session, APEX_REASON_SERVER_FULL,
                      "others needed the place; connect, and join or watch at once");
    net_session_part_from_link(sessions, session);
    return true;
}

// @return how many of so many are to be kept free.
static uint32_t spare_of(uint32_t count) {
    return count / SPARE_SHARE < SPARE_MAX ? count / SPARE_SHARE : SPARE_MAX;
}

void net_session_make_room(apex_sessions *sessions, const apex_link_event *opened) {
    uint16_t cell = net_session_house_cell(apex_house_of(opened->address));
    const seeker for_whom = {.cell = cell, .waiting = sessions->waiting[cell] + 1u};
    const apex_sessions_def *def = &sessions->def;
    uint32_t scarce = def->scarce_links_max;
    bool is_scarce = opened->link.index1 <= scarce;
    if (for_whom.waiting > def->clients_per_address_max + SHARE_MORE) {
        let_go(sessions, first_to_go(sessions, AMONG_HOUSE, &for_whom));
    } else if (is_scarce && sessions->scarce_count + spare_of(scarce) >= scarce) {
        let_go(sessions, first_to_go(sessions, AMONG_SCARCE, &for_whom));
    } else if (sessions->free_count <= spare_of(def->sessions_max)) {
        let_go(sessions, first_to_go(sessions, AMONG_ALL, &for_whom));
    }
}

static seeker seeker_of(const apex_sessions *sessions, const net_session *newcomer) {
    return (seeker){.cell = newcomer->house_cell,
                    .waiting = waiting_of(sessions, newcomer),
                    .address_hash = newcomer->address_hash};
}

bool net_session_make_place(apex_sessions *sessions, const net_session *newcomer) {
    const seeker for_whom = seeker_of(sessions, newcomer);
    return let_go(sessions, first_to_go(sessions, AMONG_LOBBY, &for_whom));
}

bool net_session_make_place_at_address(apex_sessions *sessions, const net_session *newcomer) {
    const seeker for_whom = seeker_of(sessions, newcomer);
    return let_go(sessions, first_to_go(sessions, AMONG_LOBBY_AT_ADDRESS, &for_whom));
}
