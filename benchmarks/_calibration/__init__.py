"""How often each recipe is wrong, over designs and worlds: `benchmarks/calibration.py`."""
