// The presets of a race file, as numbers of cars and bytes in a snapshot, and the bandwidth that it
// gives all of them.

#include "host/views/view_limits.h"

apex_view_limits host_view_limits(apex_snapshot_preset preset) {
    switch (preset) {
    case APEX_SNAPSHOTS_LAN:
        return apex_view_limits_lan();
    case APEX_SNAPSHOTS_INTERNET:
        return apex_view_limits_internet();
    case APEX_SNAPSHOTS_CROWD:
        break;
    }
    return apex_view_limits_crowd();
}

uint32_t host_share_of_bandwidth(const host_frame *frame) {
    double bytes_per_s = frame->setup->file.snapshot_mbit_per_s_max * 1e6 / 8.0;
    // Those told of the nearest alone take of what they were given before.
    double viewers = (double)(frame->outbox_count - frame->nearest_count);
    double viewers_per_s = viewers * (double)frame->tick_hz;
    if (bytes_per_s <= 0.0 || viewers_per_s <= 0.0) {
        return UINT32_MAX;
    }
    double share = bytes_per_s / viewers_per_s - APEX_SNAPSHOT_HEADERS_BYTES;
    return share < 0.0 ? 0 : (share < (double)UINT32_MAX ? (uint32_t)share : UINT32_MAX);
}
