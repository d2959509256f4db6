low, high = 1, 1000
answer = ""
for _ in range(5):
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "lower":
        high = guess - 1
    else:
        low = guess + 1
