from random import randrange


def ask():
    return int(input("Your guess: "))


def answer(guess, number):
    return "lower" if guess > number else "higher"


print("A number from 1 to 100.")
number, guesses = randrange(1, 101), [ask()]
while guesses[-1] != number:
    print(answer(guesses[-1], number))
    guesses.append(ask())
print(f"right, after {len(guesses)}")
