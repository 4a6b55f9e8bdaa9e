"""How much longer than on a quiet machine a test of speed may take.

Such tests are there to notice that something became slow by an order of magnitude; a busy or an old
machine must not make them fail. What is measured exactly is measured in `bench`.
"""

PATIENCE = 5
