def mean(values):
    total = count = 0
    for value in values:
        total += value
        count += 1
    if count == 0:
        raise ValueError("no numbers")
    return total / count


def is_prime(number):
    if number < 2:
        return False
    for divisor in range(2, number):
        if number % divisor == 0:
            return False
    return True


def smooth(values):
    old = list(values)
    for place in range(1, len(old) - 1):
        values[place] = (old[place - 1] + old[place] + old[place + 1]) / 3


def show(values):
    print(", ".join(str(value) for value in values))
