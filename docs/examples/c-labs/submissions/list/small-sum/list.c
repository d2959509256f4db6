#include "list.h"

#include <stdlib.h>

struct list {
    int *numbers;
    int length, room;
};

struct list *list_new(void) {
    return calloc(1, sizeof(struct list));
}

void list_add(struct list *list, int number) {
    if (list->length == list->room) {
        list->room = 2 * list->room + 1;
        list->numbers = realloc(list->numbers, list->room * sizeof *list->numbers);
    }
    list->numbers[list->length++] = number;
}

int list_length(const struct list *list) {
    return list->length;
}

long list_sum(const struct list *list) {
    int sum = 0;
    for (int place = 0; place < list->length; place++)
        sum += list->numbers[place];
    return sum;
}

int list_at(const struct list *list, int place) {
    return list->numbers[place];
}

void list_free(struct list *list) {
    free(list->numbers);
    free(list);
}
