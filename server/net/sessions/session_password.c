// A password is compared in constant time, so that answers cannot be used to guess letter by
// letter, and wrong ones are limited by house (net/guess_limit.h), not by session: who has guessed
// wrong opens another link. No password at all is no guess; clients ask that way whether one is
// needed.
#include "net/sessions/session_password.h"

#include <sodium.h>
#include <string.h>

#include "base/log.h"

static const uint64_t log_again_us = 60000000;

static bool is_password(const apex_sessions *sessions, const char *given) {
    char wanted[APEX_WIRE_NAME_BYTES] = {0};
    char said[APEX_WIRE_NAME_BYTES] = {0};
    memcpy(wanted, sessions->def.password, strnlen(sessions->def.password, sizeof wanted));
    memcpy(said, given, strnlen(given, sizeof said));
    return sodium_memcmp(wanted, said, sizeof wanted) == 0;
}

net_password_verdict net_password_try(apex_sessions *sessions, const net_session *session,
                                      const char *given, uint32_t *wait_s) {
    if (sessions->def.password[0] == '\0') {
        return NET_PASSWORD_RIGHT;
    }
    if (given[0] == '\0') {
        return NET_PASSWORD_NONE;
    }
    apex_house house = apex_house_of(session->address);
    *wait_s = apex_guess_wait_s(&sessions->guesses, house, sessions->now_us);
    if (*wait_s == 0 && is_password(sessions, given)) {
        return NET_PASSWORD_RIGHT;
    }
    memcpy(sessions->guesser, session->address, sizeof sessions->guesser);
    if (*wait_s > 0) {
        return NET_PASSWORD_WAIT;
    }
    apex_guess_was_wrong(&sessions->guesses, house, sessions->now_us);
    return NET_PASSWORD_WRONG;
}

void net_password_log_guesses(apex_sessions *sessions) {
    const apex_guess_limit *guesses = &sessions->guesses;
    uint64_t all = guesses->wrong + guesses->refused;
    bool is_first = sessions->guesses_told == 0;
    if (all == sessions->guesses_told ||
        (!is_first && sessions->now_us < sessions->guesses_told_us + log_again_us)) {
        return;
    }
    apex_log(APEX_LOG_WARN, "net",
             "%llu wrong passwords so far, and %llu that were not looked at after too many; the "
             "newest from %s",
             (unsigned long long)guesses->wrong, (unsigned long long)guesses->refused,
             sessions->guesser);
    sessions->guesses_told = all;
    sessions->guesses_told_us = sessions->now_us;
}
