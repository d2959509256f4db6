import sys

low, high = 1, 1000
for _ in range(10):
    guess = (low + high) // 2
    print(guess)
    answer = sys.stdin.readline()
    if answer == "correct\n":
        break
    if answer == "lower\n":
        high = guess - 1
    else:
        low = guess + 1
