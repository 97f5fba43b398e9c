"""The exceptions of Millrace. Each is also one of Python's own kinds, where there is one that fits. And words of their
messages."""

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


def require_folder_of(path):
    """The path of a store to write, as a text. Raises MissingFileError where its folder does not exist."""
    path = os.fsdecode(path)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise MissingFileError(errno.ENOENT, "there is no such folder to write to", folder)
    return path
