/// Texts for people about a race: whom an event is about, damage, and sentences about events. They
/// are written into the caller's buffers and always end with a zero.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"

enum { CLIENT_EVENT_BYTES = 200, CLIENT_DAMAGE_BYTES = 80 };

/// Writes the names of the player that an event is about and of the other one: as it says itself,
/// since they may have left by now, or not be in the roster yet; an older server leaves that to the
/// roster, else to the order, else it is "player N".
void client_text_who(const apex_client *client, const apex_race_event_message *event,
                     char out[APEX_WIRE_NAME_BYTES]);
void client_text_other(const apex_client *client, const apex_race_event_message *event,
                       char out[APEX_WIRE_NAME_BYTES]);

const char *client_text_zone(uint32_t zone); ///< "front", by APEX_WIRE_ZONE_FRONT; "unknown" else
uint32_t client_text_zone_percent(const apex_wire_car *car, uint32_t zone);
/// A player's car as last seen, or NULL. Valid until the client's next update.
const apex_wire_car *client_text_car(const apex_client *client, uint32_t player);
/// "damaged front 40 %, left 13 %"; "" for a whole car, and NULL.
void client_text_damage(const apex_wire_car *car, char out[CLIENT_DAMAGE_BYTES]);

/// One sentence about an event. @return false if it is not worth a line (sectors, phases alike
/// are).
bool client_text_sentence(const apex_client *client, const apex_race_event_message *event,
                          char out[CLIENT_EVENT_BYTES]);
