/// The classes of an event and the list of its entries, which name cars and classes of their file.
#include "content/race_file/entry_keys.h"

#include <string.h>

#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "race/weekend_def_ranges.h"

const content_race_class content_first_class;
const content_race_entry content_first_entry;

static bool read_cars(content_reader *reader, const yaml_node_t *node, void *base);

static const content_field class_fields[] = {
    {FIELD(content_race_class, "name", CONTENT_TEXT, def.name, "what people read"),
     .bytes = APEX_NAME_BYTES, .required = true},
    {.key = "cars",
     .type = CONTENT_CUSTOM,
     .read = read_cars,
     .help = "of this file's cars, those that belong to it"},
};
const content_table content_class_table = CONTENT_TABLE(class_fields);

#define ENTRY_TEXT(member, text)                                            \
    {                                                                       \
        FIELD(content_race_entry, #member, CONTENT_TEXT, def.member, text), \
            .bytes = sizeof(((apex_race_entry_def *)0)->member)             \
    }
#define ENTRY_NUMBER(member, kind, text)                            \
    {                                                               \
        FIELD(content_race_entry, #member, kind, def.member, text), \
            RANGE(APEX_RANGE(apex_race_entry_def, member))          \
    }

static const content_field entry_fields[] = {
    ENTRY_TEXT(name, "of the driver"),
    ENTRY_TEXT(key, "fingerprint of his key; empty: whoever comes by that name"),
    ENTRY_NUMBER(number, CONTENT_COUNT, "of the car; 0: none"),
    ENTRY_TEXT(team, "its cars may share a box; empty: none"),
    {FIELD(content_race_entry, "car", CONTENT_TEXT, car, "one of this file's; empty: his choice"),
     .bytes = APEX_CONTENT_PATH_BYTES},
    {FIELD(content_race_entry, "class", CONTENT_TEXT, class_name, "empty: that of his car"),
     .bytes = APEX_NAME_BYTES},
    ENTRY_NUMBER(ballast_kg, CONTENT_REAL, "added to the car"),
    ENTRY_NUMBER(restrictor, CONTENT_REAL, "share of the engine's power that is taken"),
    ENTRY_NUMBER(grid, CONTENT_COUNT, "place of a grid by: entry; 0: none"),
};
const content_table content_entry_table = CONTENT_TABLE(entry_fields);

static bool find_car(content_reader *reader, const yaml_node_t *node, const apex_race_file *file,
                     const char *name, uint32_t *car) {
    for (*car = 0; *car < file->car_count; (*car)++) {
        if (strcmp(file->cars[*car], name) == 0) {
            return true;
        }
    }
    return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                        "'%.64s' is none of this file's cars", name);
}

static bool read_car_of_class(content_reader *reader, const yaml_node_t *item, size_t index,
                              void *base) {
    (void)index;
    content_race_class *one = base;
    char name[APEX_CONTENT_PATH_BYTES];
    uint32_t car = 0;
    if (!content_read_text(reader, item, name, sizeof name) ||
        !find_car(reader, item, one->file, name, &car)) {
        return false;
    }
    one->def.cars |= 1u << car;
    return true;
}

static bool read_cars(content_reader *reader, const yaml_node_t *node, void *base) {
    return content_need_list(reader, node, 0, APEX_RACE_CAR_DEFS_MAX) &&
           content_read_items(reader, node, read_car_of_class, base);
}

static bool read_class(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    apex_race_file *file = base;
    content_race_class one = {.file = file};
    bool good = item->type == YAML_SCALAR_NODE
                    ? content_read_text(reader, item, one.def.name, sizeof one.def.name)
                    : content_read_map(reader, item, &content_class_table, &one);
    file->race.weekend.entries.classes[index] = one.def;
    return good;
}

bool content_read_classes(content_reader *reader, const yaml_node_t *node, void *base) {
    apex_race_file *file = base;
    if (!content_need_list(reader, node, 0, APEX_CLASSES_MAX)) {
        return false;
    }
    file->race.weekend.entries.class_count = (uint32_t)content_list_count(node);
    return content_read_items(reader, node, read_class, file);
}

static bool find_class(content_reader *reader, const yaml_node_t *item, const apex_race_file *file,
                       content_race_entry *entry) {
    const apex_entry_list_def *entries = &file->race.weekend.entries;
    for (uint32_t i = 0; i < entries->class_count; i++) {
        if (strcmp(entries->classes[i].name, entry->class_name) == 0) {
            entry->def.class1 = i + 1;
            return true;
        }
    }
    size_t path = content_push_key(reader, "class");
    content_fail(reader, content_find(reader, item, "class")->start_mark, APEX_ERR_PARSE,
                 "'%s' is none of this file's classes", entry->class_name);
    content_pop(reader, path);
    return false;
}

static bool take_car(content_reader *reader, const yaml_node_t *item, const apex_race_file *file,
                     content_race_entry *entry) {
    uint32_t car = 0;
    size_t path = content_push_key(reader, "car");
    bool good = find_car(reader, content_find(reader, item, "car"), file, entry->car, &car);
    content_pop(reader, path);
    entry->def.car1 = car + 1;
    return good;
}

static bool read_entry(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    apex_race_file *file = base;
    content_race_entry entry = content_first_entry;
    if (!content_read_map(reader, item, &content_entry_table, &entry)) {
        return false;
    }
    bool good = entry.car[0] == '\0' || take_car(reader, item, file, &entry);
    good &= entry.class_name[0] == '\0' || find_class(reader, item, file, &entry);
    file->race.weekend.entries.all[index] = entry.def;
    return good;
}

bool content_read_entries(content_reader *reader, const yaml_node_t *node, void *base) {
    apex_race_file *file = base;
    if (!content_need_list(reader, node, 0, APEX_ENTRIES_MAX)) {
        return false;
    }
    file->race.weekend.entries.count = (uint32_t)content_list_count(node);
    return content_read_items(reader, node, read_entry, file);
}
