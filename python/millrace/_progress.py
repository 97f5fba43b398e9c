"""Progress in notebooks: a bar below the cell while work goes on. Terminals have that of the library."""

import html
import sys

from . import _core


def in_kernel():
    """Whether this is the kernel of a notebook. Imports nothing."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def as_html(label, share, text):
    """One line: what is done, a bar if it is known how much there is, and counts and rates."""
    bar = "" if share is None else f"<progress max='1' value='{share:.3f}' style='width:16em'></progress> {share:.0%} "
    return f"<div>{html.escape(label)} {bar}{html.escape(text)}</div>"


class Bar:
    """A display of IPython that is updated, and is empty in the end."""

    def __init__(self):
        from IPython.display import display

        self._handle = display(self._data("", ""), raw=True, display_id=True)

    @staticmethod
    def _data(shown, plain):
        return {"text/html": shown, "text/plain": plain}

    def show(self, label, share, text):
        done = "" if share is None else f"{share:.0%}  "
        self._handle.update(self._data(as_html(label, share, text), f"{label}  {done}{text}"), raw=True)

    def close(self):
        self._handle.update(self._data("", ""), raw=True)


def draw_in_notebooks():
    """To be called when the package is imported."""
    if in_kernel():
        _core.set_bar_maker(Bar)
