"""Settings of all tests: a busy machine makes no property test fail."""

from hypothesis import HealthCheck, settings

settings.register_profile("any_speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_speed")
