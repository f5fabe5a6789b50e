/// The limits that a preset of a race file sets each viewer.
#pragma once

#include "content/content.h"
#include "host/tick_frame.h"
#include "replicate/replicate.h"

apex_view_limits host_view_limits(apex_snapshot_preset preset);
/// The part of the server's bandwidth that each viewer of this tick's outbox may take, in bytes of
/// a snapshot.
uint32_t host_share_of_bandwidth(const host_frame *frame);
