"""Engines that the conformance tester is timed against."""
