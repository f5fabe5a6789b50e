// The presets of a race file, as numbers of cars and bytes in a snapshot.

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
