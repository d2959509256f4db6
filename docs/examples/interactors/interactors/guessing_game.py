"""Plays against a program that thinks of a number, by halving what is left."""


def play(program):
    """Find the number. No answer may contradict an earlier one."""
    low, high = 1, int(program.options["highest"])
    program.expect(f"from {low} to {high}", "the range of its numbers")
    count = 0
    while low <= high:
        guess = (low + high) // 2
        program.expect("Your guess: $", "`Your guess: `")
        program.send(guess)
        count += 1
        answer = program.expect("higher|lower|right", "`higher`, `lower` or `right`")[0]
        if answer == "right":
            program.expect(rf"\b{count}\b", f"the number of guesses, {count}")
            program.expect_end()
            return
        if answer == "higher":
            low = guess + 1
        else:
            high = guess - 1
    program.wrong(f"After the answer {answer!r} to the guess {guess}, no number is left.")
