def minutes(birth, today):
    return (today - birth).days * 24
