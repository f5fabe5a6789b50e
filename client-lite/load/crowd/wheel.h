/// A timing wheel of one slot a millisecond says whose turn it is, for thousands. Setting and
/// taking cost the same however many wait.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CLIENT_WHEEL_SLOTS = 256 };
#define CLIENT_WHEEL_NONE UINT32_MAX

typedef struct client_wheel {
    uint32_t capacity;
    uint32_t *next; ///< by item: the one after it in its slot
    bool *waits;    ///< by item
    uint32_t slots[CLIENT_WHEEL_SLOTS];
    uint64_t now_ms; ///< every slot up to here has been taken
} client_wheel;

bool client_wheel_create(client_wheel *wheel, uint32_t capacity, uint64_t now_ms);
void client_wheel_destroy(client_wheel *wheel);

/// An item that waits already keeps its turn. A turn that is past comes next; one that is farther
/// off than the wheel is big comes when the wheel is round.
void client_wheel_set(client_wheel *wheel, uint32_t item, uint64_t due_ms);
/// One item whose turn has come by now; its turn is then over. Earliest millisecond first.
/// @return CLIENT_WHEEL_NONE when there is none left.
uint32_t client_wheel_take(client_wheel *wheel, uint64_t now_ms);
