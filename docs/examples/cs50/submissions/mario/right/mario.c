#include <ctype.h>
#include <stdio.h>
#include <string.h>

// The height in a line, or 0 where there is none.
int height_in(const char *line)
{
    int height = 0;
    for (int i = 0; line[i] != '\n' && line[i] != '\0'; i++)
    {
        if (!isdigit((unsigned char) line[i]))
        {
            return 0;
        }
        height = 10 * height + line[i] - '0';
    }
    return height;
}

int main(void)
{
    char line[50], bricks[50] = "";
    int height = 0;
    while (height == 0)
    {
        printf("How high? ");
        if (fgets(line, sizeof line, stdin) == NULL)
        {
            return 1;
        }
        height = height_in(line);
    }
    for (int row = 0; row < height; row++)
    {
        strcat(bricks, "#");
        printf("%*s\n", height, bricks);
    }
}
