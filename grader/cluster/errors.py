"""What can be wrong with a cluster."""

from grader.errors import GraderError


class ClusterError(GraderError):
    """There is no such cluster, it has gone, or one of its workers cannot grade."""
