#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADER = 44 };

int main(int argc, char *argv[])
{
    if (argc != 4)
    {
        printf("Usage: ./volume input.wav output.wav factor\n");
        return 1;
    }
    FILE *input = fopen(argv[1], "rb");
    if (input == NULL)
    {
        printf("Could not open %s.\n", argv[1]);
        return 1;
    }
    FILE *output = fopen(argv[2], "wb");
    if (output == NULL)
    {
        printf("Could not open %s.\n", argv[2]);
        fclose(input);
        return 1;
    }
    float factor = atof(argv[3]);

    uint8_t header[HEADER];
    fread(header, HEADER, 1, input);
    fwrite(header, HEADER, 1, output);

    int16_t sample;
    while (fread(&sample, sizeof sample, 1, input) == 1)
    {
        sample *= factor;
        fwrite(&sample, sizeof sample, 1, output);
    }
    fclose(input);
    fclose(output);
}
