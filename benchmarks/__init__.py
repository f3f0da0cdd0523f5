"""How fast things are, as ratios against named peers measured in the same run."""
