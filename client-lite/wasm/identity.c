// Who asks to come in. The key and the lobby's token are JavaScript's, which keeps them in the
// browser's storage.
#include "base/assert.h"
#include "client-lite/client_internal.h"
#include "client-lite/session/session.h"
#include "client-lite/wasm/page.h"

// Nobody who only watches is asked who he is, unless the server lets in none else.
static bool is_wanted(const page_instance *page) {
    const apex_welcome *welcome = apex_client_welcome(page->client);
    bool watches = client_session_of(page->client)->def.spectate;
    return !watches || (welcome != NULL && (welcome->key_needed || welcome->token_needed));
}

bool page_identify(void *context, const apex_client_sign_for *what, apex_identity *out) {
    const page_instance *page = context;
    if (!is_wanted(page)) {
        return false;
    }
    out->has_key = page_prove(what->server_key, what->challenge, out->key, out->signature) != 0;
    out->token_length = page_token(out->token);
    APEX_ASSERT(out->token_length <= sizeof out->token);
    return out->has_key || out->token_length > 0;
}
