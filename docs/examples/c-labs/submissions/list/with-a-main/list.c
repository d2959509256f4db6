#include "list.h"

#include <stdio.h>
#include <stdlib.h>

struct node {
    int number;
    struct node *next;
};

struct list {
    struct node *first;
};

struct list *list_new(void) {
    struct list *list = malloc(sizeof *list);
    list->first = NULL;
    return list;
}

static void add_behind(struct node **place, int number) {
    if (*place != NULL) {
        add_behind(&(*place)->next, number);
        return;
    }
    *place = malloc(sizeof **place);
    (*place)->number = number;
    (*place)->next = NULL;
}

void list_add(struct list *list, int number) {
    add_behind(&list->first, number);
}

int list_length(const struct list *list) {
    int length = 0;
    for (struct node *node = list->first; node != NULL; node = node->next)
        length++;
    return length;
}

long list_sum(const struct list *list) {
    long sum = 0;
    for (struct node *node = list->first; node != NULL; node = node->next)
        sum += node->number;
    return sum;
}

int list_at(const struct list *list, int place) {
    struct node *node = list->first;
    while (place-- > 0)
        node = node->next;
    return node->number;
}

void list_free(struct list *list) {
    while (list->first != NULL) {
        struct node *gone = list->first;
        list->first = gone->next;
        free(gone);
    }
    free(list);
}

int main(void) {
    struct list *list = list_new();
    list_add(list, 3);
    printf("%ld\n", list_sum(list));
    list_free(list);
}
