"""Stage `intake`: where submissions come from; everything becomes one Submission model."""
