"""The exceptions of Millrace. Each is also one of Python's own kinds, where there is one that fits. And words of their
messages."""

import contextlib
import errno
import os


class Error(Exception):
    """Everything that Millrace raises, except KeyboardInterrupt."""


class UsageError(Error, ValueError):
    """Something was asked for that makes no sense: a wrong option, an id that no vertex has."""


class BadInputError(Error):
    """A file is not what it should be."""


class DoesNotFitError(Error, MemoryError):
    """A limit of memory, or of the format, was exceeded. The message says how much would be enough."""


class DeviceError(Error):
    """A GPU is missing, or fails."""


class IoError(Error, OSError):
    """The operating system refused something."""


class MissingFileError(BadInputError, IoError, FileNotFoundError):
    """A file or a folder does not exist."""


class InternalError(Error):
    """A fault of Millrace itself, or a use after fork."""


def counted(count, one, more=None):
    """(1, "edge") is "1 edge", (1234, "edge") "1,234 edges". `more`: the plural, where it is another one."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def path_text(name, path):
    """A path as a text. Raises UsageError where it is empty."""
    path = os.fsdecode(path)
    if not path:
        raise UsageError(f"{name} is empty, and so names no file")
    return path


def require_folder(folder):
    """Raises MissingFileError where a folder to write to does not exist."""
    if not os.path.isdir(folder):
        raise MissingFileError(errno.ENOENT, "there is no such folder to write to", folder)


def require_folder_of(path):
    """The path of a store to write, as a text. Raises MissingFileError where its folder does not exist."""
    path = path_text("path", path)
    require_folder(os.path.dirname(os.path.abspath(path)))
    return path


@contextlib.contextmanager
def reworded(change):
    """Errors that leave this context have the texts that `change` makes of theirs."""
    try:
        yield
    except Error as error:
        error.args = tuple(change(one) if isinstance(one, str) else one for one in error.args)
        raise
