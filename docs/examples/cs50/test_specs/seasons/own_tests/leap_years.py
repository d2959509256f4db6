def minutes(birth, today):
    return ((today.year - birth.year) * 365 + today.timetuple().tm_yday - birth.timetuple().tm_yday) * 1440
