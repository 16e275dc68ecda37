"""Rewriting what was found: what to change (planned on facts), and the changes (LibCST)."""
