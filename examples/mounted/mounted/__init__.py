"""The model of ../blind with each Function mounted under an FQN."""
