low, high = 1, 1000
answer = ""
while answer != "correct":
    guess = (low + high) // 2
    print("My guess:", guess)
    answer = input()
    if answer == "lower":
        high = guess - 1
    else:
        low = guess + 1
