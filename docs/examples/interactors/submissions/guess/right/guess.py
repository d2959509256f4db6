import random

HIGHEST = 100


def main():
    number = random.randint(1, HIGHEST)
    print(f"I think of a number from 1 to {HIGHEST}.")
    guess = count = 0
    while guess != number:
        guess = int(input("Your guess: "))
        count += 1
        if guess < number:
            print("It is higher.")
        elif guess > number:
            print("It is lower.")
    print("That is right! Guesses:", count)


if __name__ == "__main__":
    main()
