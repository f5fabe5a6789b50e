/// The roster: the whole list of players for newcomers, changes for all others.
#pragma once

#include "host/news/messages.h"
#include "host/news/news.h"

host_message host_whole_roster(const host_frame *frame, const apex_race *race);
/// His line has changed.
void host_note_in_roster(host_roster_news *news, host_clients *clients, apex_player_id player);
/// Notes this tick's changes, and sends those that are due.
void host_send_roster(host_frame *frame, host_roster_news *news, host_clients *clients,
                      apex_sessions *sessions, const apex_race *race);
