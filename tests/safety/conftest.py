"""How long an example takes is the machine's business: a busy one is no reason to fail."""

from hypothesis import HealthCheck, settings

settings.register_profile("comind", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("comind")
