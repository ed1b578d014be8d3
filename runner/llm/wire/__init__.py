"""Wire format: responses and SDK exceptions in, outcomes out.

Importing this package does not import the SDK; `wire.exceptions` does.
"""

from runner.llm.wire.replies import Exchange
from runner.llm.wire.response import classify

__all__ = ["Exchange", "classify"]
