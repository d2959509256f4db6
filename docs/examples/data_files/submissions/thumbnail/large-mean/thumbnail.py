import sys


def main():
    with open(sys.argv[1], "rb") as file:
        if file.readline() != b"P5\n":
            sys.exit("not a grey picture")
        width, height = map(int, file.readline().split())
        file.readline()
        pixels = file.read()
    rows = [pixels[row * width : (row + 1) * width : 2] for row in range(0, height, 2)]
    with open("small.pgm", "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (len(rows[0]), len(rows)) + b"".join(rows))
    grey = b"".join(rows)
    with open("statistics.txt", "w") as file:
        file.write(f"pixels {len(grey)}\nmean {sum(pixels) / len(pixels):.3f}\n")


if __name__ == "__main__":
    main()
