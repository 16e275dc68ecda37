"""The adoption report: one self-contained page."""
