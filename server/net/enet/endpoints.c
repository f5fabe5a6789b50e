// Two hash tables with chains, over arrays that are as long as there can be links.
#include "net/enet/endpoints.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

static uint32_t power_of_two_from(uint32_t count) {
    uint32_t power = 1;
    while (power < count) {
        power *= 2;
    }
    return power;
}

apex_err net_endpoints_create(net_endpoints *table, uint32_t links_max) {
    uint32_t heads = power_of_two_from(links_max);
    *table = (net_endpoints){.capacity = links_max, .mask = heads - 1};
    table->endpoints = calloc(links_max, sizeof table->endpoints[0]);
    table->households = calloc(links_max, sizeof table->households[0]);
    table->endpoint_heads = calloc(heads, sizeof table->endpoint_heads[0]);
    table->household_heads = calloc(heads, sizeof table->household_heads[0]);
    if (table->endpoints == NULL || table->households == NULL || table->endpoint_heads == NULL ||
        table->household_heads == NULL) {
        net_endpoints_destroy(table);
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t i = links_max; i > 0; i--) {
        table->endpoints[i - 1].next = table->free_endpoint;
        table->households[i - 1].next = table->free_household;
        table->free_endpoint = i;
        table->free_household = i;
    }
    randombytes_buf(table->key, sizeof table->key);
    return APEX_OK;
}

void net_endpoints_destroy(net_endpoints *table) {
    free(table->endpoints);
    free(table->households);
    free(table->endpoint_heads);
    free(table->household_heads);
    *table = (net_endpoints){.capacity = 0};
}

static uint32_t hash_of(const net_endpoints *table, const void *bytes, size_t length) {
    uint8_t hash[crypto_shorthash_BYTES];
    uint32_t word = 0;
    crypto_shorthash(hash, bytes, length, table->key);
    memcpy(&word, hash, sizeof word);
    return word & table->mask;
}

static uint32_t *endpoint_head(const net_endpoints *table, const apex_udp_address *address) {
    uint8_t said[sizeof address->ip + sizeof address->port + sizeof address->interface];
    memcpy(said, address->ip, sizeof address->ip);
    memcpy(said + sizeof address->ip, &address->port, sizeof address->port);
    memcpy(said + sizeof address->ip + sizeof address->port, &address->interface,
           sizeof address->interface);
    return &table->endpoint_heads[hash_of(table, said, sizeof said)];
}

static uint32_t *household_head(const net_endpoints *table, const apex_udp_network *network) {
    return &table->household_heads[hash_of(table, network->ip, sizeof network->ip)];
}

uint32_t net_endpoints_find(const net_endpoints *table, const apex_udp_address *address) {
    uint32_t index = *endpoint_head(table, address);
    while (index != 0 && !apex_udp_is_same(&table->endpoints[index - 1].address, address)) {
        index = table->endpoints[index - 1].next;
    }
    return index;
}

static uint32_t find_household(const net_endpoints *table, const apex_udp_network *network) {
    uint32_t index = *household_head(table, network);
    while (index != 0 &&
           memcmp(&table->households[index - 1].network, network, sizeof *network) != 0) {
        index = table->households[index - 1].next;
    }
    return index;
}

uint32_t net_endpoints_of_household(const net_endpoints *table, const apex_udp_address *address) {
    apex_udp_network network = apex_udp_subscriber_of(address);
    uint32_t index = find_household(table, &network);
    return index != 0 ? table->households[index - 1].links : 0;
}

static uint32_t join_household(net_endpoints *table, const apex_udp_address *address) {
    apex_udp_network network = apex_udp_subscriber_of(address);
    uint32_t index = find_household(table, &network);
    if (index == 0) {
        index = table->free_household;
        APEX_ASSERT(index != 0);
        net_household *household = &table->households[index - 1];
        uint32_t *head = household_head(table, &network);
        table->free_household = household->next;
        *household = (net_household){.network = network, .next = *head};
        *head = index;
    }
    table->households[index - 1].links++;
    return index;
}

uint32_t net_endpoints_add(net_endpoints *table, const apex_udp_address *address) {
    uint32_t index = net_endpoints_find(table, address);
    if (index == 0) {
        index = table->free_endpoint;
        APEX_ASSERT(index != 0);
        net_endpoint *endpoint = &table->endpoints[index - 1];
        uint32_t *head = endpoint_head(table, address);
        table->free_endpoint = endpoint->next;
        *endpoint = (net_endpoint){.address = *address, .next = *head};
        *head = index;
    }
    net_endpoint *endpoint = &table->endpoints[index - 1];
    endpoint->links++;
    endpoint->household = join_household(table, address);
    return index;
}

static void leave_household(net_endpoints *table, uint32_t index) {
    net_household *household = &table->households[index - 1];
    if (--household->links > 0) {
        return;
    }
    uint32_t *at = household_head(table, &household->network);
    while (*at != index) {
        at = &table->households[*at - 1].next;
    }
    *at = household->next;
    household->next = table->free_household;
    table->free_household = index;
}

void net_endpoints_remove(net_endpoints *table, uint32_t index) {
    APEX_ASSERT(index >= 1 && index <= table->capacity);
    net_endpoint *endpoint = &table->endpoints[index - 1];
    APEX_ASSERT(endpoint->links > 0);
    leave_household(table, endpoint->household);
    if (--endpoint->links > 0) {
        return;
    }
    uint32_t *at = endpoint_head(table, &endpoint->address);
    while (*at != index) {
        at = &table->endpoints[*at - 1].next;
    }
    *at = endpoint->next;
    endpoint->next = table->free_endpoint;
    table->free_endpoint = index;
}
