"""One module a published package: small models of it, with inputs, that run on a CPU.

``cases()`` yields ``(name, make)``; ``make()`` returns a module and its arguments, or a module
and a function of it that returns a tensor.
"""
