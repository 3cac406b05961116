"""How often each recipe is wrong: simulated campaigns in which nobody is better, judged by the recipes."""
