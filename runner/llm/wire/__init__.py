"""The only place that knows what goes over the wire: responses and SDK exceptions in, outcomes out.

Importing this package does not import the SDK; `wire.exceptions` does.
"""

from runner.llm.wire.replies import Call
from runner.llm.wire.response import judged

__all__ = ["Call", "judged"]
