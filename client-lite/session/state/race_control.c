// Penalties are kept by their numbers: one that is told again has changed.
#include "client-lite/session/state/race_control.h"

#include <stdlib.h>
#include <string.h>

void client_knowledge_session(client_knowledge *knowledge, const apex_race_session *session) {
    apex_race_session *kept = &knowledge->session;
    bool has_lists =
        session->session_count > 0 || session->class_count > 0 || session->compound_count > 0;
    if (!has_lists) {
        size_t head = offsetof(apex_race_session, session_count);
        memcpy(kept, session, head);
    } else {
        *kept = *session;
    }
    knowledge->has_session = true;
}

static apex_penalty_message *find(client_knowledge *knowledge, uint32_t number) {
    for (size_t i = 0; i < knowledge->penalty_count; i++) {
        if (knowledge->penalties[i].number == number) {
            return &knowledge->penalties[i];
        }
    }
    return NULL;
}

// As many as a server keeps; the oldest makes room.
static void add(client_knowledge *knowledge, const apex_penalty_message *penalty) {
    apex_penalty_message *list = knowledge->penalties;
    if (knowledge->penalty_count == APEX_PENALTIES_LINES_MAX) {
        knowledge->penalty_count--;
        memmove(list, list + 1, knowledge->penalty_count * sizeof *list);
    }
    list[knowledge->penalty_count++] = *penalty;
}

void client_knowledge_penalties(client_knowledge *knowledge, const apex_penalties *penalties) {
    if (penalties->complete) {
        knowledge->penalty_count = 0;
    }
    if (penalties->count > 0 && knowledge->penalties == NULL) {
        knowledge->penalties = calloc(APEX_PENALTIES_LINES_MAX, sizeof *knowledge->penalties);
    }
    for (uint32_t i = 0; i < penalties->count; i++) {
        if (knowledge->penalties == NULL) {
            knowledge->dropped++;
            continue;
        }
        apex_penalty_message *kept = find(knowledge, penalties->penalties[i].number);
        if (kept != NULL) {
            *kept = penalties->penalties[i];
        } else {
            add(knowledge, &penalties->penalties[i]);
        }
    }
}
