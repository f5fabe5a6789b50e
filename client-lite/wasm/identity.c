// The driver who asks to come in. Key and lobby's token are JavaScript's, which keeps them in the
// browser's storage (DECISIONS 61).
#include "base/assert.h"
#include "client-lite/client_internal.h"
#include "client-lite/session/session.h"
#include "client-lite/wasm/page.h"

bool page_identify(void *context, const apex_client_sign_for *what, apex_identity *out) {
    const page_instance *page = context;
    // Servers ask nobody who only watches, and it is nobody's business.
    if (client_session_of(page->client)->def.spectate) {
        return false;
    }
    out->has_key = page_prove(what->server_key, what->challenge, out->key, out->signature) != 0;
    out->token_length = page_token(out->token);
    APEX_ASSERT(out->token_length <= sizeof out->token);
    return out->has_key || out->token_length > 0;
}
