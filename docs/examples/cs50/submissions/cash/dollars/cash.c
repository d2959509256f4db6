#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

// A whole number that is typed as one line; asks until there is one.
static int read_number(const char *prompt)
{
    char line[100], *end;
    for (;;)
    {
        printf("%s", prompt);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL)
        {
            exit(1);
        }
        long number = strtol(line, &end, 10);
        if (end != line && *end == '\n' && number >= INT_MIN && number <= INT_MAX)
        {
            return (int) number;
        }
    }
}

int main(void)
{
    const int coins[] = {25, 10, 5, 1};
    int cents, count = 0;
    do
    {
        cents = read_number("Change owed: ");
    }
    while (cents < 0);
    cents *= 100;
    for (int i = 0; i < 4; i++)
    {
        count += cents / coins[i];
        cents %= coins[i];
    }
    printf("%i\n", count);
}
