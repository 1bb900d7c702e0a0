"""Learning: making policies from the reward of episodes."""
