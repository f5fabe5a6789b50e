// The race as words about it: its status, and of the order and the roster what is to be told.

#include "host/news/news_capture.h"

#include "base/assert.h"
#include "host/news/conduct_news.h"
#include "host/news/roster.h"
#include "host/news/session_news.h"
#include "host/news/standings_message.h"
#include "host/news/waiting.h"
#include "host/simulation/running_order.h"

enum { ORDERS_HZ = 4 };

void host_capture_news(host_frame *frame, host_news *news, host_clients *clients,
                       const apex_sessions *sessions, const apex_race *race) {
    APEX_ASSERT(frame->event_count == 0 || frame->events != NULL);
    frame->status = host_race_status(race, frame->setup->speed_permille);
    host_capture_roster(frame, &news->roster, clients, sessions, race);
    bool is_order_told = clients->newcomers_wait || frame->has_new_roster;
    if (is_order_told) {
        frame->order = host_running_order(race, frame->arena, &frame->order_count);
    }
    // Copying a crowd's takes longer than a tick has for it; who is told it is told twice a second.
    uint32_t period = news->order.told.count > HOST_CROWD_CLIENTS ? frame->tick_hz / ORDERS_HZ : 1;
    bool is_due = frame->has_jumped || period <= 1 || frame->round % period == 0;
    host_told_order_follow(&news->order, race, news->newest_record,
                           apex_store_committed(news->store), is_due);
    host_capture_session(frame, &news->order, race, &news->session);
    host_capture_conducts(frame, clients, race);
    host_capture_standings(frame, clients, &news->order.told);
}
