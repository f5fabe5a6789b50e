// The token of a request is compared in constant time; wrong ones are counted, and limited.

#include <string.h>

#include "api/api_memory.h"
#include "api/api_token.h"
#include "base/log.h"

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

// Each doubling is a line: enough to see it, too little to fill a disk.
static void log_wrong(uint64_t count, const char *address) {
    if ((count & (count - 1)) == 0) {
        apex_log(APEX_LOG_WARN, "web", "%llu wrong operators' tokens so far; the newest from %s",
                 (unsigned long long)count, address);
    }
}

bool api_may_operate(const api_call *call) {
    const apex_web_request *request = call->request;
    uint64_t now_us = call->api->now_us;
    apex_guess_limit *guesses = &call->api->memory->guesses;
    if (call->api->token[0] == '\0') {
        api_refuse(
            call, 403,
            "nobody operates this server over the web: give it a token, as web: {token: ...} "
            "in its race file or APEX_WEB_TOKEN in its environment, 12 characters at least, "
            "and start it again");
        return false;
    }
    apex_house house = apex_house_of(request->address);
    uint32_t wait_s = apex_guess_wait_s(guesses, house, now_us);
    if (wait_s > 0) {
        api_refuse(call, 429, "too many wrong tokens came from your address; try again in %u s",
                   wait_s);
        return false;
    }
    if (request->token[0] == '\0') {
        api_refuse(call, 401,
                   "this is for operators: send their token in the header "
                   "\"Authorization: Bearer TOKEN\"");
        return false;
    }
    if (!is_same(request->token, call->api->token)) {
        apex_guess_was_wrong(guesses, house, now_us);
        log_wrong(guesses->wrong, request->address);
        api_refuse(call, 401,
                   "that is not this server's token; web: {token: ...} in its race file or "
                   "APEX_WEB_TOKEN in its environment says which it is");
        return false;
    }
    return true;
}
