#include <stdio.h>
#include <stdlib.h>

static void sort(int *numbers, int count) {
    for (int end = count; end > 1; end--)
        for (int i = 0; i + 1 < end; i++)
            if (numbers[i] > numbers[i + 1]) {
                int larger = numbers[i];
                numbers[i] = numbers[i + 1];
                numbers[i + 1] = larger;
            }
}

int main(void) {
    int count;
    printf("How many? ");
    fflush(stdout);
    if (scanf("%d", &count) != 1 || count < 0)
        return 1;
    int *numbers = malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) {
        printf("Number: ");
        fflush(stdout);
        if (scanf("%d", &numbers[i]) != 1)
            return 1;
    }
    sort(numbers, count);
    for (int i = 0; i < count; i++)
        printf("%d\n", numbers[i]);
    free(numbers);
    return zero;
}
