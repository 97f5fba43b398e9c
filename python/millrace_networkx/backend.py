"""The entry point `networkx.backends`: NetworkX finds conversions, checks and algorithms here by their names."""

from importlib import import_module

from . import info
from .conversion import convert_from_nx, convert_to_nx
from .reasons import AS_IN_3_7, reason_against, reason_to_leave

FUNCTIONS = {
    name: getattr(import_module(f".{module}", __package__), name)
    for module, text in info.MODULES.items()
    for name in text.split()
}
if not AS_IN_3_7:
    del FUNCTIONS["hits"]  # which is another algorithm there
globals().update(FUNCTIONS)


def can_run(name, args, kwargs):
    """True, or why Millrace does not serve a call."""
    if name not in FUNCTIONS:
        return f"{name} is not served"
    return reason_against(FUNCTIONS[name], args, kwargs) or True


def should_run(name, args, kwargs):
    """True, or why NetworkX is likely to be faster."""
    return reason_to_leave(name, FUNCTIONS[name], args, kwargs) or True


__all__ = ["can_run", "convert_from_nx", "convert_to_nx", "should_run", *FUNCTIONS]
