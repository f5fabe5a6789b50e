// Each car is a box whose places, one for each frame, stand in a list.
#include "support/host/duel_film.h"

#include <math.h>
#include <stdio.h>

static const double SCALE = 14.0; // pixels in a metre
static const double PANEL = 150.0, WIDTH = 640.0, DASH_M = 6.0;

static const char *const titles[DUEL_FILM_VIEWS] = {"as the driver of the blue car sees it",
                                                    "as the driver of the red car sees it",
                                                    "as the server has it"};

// The middle of the server's two cars stays in the middle of the picture.
static double middle_m(const duel_film *film, size_t frame) {
    const duel_film_view *server = &film->frames[frame][DUEL_FILM_SERVER];
    return 0.5 * (server->cars[0].along_m + server->cars[1].along_m);
}

static double x_of(const duel_film *film, size_t frame, const duel_film_car *car) {
    return 0.5 * WIDTH + SCALE * (car->along_m - middle_m(film, frame));
}

static double y_of(int view, const duel_film_car *car) {
    return PANEL * view + 0.5 * PANEL + 8.0 - SCALE * car->aside_m;
}

static const duel_film_car *car_in(const duel_film *film, size_t frame, int view, int car) {
    const duel_film_view *seen = &film->frames[frame][view];
    return car == 2 ? &seen->past : &seen->cars[car];
}

static void write_places(FILE *out, const duel_film *film, int view, int car) {
    fprintf(out,
            "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"%.1fs\" "
            "repeatCount=\"indefinite\" calcMode=\"linear\" values=\"",
            (double)film->count / film->fps);
    for (size_t i = 0; i < film->count; i++) {
        const duel_film_car *at = car_in(film, i, view, car);
        fprintf(out, "%s%.1f %.1f", i > 0 ? ";" : "", x_of(film, i, at), y_of(view, at));
    }
    fputs("\"/>", out);
}

static void write_turns(FILE *out, const duel_film *film, int view, int car) {
    fprintf(out,
            "<animateTransform attributeName=\"transform\" type=\"rotate\" dur=\"%.1fs\" "
            "repeatCount=\"indefinite\" values=\"",
            (double)film->count / film->fps);
    for (size_t i = 0; i < film->count; i++) {
        double degrees = -car_in(film, i, view, car)->askew_rad * 180.0 / acos(-1.0);
        fprintf(out, "%s%.1f", i > 0 ? ";" : "", degrees);
    }
    fputs("\"/>", out);
}

static void write_car(FILE *out, const duel_film *film, int view, int car, const double size_m[2]) {
    static const char *const paints[] = {
        "fill=\"#2b6cb0\"", "fill=\"#c53030\"",
        "fill=\"none\" stroke=\"#888\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\""};
    double length = SCALE * size_m[0], width = SCALE * size_m[1];
    fputs("<g>", out);
    write_places(out, film, view, car);
    fprintf(out, "<g><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" %s/>",
            -0.5 * length, -0.5 * width, length, width, paints[car]);
    if (car < 2) {
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" "
                "fill=\"#fff\" fill-opacity=\"0.55\"/>",
                0.08 * length, -0.36 * width, 0.13 * length, 0.72 * width);
    }
    write_turns(out, film, view, car);
    fputs("</g></g>\n", out);
}

// The road's middle, as dashes that go by.
static void write_road(FILE *out, const duel_film *film, int view) {
    double y = PANEL * view + 0.5 * PANEL + 8.0;
    fprintf(out,
            "<rect x=\"0\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"#e8e8e4\"/>"
            "<text x=\"10\" y=\"%.0f\" font-family=\"sans-serif\" font-size=\"13\" "
            "fill=\"#333\">%s</text>\n",
            PANEL * view + 20.0, WIDTH, PANEL - 24.0, PANEL * view + 14.0, titles[view]);
    fprintf(out,
            "<line x1=\"-400\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"#fff\" "
            "stroke-width=\"2\" stroke-dasharray=\"%.0f %.0f\"><animate "
            "attributeName=\"stroke-dashoffset\" dur=\"%.1fs\" repeatCount=\"indefinite\" "
            "values=\"",
            WIDTH, y, y, SCALE * DASH_M * 0.5, SCALE * DASH_M * 0.5,
            (double)film->count / film->fps);
    for (size_t i = 0; i < film->count; i++) {
        fprintf(out, "%s%.0f", i > 0 ? ";" : "", SCALE * (middle_m(film, i) - middle_m(film, 0)));
    }
    fputs("\"/></line>\n", out);
}

bool duel_film_write(const duel_film *film, double length_m, double width_m, const char *path) {
    FILE *out = fopen(path, "w");
    const double size_m[2] = {length_m, width_m};
    if (out == NULL || film->count == 0) {
        return false;
    }
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
            "width=\"%.0f\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, PANEL * DUEL_FILM_VIEWS, WIDTH);
    for (int view = 0; view < DUEL_FILM_VIEWS; view++) {
        write_road(out, film, view);
        if (film->frames[0][view].has_past) {
            write_car(out, film, view, 2, size_m);
        }
        write_car(out, film, view, 0, size_m);
        write_car(out, film, view, 1, size_m);
    }
    fputs("</svg>\n", out);
    return fclose(out) == 0;
}
