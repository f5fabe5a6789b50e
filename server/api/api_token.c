// The token of a request is compared in constant time; wrong ones are counted, and limited.

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "api/api_memory.h"
#include "api/api_token.h"
#include "base/log.h"

enum {
    TRIES_MAX = 10,             // wrong ones of an address in a row
    TRY_FORGOTTEN_US = 6000000, // time until one of them is forgotten
};

// Takes as long for every token: how long does not tell how much of it was right.
static bool is_same(const char *given, const char *token) {
    char left[APEX_WEB_TOKEN_BYTES] = {0}, right[APEX_WEB_TOKEN_BYTES] = {0};
    size_t given_length = strlen(given), length = strlen(token);
    memcpy(left, given, given_length < sizeof left ? given_length : sizeof left);
    memcpy(right, token, length < sizeof right ? length : sizeof right);
    volatile uint32_t difference = given_length != length || length >= sizeof right;
    for (size_t i = 0; i < sizeof left; i++) {
        difference |= (uint32_t)(unsigned char)(left[i] ^ right[i]);
    }
    return difference == 0;
}

void apex_house_of(const char *address, char out[APEX_ADDRESS_BYTES]) {
    struct in6_addr bytes;
    snprintf(out, APEX_ADDRESS_BYTES, "%s", address);
    if (inet_pton(AF_INET6, address, &bytes) == 1) {
        memset(bytes.s6_addr + 8, 0, 8);
        (void)inet_ntop(AF_INET6, &bytes, out, APEX_ADDRESS_BYTES);
    }
}

// The address's own place, or else the one whose wrong tries are forgotten first.
static api_guesser *guesser_of(api_guessers *guessers, const char *address) {
    api_guesser *oldest = &guessers->at[0];
    for (size_t i = 0; i < API_ADDRESSES; i++) {
        api_guesser *guesser = &guessers->at[i];
        if (strcmp(guesser->address, address) == 0) {
            return guesser;
        }
        oldest = guesser->free_us < oldest->free_us ? guesser : oldest;
    }
    return oldest;
}

static void note_wrong(api_guesser *guesser, const char *address, uint64_t now_us) {
    bool is_new = strcmp(guesser->address, address) != 0;
    uint64_t from_us = !is_new && guesser->free_us > now_us ? guesser->free_us : now_us;
    snprintf(guesser->address, sizeof guesser->address, "%s", address);
    guesser->free_us = from_us + TRY_FORGOTTEN_US;
}

// Each doubling is a line: enough to see it, too little to fill a disk.
static void count_wrong(api_guessers *guessers, const char *address) {
    uint64_t count = ++guessers->wrong_tokens;
    if ((count & (count - 1)) == 0) {
        apex_log(APEX_LOG_WARN, "web", "%llu wrong operators' tokens so far; the newest from %s",
                 (unsigned long long)count, address);
    }
}

bool api_may_operate(const api_call *call) {
    const apex_web_request *request = call->request;
    uint64_t now_us = call->api->now_us;
    api_guessers *guessers = &call->api->memory->guessers;
    if (call->api->token[0] == '\0') {
        api_refuse(
            call, 403,
            "nobody operates this server over the web: give it a token, as web: {token: ...} "
            "in its race file or APEX_WEB_TOKEN in its environment, 12 characters at least, "
            "and start it again");
        return false;
    }
    char house[APEX_ADDRESS_BYTES];
    apex_house_of(request->address, house);
    api_guesser *guesser = guesser_of(guessers, house);
    bool is_known = strcmp(guesser->address, house) == 0;
    uint64_t wait_us = is_known && guesser->free_us > now_us ? guesser->free_us - now_us : 0;
    if (wait_us > (uint64_t)(TRIES_MAX - 1) * TRY_FORGOTTEN_US) {
        uint64_t until_us = wait_us - (uint64_t)(TRIES_MAX - 1) * TRY_FORGOTTEN_US;
        guessers->refused_tries++;
        api_refuse(call, 429, "too many wrong tokens came from your address; try again in %u s",
                   (uint32_t)((until_us + 999999u) / 1000000u));
        return false;
    }
    if (request->token[0] == '\0') {
        api_refuse(call, 401,
                   "this is for operators: send their token in the header "
                   "\"Authorization: Bearer TOKEN\"");
        return false;
    }
    if (!is_same(request->token, call->api->token)) {
        count_wrong(guessers, request->address);
        note_wrong(guesser, house, now_us);
        api_refuse(call, 401,
                   "that is not this server's token; web: {token: ...} in its race file or "
                   "APEX_WEB_TOKEN in its environment says which it is");
        return false;
    }
    return true;
}
