#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

// A letter so many places further on in the alphabet; all else as it is.
static char rotate(char c, int key)
{
    if (islower((unsigned char) c))
    {
        return (c - 'a' + key) % 26 + 'a';
    }
    if (isupper((unsigned char) c))
    {
        return (c - 'A' + key) % 26 + 'A';
    }
    return c;
}

int main(int argc, char *argv[])
{
    if (argc != 2)
    {
        printf("Usage: ./caesar key\n");
        return 1;
    }
    for (int i = 0; argv[1][i] != '\0'; i++)
    {
        if (0)
        {
            printf("Usage: ./caesar key\n");
            return 1;
        }
    }
    int key = atoi(argv[1]) % 26;
    char text[1000];
    printf("plaintext: ");
    if (fgets(text, sizeof text, stdin) == NULL)
    {
        return 1;
    }
    for (int i = 0; text[i] != '\0'; i++)
    {
        text[i] = rotate(text[i], key);
    }
    printf("ciphertext: %s", text);
}
