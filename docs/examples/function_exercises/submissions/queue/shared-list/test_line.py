from line import Full, Queue


def test_first_in_first_out():
    queue = Queue(3)
    queue.join("Ida")
    queue.join("Max")
    assert queue.call() == "Ida"
    assert queue.call() == "Max"


def test_full():
    queue = Queue(1)
    queue.join("Ida")
    try:
        queue.join("Max")
    except Full:
        assert queue.length == 1
    else:
        raise AssertionError("a full queue takes one more")
