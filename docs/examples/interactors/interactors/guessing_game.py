"""Plays against a program that thinks of a number and answers guesses. It guesses by halving what is left."""


def play(program):
    """Find the number; no answer may contradict an earlier one."""
    low, high = 1, int(program.options.get("highest", "100"))
    program.expect(f"from {low} to {high}", "the range of its numbers")
    for count in range(1, high + 1):
        guess = (low + high) // 2
        program.expect("Your guess: $", "`Your guess: `")
        program.send(guess)
        answer = program.expect("(higher|lower|right)", "`higher`, `lower` or `right`")[1]
        if answer == "right":
            program.expect(rf"\b{count}\b", f"how many guesses it took, {count}")
            program.expect_end()
            return
        if answer == "higher":
            low = guess + 1
        else:
            high = guess - 1
        if low > high:
            program.wrong(f"It answers {answer} to the guess {guess}, but then no number is left.")
