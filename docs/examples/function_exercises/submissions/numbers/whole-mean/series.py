def mean(values):
    """The mean of numbers; of none there is no mean."""
    if not values:
        raise ValueError("no numbers")
    return sum(values) // len(values)


def is_prime(number):
    """Whether a number has exactly two divisors."""
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def smooth(values):
    """Put the mean of neighbours in place of each inner value."""
    values[1:-1] = [mean(values[place - 1 : place + 2]) for place in range(1, len(values) - 1)]


def show(values):
    """Print numbers in one line."""
    print(*values, sep=", ")
