"""Questions to answers, over tables and what is not folded yet."""
