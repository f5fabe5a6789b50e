// The password that a server asks for, and those who guess at it.
#pragma once

#include "net/sessions/session_table.h"

typedef enum net_password_verdict {
    NET_PASSWORD_RIGHT, // or none is asked for
    NET_PASSWORD_NONE,  // none was said
    NET_PASSWORD_WRONG,
    NET_PASSWORD_WAIT, // too many wrong ones came from there: this one was not looked at
} net_password_verdict;

// @param[out] wait_s WAIT: seconds until one is looked at again
net_password_verdict net_password_try(apex_sessions *sessions, const net_session *session,
                                      const char *given, uint32_t *wait_s);
// Once a round: says in the log, at most once a minute, that there were guesses.
void net_password_log_guesses(apex_sessions *sessions);
