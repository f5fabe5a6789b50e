/// The running order and the results as tables for terminals and logs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "client-lite/client.h"

typedef struct client_table_style {
    bool colours;
    uint32_t columns;          ///< lines are cut here; 0: not
    uint32_t lines_max;        ///< of the table's body; 0: all
    uint32_t own;              ///< player whose line stands out, 0 none
    const apex_client *client; ///< knows the cars, whose damage ends the lines of an order, and the
                               ///< session; or NULL
    const apex_client_pose *shown; ///< by id: with `client`, an order has a column of speeds
    size_t shown_count;
} client_table_style;

/// One line, cut to the columns; `colour` is an escape sequence or "".
void client_text_line(FILE *out, const char *line, const char *colour,
                      const client_table_style *style);
/// Running order. @return lines written.
uint32_t client_text_order(FILE *out, const apex_standings *standings,
                           const client_table_style *style);
void client_text_results(FILE *out, const apex_results *results, const client_table_style *style);
