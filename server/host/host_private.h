/// The parts that a server is made of, and nothing else of it.
#pragma once

#include "host/clients/clients.h"
#include "host/clients/goodbye.h"
#include "host/host.h"
#include "host/ingest/idle_server.h"
#include "host/load/tick_load.h"
#include "host/network.h"
#include "host/news/news.h"
#include "host/seats/bots.h"
#include "host/server_clock.h"
#include "host/setup.h"
#include "host/simulation/simulation.h"
#include "host/tick_frame.h"
#include "host/views/views.h"

/// Each stage takes the frame and the parts that it may write; what it only reads is const.
struct apex_server {
    host_setup setup;
    host_clock clock;
    host_simulation simulation;
    host_network network;
    host_clients clients;
    host_bots bots;
    host_news news;
    host_views views;
    host_load load;
    host_idle idle;
    host_ending ending;
    apex_arena frame_arena;
    host_frame frame;
};
