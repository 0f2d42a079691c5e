"""Pages and the scripts that print their generated parts."""
