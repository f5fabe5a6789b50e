// A car of which little is heard is carried on along the road (DECISIONS 38). For a quarter of a
// second it does what it was told to do; then it keeps its lane, and its speed changes as that of
// others did there: the mean of what is heard at each 8 m of the lap is all there is to it, and it
// knows every braking point after a lap. Words far apart are joined along the road as well. What a
// new word corrects is taken back within half a second or so, never faster than at 0.7 of the car's
// speed. Nobody is carried on for longer than others are heard of: when the line is silent, all
// stop after a quarter of a second.
//
// unit.replicate_spectator, cars on Ridgeway at 0.8 to 1 of its pace: of 1,000 cars half of the
// poses are within 7 cm of the truth of the moment shown, 99 of 100 within 0.5 m, and no frame has
// a jump of a centimetre; of 4,000 it is 1.7 m and 8.5 m, and no frame moves a car by more than 0.3
// m beyond what its speed explains. Without a road it is 5.7 m and 19 m. A frame of 1,000 takes 0.4
// ms, of 4,000 two.
//
// Rejected: to show far cars later by as much as a round takes. All would be exact, but three
// seconds old beside near cars that are a tenth of a second old, and a car that comes near would
// have to run after its own time. Acceleration is not in the list: of a car that brakes it says for
// how long less well than others who braked there.
#include "client-lite/view/road.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"

// The usual speed of cars is known for pieces of the lap.
enum { PIECES_MAX = 2048 };
static const double PIECE_M = 8.0;
// Of a newer speed, at least so much.
static const double GAIN = 0.1;
// A car that nearly stands says nothing of how fast one goes there.
static const double MOVING_MPS = 3.0;
static const double SPEED_MPS_MAX = 110.0;
// The distance from the road's edge within which a car still goes along it.
static const double BESIDE_M = 6.0;
// A place beside a car is no further along than this.
static const double ABREAST_M = 1.0;
// The angle by which it may be turned from it.
static const double ALONG_COS_MIN = 0.5;

typedef struct piece {
    float usual_mps; ///< of those who came through; 0: nobody has
    uint32_t count;
} piece;

struct client_road {
    const apex_track *track;
    double length_m, piece_m;
    bool is_closed;
    uint32_t piece_count;
    piece pieces[];
};

client_road *client_road_create(const apex_track *track) {
    double length_m = apex_track_has_lap(track) ? apex_track_length_m(track) : 0.0;
    if (length_m <= 0.0) {
        return NULL;
    }
    double wanted = ceil(length_m / PIECE_M);
    uint32_t count = wanted < PIECES_MAX ? (uint32_t)wanted : (uint32_t)PIECES_MAX;
    client_road *road = calloc(1, sizeof *road + count * sizeof(piece));
    if (road != NULL) {
        road->track = track;
        road->length_m = length_m;
        road->is_closed = apex_track_closed(track);
        road->piece_count = count;
        road->piece_m = length_m / count;
    }
    return road;
}

void client_road_destroy(client_road *road) {
    free(road);
}

static bool is_beside(const apex_track_place *at) {
    return at->offset_m < at->left_m + BESIDE_M && at->offset_m > -at->right_m - BESIDE_M;
}

// A car that is further along than one looks for it seems to be beside the last place looked at.
static bool is_abreast(const client_road *road, const apex_track_place *at, const double at_m[3]) {
    apex_track_frame frame = apex_track_frame_at(road->track, at->s_m);
    double sin, cos;
    apex_sincos(frame.heading_rad, &sin, &cos);
    return fabs((at_m[0] - frame.x_m) * cos + (at_m[1] - frame.y_m) * sin) < ABREAST_M;
}

// Inside a bend the way is shorter than that of the centre line.
static double ratio_of(const apex_track_frame *frame, double offset_m) {
    return fmax(1.0 - offset_m * frame->curvature_per_m, 0.2);
}

client_road_place client_road_find(const client_road *road, const apex_client_pose *pose,
                                   const client_road_place *near) {
    const double *at_m = pose->position_m, *v = pose->velocity_mps;
    apex_track_place at = {.offset_m = HUGE_VAL};
    if (near != NULL && near->is_on) {
        at = apex_track_project(road->track, at_m[0], at_m[1], near->s_m);
    }
    if (!is_beside(&at) || !is_abreast(road, &at, at_m)) {
        at = apex_track_find(road->track, at_m[0], at_m[1], at_m[2]);
    }
    apex_track_frame frame = apex_track_frame_at(road->track, at.s_m);
    double sin, cos;
    apex_sincos(frame.heading_rad, &sin, &cos);
    double askew_rad = apex_wrap_angle(pose->yaw_rad - frame.heading_rad);
    return (client_road_place){
        .is_on = is_beside(&at) && apex_cos(askew_rad) > ALONG_COS_MIN,
        .s_m = at.s_m,
        .along_mps = (cos * v[0] + sin * v[1]) / ratio_of(&frame, at.offset_m),
        .offset_m = at.offset_m,
        .rise_m = at_m[2] - frame.z_m,
        .askew_rad = askew_rad,
    };
}

void client_road_put(const client_road *road, const client_road_place *place,
                     apex_client_pose *pose) {
    apex_track_frame frame = apex_track_frame_at(road->track, place->s_m);
    double sin, cos, ratio = ratio_of(&frame, place->offset_m);
    double speed_mps = place->along_mps * ratio;
    apex_sincos(frame.heading_rad, &sin, &cos);
    pose->position_m[0] = frame.x_m - place->offset_m * sin;
    pose->position_m[1] = frame.y_m + place->offset_m * cos;
    pose->position_m[2] = frame.z_m + place->rise_m;
    pose->velocity_mps[0] = speed_mps * cos;
    pose->velocity_mps[1] = speed_mps * sin;
    pose->velocity_mps[2] = speed_mps * apex_sin(frame.slope_rad);
    pose->yaw_rad = apex_wrap_angle(frame.heading_rad + place->askew_rad);
    pose->yaw_rate_radps = place->along_mps * frame.curvature_per_m;
}

static uint32_t piece_at(const client_road *road, double s_m) {
    double at = floor(s_m / road->piece_m);
    double count = (double)road->piece_count;
    if (road->is_closed) {
        at -= count * floor(at / count);
    }
    // Written so that not-a-number is the first.
    return at > 0.0 ? (at < count ? (uint32_t)at : road->piece_count - 1) : 0;
}

void client_road_learn(client_road *road, const client_road_place *place) {
    if (!place->is_on || place->along_mps < MOVING_MPS) {
        return;
    }
    piece *at = &road->pieces[piece_at(road, place->s_m)];
    double settling = 1.0 / (double)(++at->count);
    double gain = fmax(settling, GAIN);
    at->usual_mps += (float)(gain * (place->along_mps - (double)at->usual_mps));
}

// Between the middles of two pieces; 0 where nothing is known.
static double usual_mps(const client_road *road, double s_m) {
    double at = s_m / road->piece_m - 0.5, share = at - floor(at);
    const piece *from = &road->pieces[piece_at(road, s_m - 0.5 * road->piece_m)];
    const piece *to = &road->pieces[piece_at(road, s_m + 0.5 * road->piece_m)];
    if (from->count == 0 || to->count == 0) {
        return 0.0;
    }
    return (double)from->usual_mps + share * (double)(to->usual_mps - from->usual_mps);
}

client_road_place client_road_ahead(const client_road *road, const client_road_place *from,
                                    double ahead_s) {
    const double STEP_S = 0.1;
    client_road_place place = *from;
    double before_mps = from->along_mps > MOVING_MPS ? usual_mps(road, from->s_m) : 0.0;
    double left_s = ahead_s;
    while (left_s > 0.0) {
        place.s_m += place.along_mps * fmin(left_s, STEP_S);
        left_s -= STEP_S;
        double after_mps = before_mps > 0.0 ? usual_mps(road, place.s_m) : 0.0;
        if (after_mps > 0.0) {
            double faster_mps = place.along_mps * (after_mps / before_mps);
            place.along_mps = fmin(faster_mps, SPEED_MPS_MAX);
            before_mps = after_mps;
        }
    }
    return place;
}

bool client_road_way_m(const client_road *road, const client_road_place *from,
                       const client_road_place *to, double span_s, double *way_m) {
    const double SLACK_M = 15.0, FASTER = 1.4;
    double faster_mps = fmax(fabs(from->along_mps), fabs(to->along_mps));
    double likely_m = 0.5 * (from->along_mps + to->along_mps) * span_s;
    double gap_m = apex_track_gap_m(road->track, from->s_m, to->s_m);
    if (road->is_closed) {
        gap_m += road->length_m * nearbyint((likely_m - gap_m) / road->length_m);
    }
    *way_m = gap_m;
    return gap_m > -SLACK_M && gap_m < FASTER * faster_mps * span_s + SLACK_M;
}

typedef struct curve_point {
    double m, mps;
} curve_point;

// Hermite's cubic, with rates at which it does not turn back between its ends.
static curve_point curve(double from_mps, double to_mps, double way_m, double s, double span_s) {
    double most = 3.0 * fabs(way_m);
    double lean_from = fmin(fmax(from_mps * span_s, -most), most);
    double lean_to = fmin(fmax(to_mps * span_s, -most), most);
    double slope = (6.0 * s - 6.0 * s * s) * way_m + (3.0 * s * s - 4.0 * s + 1.0) * lean_from +
                   (3.0 * s * s - 2.0 * s) * lean_to;
    return (curve_point){.m = s * s * (3.0 - 2.0 * s) * way_m +
                              s * (1.0 - s) * (1.0 - s) * lean_from - s * s * (1.0 - s) * lean_to,
                         .mps = slope / span_s};
}

client_road_place client_road_between(const client_road_place *from, const client_road_place *to,
                                      double way_m, double share, double span_s) {
    client_road_place place = {.is_on = true};
    double smooth = share * share * (3.0 - 2.0 * share);
    curve_point at = curve(from->along_mps, to->along_mps, way_m, share, span_s);
    place.s_m = from->s_m + at.m;
    place.along_mps = at.mps;
    place.offset_m = from->offset_m + smooth * (to->offset_m - from->offset_m);
    place.rise_m = from->rise_m + smooth * (to->rise_m - from->rise_m);
    double turn_rad = apex_wrap_angle(to->askew_rad - from->askew_rad);
    place.askew_rad = from->askew_rad + smooth * turn_rad;
    return place;
}
