// Damage in words, and a sentence for each kind of event.
#include "client-lite/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/time_text.h"
#include "client-lite/text/text_control.h"

static void look_up_name(const apex_client *client, uint32_t player,
                         char out[APEX_WIRE_NAME_BYTES]) {
    size_t count;
    const apex_roster_entry *roster = apex_client_roster(client, &count);
    for (size_t i = 0; i < count; i++) {
        if (roster[i].player == player) {
            memcpy(out, roster[i].name, APEX_WIRE_NAME_BYTES);
            return;
        }
    }
    const apex_standings *standings = apex_client_standings(client);
    for (uint32_t i = 0; standings != NULL && i < standings->line_count; i++) {
        if (standings->lines[i].player == player) {
            memcpy(out, standings->lines[i].name, APEX_WIRE_NAME_BYTES);
            return;
        }
    }
    snprintf(out, APEX_WIRE_NAME_BYTES, "player %" PRIu32, player);
}

static void put_name(const apex_client *client, const char *told, uint32_t player,
                     char out[APEX_WIRE_NAME_BYTES]) {
    if (told[0] != '\0') {
        memcpy(out, told, APEX_WIRE_NAME_BYTES);
    } else {
        look_up_name(client, player, out);
    }
}

void client_text_who(const apex_client *client, const apex_race_event_message *event,
                     char out[APEX_WIRE_NAME_BYTES]) {
    put_name(client, event->name, event->player, out);
}

void client_text_other(const apex_client *client, const apex_race_event_message *event,
                       char out[APEX_WIRE_NAME_BYTES]) {
    put_name(client, event->other_name, event->other, out);
}

static const char *const ZONES[APEX_WIRE_ZONES] = {"front", "rear", "left", "right", "roof"};

uint32_t client_text_zone_percent(const apex_wire_car *car, uint32_t zone) {
    uint32_t units = apex_car_zone(car->damage_zones, zone);
    return (100 * units + APEX_WIRE_ZONE_MAX / 2) / APEX_WIRE_ZONE_MAX;
}

const char *client_text_zone(uint32_t zone) {
    return zone < APEX_WIRE_ZONES ? ZONES[zone] : "unknown";
}

void client_text_damage(const apex_wire_car *car, char out[CLIENT_DAMAGE_BYTES]) {
    size_t length = 0;
    out[0] = '\0';
    for (uint32_t zone = 0; car != NULL && zone < APEX_WIRE_ZONES; zone++) {
        uint32_t percent = client_text_zone_percent(car, zone);
        if (percent > 0 && length < CLIENT_DAMAGE_BYTES) {
            int more = snprintf(out + length, CLIENT_DAMAGE_BYTES - length, "%s %s %" PRIu32 " %%",
                                length > 0 ? "," : "damaged", ZONES[zone], percent);
            length += more > 0 ? (size_t)more : 0;
        }
    }
}

const apex_wire_car *client_text_car(const apex_client *client, uint32_t player) {
    apex_client_view view = apex_client_newest(client);
    size_t count;
    const apex_roster_entry *roster = apex_client_roster(client, &count);
    uint32_t car = 0;
    for (size_t i = 0; i < count && car == 0; i++) {
        car = roster[i].player == player ? roster[i].car : 0;
    }
    for (size_t i = 0; i < view.car_count; i++) {
        if (view.cars[i].id == car) {
            return &view.cars[i];
        }
    }
    return NULL;
}

static void sentence_without_player(const apex_race_event_message *event,
                                    char out[CLIENT_EVENT_BYTES]) {
    if (event->kind == APEX_WIRE_EVENT_PHASE) {
        uint32_t phase =
            event->value < 0 || event->value > UINT32_MAX ? UINT32_MAX : (uint32_t)event->value;
        snprintf(out, CLIENT_EVENT_BYTES, "race %" PRIu32 ": %s", event->race_number,
                 apex_wire_phase_name(phase));
    } else if (event->value == 0) {
        snprintf(out, CLIENT_EVENT_BYTES, "lights out: go");
    } else {
        snprintf(out, CLIENT_EVENT_BYTES, "start in %" PRId64 " s", event->value);
    }
}

static bool sentence_with_time(const apex_race_event_message *event, const char *name,
                               char out[CLIENT_EVENT_BYTES]) {
    char time[APEX_TIME_TEXT_BYTES];
    apex_time_text(event->time_us, time);
    switch (event->kind) {
    case APEX_WIRE_EVENT_LAP:
        snprintf(out, CLIENT_EVENT_BYTES, "%s: lap %" PRId64 " in %s", name, event->value, time);
        return true;
    case APEX_WIRE_EVENT_BEST_LAP:
        snprintf(out, CLIENT_EVENT_BYTES, "%s: best lap of the race, %s", name, time);
        return true;
    case APEX_WIRE_EVENT_FINISHED:
        snprintf(out, CLIENT_EVENT_BYTES, "%s finishes %" PRId64 ". in %s", name, event->value,
                 time);
        return true;
    default:
        return false;
    }
}

_Static_assert((int)CLIENT_EVENT_BYTES == (int)CLIENT_CONTROL_BYTES, "a sentence is a sentence");

bool client_text_sentence(const apex_client *client, const apex_race_event_message *event,
                          char out[CLIENT_EVENT_BYTES]) {
    if (event->kind == APEX_WIRE_EVENT_PHASE || event->kind == APEX_WIRE_EVENT_LIGHTS) {
        sentence_without_player(event, out);
        return true;
    }
    char name[APEX_WIRE_NAME_BYTES];
    client_text_who(client, event, name);
    if (sentence_with_time(event, name, out)) {
        return true;
    }
    char other[APEX_WIRE_NAME_BYTES] = "a wall";
    if (event->other != 0) {
        client_text_other(client, event, other);
    }
    if (event->kind >= APEX_WIRE_EVENT_SESSION) {
        return client_text_control(client, event, name, other, out);
    }
    static const char *const SAID[] = {[APEX_WIRE_EVENT_JOINED] = "joins",
                                       [APEX_WIRE_EVENT_LEFT] = "leaves",
                                       [APEX_WIRE_EVENT_DNF] = "is out",
                                       [APEX_WIRE_EVENT_RESET] = "is put back on the track",
                                       [APEX_WIRE_EVENT_ENGINE_BLEW] = "has blown the engine",
                                       [APEX_WIRE_EVENT_OFF_TRACK] = "is off the track",
                                       [APEX_WIRE_EVENT_WRONG_WAY] = "drives the wrong way",
                                       [APEX_WIRE_EVENT_IDLE] = "did not drive, and watches now"};
    if (event->kind == APEX_WIRE_EVENT_IDLE && event->value > 0) {
        snprintf(out, CLIENT_EVENT_BYTES, "nobody drives the car of %s: %" PRId64 " s left", name,
                 event->value);
    } else if (event->kind == APEX_WIRE_EVENT_CONTACT) {
        snprintf(out, CLIENT_EVENT_BYTES, "%s hits %s", name, other);
    } else if (event->kind < sizeof SAID / sizeof SAID[0] && SAID[event->kind] != NULL) {
        snprintf(out, CLIENT_EVENT_BYTES, "%s %s", name, SAID[event->kind]);
    } else {
        return false;
    }
    return true;
}
