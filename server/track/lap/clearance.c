// The distance from a point to the road, measured across every stretch that may be near.
#include "track/lap/clearance.h"

#include <math.h>

// Distance outside the road between two stations, measured across it; false where the point is not
// beside this segment.
static bool segment_clearance(const track_station *from, const track_station *to,
                              const track_clearance_query *query, double *out_m) {
    double before =
        (query->x_m - from->x_m) * from->along_x + (query->y_m - from->y_m) * from->along_y;
    double behind = (query->x_m - to->x_m) * to->along_x + (query->y_m - to->y_m) * to->along_y;
    if (before < 0 || behind >= 0) {
        return false;
    }
    double t = before / (before - behind);
    double z_m = track_lerp(from->z_m, to->z_m, t);
    if (z_m > query->z_m + query->reach_z_m || z_m < query->z_m - query->reach_z_m) {
        return false;
    }
    double from_offset_m =
        (query->y_m - from->y_m) * from->along_x - (query->x_m - from->x_m) * from->along_y;
    double to_offset_m =
        (query->y_m - to->y_m) * to->along_x - (query->x_m - to->x_m) * to->along_y;
    double offset_m = track_lerp(from_offset_m, to_offset_m, t);
    double left_m = offset_m - track_lerp(from->left_m, to->left_m, t);
    double right_m = -offset_m - track_lerp(from->right_m, to->right_m, t);
    *out_m = track_max(left_m, right_m);
    return true;
}

double track_clearance(const apex_track *track, const track_clearance_query *query,
                       uint32_t *point) {
    double best_m = query->limit_m;
    uint32_t index = 0;
    while (index < track->segment_count) {
        const track_station *from = &track->stations[index];
        double dx_m = from->x_m - query->x_m;
        double dy_m = from->y_m - query->y_m;
        double spare_m = sqrt(dx_m * dx_m + dy_m * dy_m) - track->half_width_m_max - best_m;
        if (spare_m >= 3) {
            index += (uint32_t)track_floor(spare_m) - 1;
            continue;
        }
        const track_station *to = &track->stations[track_next_station(track, index)];
        double clearance_m;
        if (segment_clearance(from, to, query, &clearance_m) && clearance_m < best_m) {
            best_m = clearance_m;
            if (point != NULL) {
                *point = from->point;
            }
        }
        index++;
    }
    return best_m;
}
