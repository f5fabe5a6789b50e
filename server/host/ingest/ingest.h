/// Mail from clients becomes controls in their buffers, commands to the race and wishes.
#pragma once

#include "host/news/news.h"
#include "host/seats/bots.h"
#include "host/tick_frame.h"

/// Carries out the orders that operators gave between ticks; only within a tick can anything be
/// sent.
void host_carry_out_orders(const host_frame *frame, host_clients *clients, host_news *news,
                           apex_sessions *sessions, host_simulation *simulation);
void host_ingest(host_frame *frame, host_clients *clients, apex_sessions *sessions,
                 host_simulation *simulation, host_bots *bots);
