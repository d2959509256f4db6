guess = 1
print(guess)
while input() != "correct":
    guess += 1
    print(guess)
