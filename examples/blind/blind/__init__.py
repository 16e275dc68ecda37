"""A small model whose autograd Functions no tool can see."""
