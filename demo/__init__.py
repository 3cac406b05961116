"""The demo: small campaigns with texts of our own and annotators of known bias and noise."""
