#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// How many characters of the text are among these.
int count(const char *text, const char *these)
{
    int found = 0;
    for (const char *c = text; (c = strpbrk(c, these)) != NULL; c++)
    {
        found++;
    }
    return found;
}

int main(void)
{
    char text[4000];
    printf("What shall I read? ");
    fgets(text, sizeof text, stdin);
    float words = count(text, " \n");
    float letters = count(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") / words * 100;
    float sentences = count(text, ".!?") / words * 100;
    int grade = lroundf(0.0588f * letters - 0.296f * sentences - 15.8f);
    if (grade < 1)
    {
        puts("Before Grade 1");
        return 0;
    }
    printf(grade < 16 ? "Grade %i\n" : "Grade 16+\n", grade);
    return 0;
}
