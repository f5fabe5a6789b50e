// All is read before anything is changed: half of new rules would let in, or shut out, people whom
// neither the old nor the new ones mean.
#include "program/reload.h"

#include <stdlib.h>

#include "base/log.h"

static bool has_entry_files(const apex_race_file *file, const server_options *options) {
    bool has_password_file = file->password_file[0] != '\0' || options->password_file != NULL;
    bool has_lobbies = file->lobby_key_count > 0 && options->lobby_key_count == 0;
    return file->drivers[0] != '\0' || has_password_file || has_lobbies;
}

static apex_err admit(apex_server *server, const given_race *given) {
    const apex_race_file *file = &given->file;
    apex_err err = apex_server_admit(server, file, given->drivers, given->driver_count);
    if (err == APEX_OK && given->drivers != NULL) {
        apex_log(APEX_LOG_INFO, "main", "%s: %u drivers may drive, nobody else%s", file->drivers,
                 given->driver_count, given->driver_count == 0 ? ": the list is empty" : "");
    }
    return err;
}

bool server_reload_add(server_reload *reload, apex_server *server, const given_race *given,
                       char why[APEX_HOST_WHY_BYTES]) {
    apex_err err = admit(server, given);
    if (err != APEX_OK) {
        snprintf(why, APEX_HOST_WHY_BYTES, "who may drive: %s", apex_err_text(err));
        return false;
    }
    reload->servers[reload->count++] = server;
    reload->has_entry_files |= has_entry_files(&given->file, reload->options);
    return true;
}

// @return how many were read; less than there are: why the next one was not.
static uint32_t read_races(const server_reload *reload, given_race *races,
                           char why[APEX_HOST_WHY_BYTES]) {
    uint32_t read = 0;
    while (read < reload->count && given_race_read(reload->options, read, &races[read], why)) {
        read++;
    }
    return read;
}

// The certificate is read last: it is in service at once.
static bool put_in_force(const server_reload *reload, const given_race *races,
                         char why[APEX_HOST_WHY_BYTES]) {
    char problem[APEX_WEB_WHY_BYTES];
    if (apex_site_is_tls(reload->site) && !apex_site_reload_certificate(reload->site, problem)) {
        snprintf(why, APEX_HOST_WHY_BYTES, "%s", problem);
        return false;
    }
    for (uint32_t i = 0; i < reload->count; i++) {
        apex_err err = admit(reload->servers[i], &races[i]);
        if (err != APEX_OK) {
            snprintf(why, APEX_HOST_WHY_BYTES, "who may drive: %s", apex_err_text(err));
            return false;
        }
    }
    return true;
}

static bool has_something(const server_reload *reload) {
    return reload->options->config_count > 0 || server_reload_has_files(reload);
}

static bool read_all(const server_reload *reload, char why[APEX_HOST_WHY_BYTES]) {
    if (!has_something(reload)) {
        snprintf(why, APEX_HOST_WHY_BYTES,
                 "there is no race file, list of drivers, password file or certificate");
        return false;
    }
    given_race *races = calloc(reload->count, sizeof *races);
    if (races == NULL) {
        snprintf(why, APEX_HOST_WHY_BYTES, "out of memory");
        return false;
    }
    uint32_t read = read_races(reload, races, why);
    bool is_done = read == reload->count && put_in_force(reload, races, why);
    for (uint32_t i = 0; i < reload->count; i++) {
        given_race_free(&races[i]);
    }
    free(races);
    return is_done;
}

bool server_reload_all(void *context, char said[APEX_WEB_WHY_BYTES]) {
    const server_reload *reload = context;
    char why[APEX_HOST_WHY_BYTES] = "";
    if (!read_all(reload, why)) {
        apex_log(APEX_LOG_ERROR, "main", "nothing was read anew: %s", why);
        snprintf(said, APEX_WEB_WHY_BYTES, "nothing was read anew: %.220s", why);
        return false;
    }
    snprintf(said, APEX_WEB_WHY_BYTES, "who may come was read anew%s",
             apex_site_is_tls(reload->site) ? ", and the certificate" : "");
    apex_log(APEX_LOG_INFO, "main", "%s", said);
    return true;
}

bool server_reload_has_files(const server_reload *reload) {
    return reload->has_entry_files || apex_site_is_tls(reload->site);
}
