// Reasons for which a server refuses or ends something, as a short name and as a sentence.
#include "proto/proto.h"

typedef struct reason_words {
    const char *name, *text;
} reason_words;

static const reason_words words[APEX_REASON_COUNT] = {
    [APEX_REASON_NONE] = {"none", "no reason given"},
    [APEX_REASON_VERSION] = {"version", "client and server speak different protocol versions"},
    [APEX_REASON_SERVER_FULL] = {"server-full", "the server has no room for another client"},
    [APEX_REASON_RACE_FULL] = {"race-full", "the race has no room for another car"},
    [APEX_REASON_PASSWORD] = {"password", "the password is wrong"},
    [APEX_REASON_UNKNOWN_CAR] = {"unknown-car", "the server does not offer this car"},
    [APEX_REASON_ALREADY_JOINED] = {"already-joined", "this client has joined already"},
    [APEX_REASON_BAD_NAME] = {"bad-name", "the name cannot be used"},
    [APEX_REASON_OUT_OF_ORDER] = {"out-of-order", "the message does not fit the session's state"},
    [APEX_REASON_BAD_MESSAGE] = {"bad-message", "the bytes are no valid message"},
    [APEX_REASON_RATE] = {"rate", "messages came faster than the server allows"},
    [APEX_REASON_KICKED] = {"kicked", "an operator removed this client"},
    [APEX_REASON_SHUTDOWN] = {"shutdown", "the server is shutting down"},
    [APEX_REASON_TIMEOUT] = {"timeout", "nothing was heard for too long"},
    [APEX_REASON_RACE_CLOSED] = {"race-closed", "the race takes no new drivers now"},
    [APEX_REASON_ADDRESS_LIMIT] = {"address-limit", "too many clients come from this address"},
    [APEX_REASON_UNKNOWN_DEF] = {"unknown-def", "the server has no definition with this hash"},
    [APEX_REASON_EVENT_OVER] = {"event-over", "the event is over"},
    [APEX_REASON_RESUMED] = {"resumed", "another connection has taken over this player"},
    [APEX_REASON_IDLE] = {"idle", "nobody drove this car"},
    [APEX_REASON_SEAL_NEEDED] = {"seal-needed", "this server only takes sealed connections"},
    [APEX_REASON_SERVER_KEY] = {"server-key", "the server's key is not the one that is known"},
    [APEX_REASON_KEY] = {"key", "the signature does not prove the driver's key"},
    [APEX_REASON_KEY_NEEDED] = {"key-needed", "the server takes no guests, only drivers with keys"},
    [APEX_REASON_NAME_HELD] = {"name-held", "the name belongs to another driver here"},
    [APEX_REASON_NOT_LISTED] = {"not-listed", "this driver is not on the server's list"},
    [APEX_REASON_TOKEN_NEEDED] = {"token-needed", "the server asks for a token of its lobby"},
    [APEX_REASON_TOKEN_INVALID] = {"token-invalid", "the token is none, or was changed"},
    [APEX_REASON_TOKEN_ISSUER] = {"token-issuer", "the server does not trust who signed the token"},
    [APEX_REASON_TOKEN_AUDIENCE] = {"token-audience", "the token is for another server or race"},
    [APEX_REASON_TOKEN_EARLY] = {"token-early", "the token is from the future; is a clock wrong?"},
    [APEX_REASON_TOKEN_EXPIRED] = {"token-expired", "the token is too old"},
    [APEX_REASON_TOKEN_HOLDER] = {"token-holder", "the token is another driver's"},
    [APEX_REASON_TOKEN_USED] = {"token-used", "the token has been used"},
    [APEX_REASON_LOCKDOWN] = {"lockdown", "the operator lets nobody in for now"},
};

static const reason_words *words_of(apex_reason reason) {
    static const reason_words unknown = {"unknown", "a reason this version does not know"};
    bool known = (unsigned)reason < APEX_REASON_COUNT;
    return known ? &words[reason] : &unknown;
}

const char *apex_reason_name(apex_reason reason) {
    return words_of(reason)->name;
}

const char *apex_reason_text(apex_reason reason) {
    return words_of(reason)->text;
}
