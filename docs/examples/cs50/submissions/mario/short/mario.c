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
    int height;
    do
    {
        height = read_number("Height: ");
    }
    while (height < 1);
    for (int row = 1; row < height; row++)
    {
        for (int column = height; column > 0; column--)
        {
            putchar(column > row ? ' ' : '#');
        }
        putchar('\n');
    }
}
