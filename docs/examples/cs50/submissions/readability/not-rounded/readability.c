#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[4000];
    printf("Text: ");
    if (fgets(text, sizeof text, stdin) == NULL)
    {
        return 1;
    }
    text[strcspn(text, "\n")] = '\0';
    int letters = 0, words = 1, sentences = 0;
    for (int i = 0; text[i] != '\0'; i++)
    {
        letters += isalpha((unsigned char) text[i]) != 0;
        words += text[i] == ' ';
        sentences += text[i] == '.' || text[i] == '!' || text[i] == '?';
    }
    double index = 0.0588 * 100 * letters / words - 0.296 * 100 * sentences / words - 15.8;
    int grade = (int) index;
    if (grade < 1)
    {
        printf("Before Grade 1\n");
    }
    else if (grade >= 16)
    {
        printf("Grade 16+\n");
    }
    else
    {
        printf("Grade %i\n", grade);
    }
}
