#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 4)
    {
        fprintf(stderr, "Three arguments, please\n");
        exit(1);
    }
    FILE *from = fopen(argv[1], "rb"), *to = fopen(argv[2], "wb");
    if (!from || !to)
    {
        exit(1);
    }
    for (int i = 0; i < 44; i++)
    {
        putc(getc(from), to);
    }
    float factor = strtof(argv[3], NULL);
    static int16_t samples[4096];
    size_t count;
    while ((count = fread(samples, sizeof samples[0], 4096, from)) > 0)
    {
        for (size_t i = 0; i < count; i++)
        {
            samples[i] = (int16_t) (samples[i] * factor);
        }
        fwrite(samples, sizeof samples[0], count, to);
    }
    fclose(to);
    return 0;
}
