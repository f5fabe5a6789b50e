// The certificate's life: read at the start, read anew when it was renewed, missed in time.
#include "web/tls/service.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "web/tls/relays.h"
#include "web/web_state.h"

enum {
    DAY_S = 86400,
    WATCH_S = 60,
    WARN_DAYS = 14,
    ADDRESS_PER_S_MAX = 20, ///< handshakes, with a burst of five seconds
    RELAYS_A_CONNECTION = 2 ///< at most: their last bytes outlive it by seconds
};

static bool keep_path(char out[APEX_WEB_PATH_BYTES], const char *path) {
    int length = snprintf(out, APEX_WEB_PATH_BYTES, "%s", path != NULL ? path : "");
    return length >= 0 && length < APEX_WEB_PATH_BYTES;
}

static int64_t days_left(const web_tls *tls) {
    int64_t left_s = tls->certificate.ends_unix_s - tls->now_unix_s;
    return left_s > 0 ? left_s / DAY_S : -1;
}

// Of one that lives for a week two weeks would say nothing.
static int64_t warning_days(const web_certificate *certificate) {
    int64_t third = (certificate->ends_unix_s - certificate->begins_unix_s) / DAY_S / 3;
    return third < WARN_DAYS ? third : WARN_DAYS;
}

// Once a day.
static void warn_of_end(web_tls *tls) {
    int64_t days = days_left(tls);
    if (days > warning_days(&tls->certificate) || days == tls->warned_days) {
        return;
    }
    tls->warned_days = days;
    if (days < 0) {
        apex_log(APEX_LOG_ERROR, "web", "the certificate %s has expired: browsers refuse the page",
                 tls->certificate_path);
    } else {
        apex_log(APEX_LOG_WARN, "web",
                 "the certificate %s expires in %lld days: renew it; the new one is taken as soon "
                 "as it is there",
                 tls->certificate_path, (long long)days);
    }
}

static apex_err read_pair(web_tls *tls, char why[APEX_WEB_WHY_BYTES]) {
    web_certificate fresh;
    tls->seen[0] = web_stamp_of(tls->certificate_path);
    tls->seen[1] = web_stamp_of(tls->key_path);
    apex_err err =
        web_certificate_load(tls->certificate_path, tls->key_path, tls->now_unix_s, &fresh, why);
    if (err != APEX_OK) {
        return err;
    }
    web_certificate_free(&tls->certificate); // connections have it for as long as they live
    tls->certificate = fresh;
    tls->warned_days = INT64_MAX;
    apex_log(APEX_LOG_INFO, "web", "TLS by %s, good for %lld days", tls->certificate_path,
             (long long)days_left(tls));
    if (fresh.is_key_exposed) {
        apex_log(APEX_LOG_WARN, "web",
                 "everybody on this machine may read the key %s: chmod o-r it", tls->key_path);
    }
    warn_of_end(tls);
    return APEX_OK;
}

apex_err web_tls_create(apex_web *web, web_tls_open_fn *on_open, char why[APEX_WEB_WHY_BYTES]) {
    web_tls *tls = &web->tls;
    if (!keep_path(tls->certificate_path, web->def.certificate) ||
        !keep_path(tls->key_path, web->def.key)) {
        snprintf(why, APEX_WEB_WHY_BYTES, "the path of the certificate or of its key is too long");
        return APEX_ERR_INVALID;
    }
    web->def.certificate = web->def.key = NULL; // have been kept
    bool has_certificate = tls->certificate_path[0] != '\0', has_key = tls->key_path[0] != '\0';
    if (has_certificate != has_key) {
        snprintf(why, APEX_WEB_WHY_BYTES, "web.%s: is missing: TLS needs a certificate and its key",
                 has_key ? "certificate" : "key");
        return APEX_ERR_INVALID;
    }
    if (!has_certificate) {
        return APEX_OK;
    }
    if (web_gate_create(&tls->gate, RELAYS_A_CONNECTION * web->def.connections_max) != APEX_OK) {
        snprintf(why, APEX_WEB_WHY_BYTES, "out of memory");
        return APEX_ERR_NO_MEMORY;
    }
    tls->gate.open_max = RELAYS_A_CONNECTION * web->def.connections_per_address_max;
    tls->gate.asks_per_s_max = ADDRESS_PER_S_MAX;
    tls->on_open = on_open;
    tls->now_unix_s = tls->watched_unix_s = web->def.now_unix_s;
    tls->is_on = true;
    return read_pair(tls, why);
}

void web_tls_stop(apex_web *web) {
    while (web->tls.first != NULL) {
        web_relay_close(web->tls.first);
    }
}

void web_tls_free(web_tls *tls) {
    web_certificate_free(&tls->certificate);
    web_gate_destroy(&tls->gate);
}

bool web_tls_admit(apex_web *web, const web_address *address) {
    web_tls *tls = &web->tls;
    if (tls->count >= RELAYS_A_CONNECTION * web->def.connections_max) {
        return false;
    }
    return web_proxies_have(&web->proxies, address) ? web_gate_enter_proxy(&tls->gate, address)
                                                    : web_gate_count(&tls->gate, address);
}

void web_tls_deadlines(apex_web *web) {
    for (web_relay *relay = web->tls.first; relay != NULL;) {
        web_relay *next = relay->next;
        web_relay_check_deadline(relay);
        relay = next;
    }
}

bool apex_web_reload_certificate(apex_web *web, char why[APEX_WEB_WHY_BYTES]) {
    if (!web->tls.is_on) {
        snprintf(why, APEX_WEB_WHY_BYTES, "the page has no certificate: TLS is not spoken here");
        return false;
    }
    bool is_read = read_pair(&web->tls, why) == APEX_OK;
    if (!is_read) {
        apex_log(APEX_LOG_WARN, "web", "the old certificate stays in service: %s", why);
    }
    return is_read;
}

void apex_web_watch_certificate(apex_web *web, int64_t now_unix_s) {
    web_tls *tls = &web->tls;
    tls->now_unix_s = now_unix_s;
    if (!tls->is_on || now_unix_s - tls->watched_unix_s < WATCH_S) {
        return;
    }
    tls->watched_unix_s = now_unix_s;
    web_stamp certificate = web_stamp_of(tls->certificate_path);
    web_stamp key = web_stamp_of(tls->key_path);
    if (!web_stamp_is(&certificate, &tls->seen[0]) || !web_stamp_is(&key, &tls->seen[1])) {
        char why[APEX_WEB_WHY_BYTES];
        (void)apex_web_reload_certificate(web, why);
    }
    warn_of_end(tls);
}

bool apex_web_certificate(const apex_web *web, apex_web_certificate_figures *out) {
    const web_tls *tls = &web->tls;
    *out = (apex_web_certificate_figures){.ends_unix_s = tls->certificate.ends_unix_s,
                                          .days_left = days_left(tls)};
    return tls->is_on;
}
