"""Matches of tabletop as an environment of verifiers: one trace for each seat that verifiers plays."""

from tabletop_v1.env import TabletopEnv, TabletopEnvConfig
from tabletop_v1.harness import TabletopHarness, TabletopHarnessConfig
from tabletop_v1.taskset import TabletopConfig, TabletopTaskset

__all__ = ["TabletopConfig", "TabletopEnv", "TabletopEnvConfig", "TabletopHarness", "TabletopHarnessConfig", "TabletopTaskset"]
