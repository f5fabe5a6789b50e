/// The roster: the whole list of players for newcomers, changes for all others.
#pragma once

#include "host/news/messages.h"
#include "host/news/news.h"

/// None if the order was not captured.
host_message host_whole_roster(const host_frame *frame);
/// His line has changed.
void host_note_in_roster(host_roster_news *news, host_clients *clients, apex_player_id player);
/// Notes this tick's changes, and takes those that are due.
void host_capture_roster(host_frame *frame, host_roster_news *news, host_clients *clients,
                         const apex_sessions *sessions, const apex_race *race);
void host_send_roster(const host_frame *frame, host_clients *clients, apex_sessions *sessions);
