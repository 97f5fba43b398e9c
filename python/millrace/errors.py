"""The exceptions of Millrace. Each is also one of Python's own kinds, where there is one that fits."""


class Error(Exception):
    """Everything that Millrace raises, except KeyboardInterrupt."""


class UsageError(Error, ValueError):
    """Something was asked for that makes no sense: a wrong option, an id that is not there."""


class BadInputError(Error):
    """A file is not what it should be."""


class DoesNotFitError(Error, MemoryError):
    """A limit of memory, or of the format, was exceeded. The message says how much would be enough."""


class DeviceError(Error):
    """A GPU is missing, or fails."""


class IoError(Error, OSError):
    """The operating system refused something."""


class InternalError(Error):
    """A fault of Millrace itself, or a use after fork."""
