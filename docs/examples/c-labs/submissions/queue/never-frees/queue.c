#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[20];
    struct person *next;
};

static struct person *first = NULL, *last = NULL;

static void enter(const char *name) {
    struct person *newest = malloc(sizeof *newest);
    strcpy(newest->name, name);
    newest->next = NULL;
    if (last != NULL)
        last->next = newest;
    else
        first = newest;
    last = newest;
}

static void leave(void) {
    struct person *gone = first;
    first = gone->next;
    if (first == NULL)
        last = NULL;
}

int main(void) {
    char word[20], name[20];
    for (;;) {
        printf("> ");
        fflush(stdout);
        if (scanf("%19s", word) != 1 || strcmp(word, "end") == 0)
            break;
        if (strcmp(word, "in") == 0 && scanf("%19s", name) == 1)
            enter(name);
        else if (first != NULL) {
            printf("%s\n", first->name);
            leave();
        }
    }
    while (first != NULL)
        leave();
    return 0;
}
