"""Jobs, sensors and schedules; they know asset keys, never asset code."""
