/// The parts of a server and the stages over its frame, for those who make ticks of them: the tick
/// of a race that is driven, and playback, whose tick is a second list over the same frame.
#pragma once

#include "host/figures/statistics.h"
#include "host/host_private.h"
#include "host/ingest/collect_controls.h"
#include "host/ingest/ingest.h"
#include "host/news/kept_results.h"
#include "host/news/news_capture.h"
#include "host/news/race_log.h"
#include "host/news/store_events.h"
#include "host/news/tell.h"
#include "host/seats/demote.h"
#include "host/seats/resume.h"
#include "host/simulation/record.h"
#include "host/views/view_capture.h"
#include "host/views/view_snapshots.h"
#include "host/views/view_telemetry.h"
