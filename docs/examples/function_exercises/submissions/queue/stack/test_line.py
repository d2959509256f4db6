from line import Full, Queue


def test_first_in_first_out():
    queue = Queue(3)
    queue.join("Ida")
    assert queue.call() == "Ida"


def test_full():
    queue = Queue(1)
    queue.join("Ida")
    try:
        queue.join("Max")
    except Full:
        assert queue.length == 1
    else:
        raise AssertionError("a full queue takes one more")
