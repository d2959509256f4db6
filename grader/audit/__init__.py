"""Stage `audit`: how good the tests of an assignment are."""
