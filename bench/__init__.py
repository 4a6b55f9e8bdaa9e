"""Benchmarks: Quarantia beside what a person would write by hand and beside other systems."""
