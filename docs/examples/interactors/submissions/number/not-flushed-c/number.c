#include <stdio.h>
#include <string.h>

int main(void)
{
    int low = 1, high = 1000;
    char answer[20] = "";
    while (strcmp(answer, "correct") != 0) {
        int guess = (low + high) / 2;
        printf("%d\n", guess);
        if (scanf("%19s", answer) != 1)
            return 1;
        if (strcmp(answer, "lower") == 0)
            high = guess - 1;
        else
            low = guess + 1;
    }
    return 0;
}
