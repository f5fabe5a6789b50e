/// The races of a process as its service manager sees them: ready, under way, alive, stopping. Only
/// a look at whether each race goes on gives the manager's watchdog its due (DECISIONS 54).
#pragma once

#include "program/notify.h"
#include "program/ticker.h"

typedef struct server_service server_service;

/// Before there is a second thread. @return NULL if no manager listens, which all functions take.
server_service *server_service_create(void);
void server_service_destroy(server_service *service); ///< once its handle is closed
/// Says that the races are ready, and looks at them from now on. Tickers and servers are borrowed,
/// until server_service_stop.
void server_service_start(server_service *service, uv_loop_t *uv, race_ticker *const tickers[],
                          apex_server *const servers[], uint32_t count);
/// The races are being ended.
void server_service_ending(server_service *service);
/// No further look.
void server_service_stop(server_service *service);
