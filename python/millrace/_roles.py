"""Which column of a table is which: by names that are usual for the ends and the weights of edges, else by position."""

from . import _core
from .errors import UsageError, counted

# By role, in lower case, as in headers of files; columns whose names are none of these have no role.
USUAL = _core.usual_names()
ROLE = {name: role for role, names in USUAL.items() for name in names}


def _wanted(names, columns):
    """The places of columns that the caller has named."""
    wanted = columns.split(",") if isinstance(columns, str) else list(columns)
    if not 2 <= len(wanted) <= 3:
        named = counted(len(wanted), "column")
        raise UsageError(f"columns names {named}; edges have a source, a target and perhaps a weight")
    places = []
    for one in wanted:
        found = [i for i, name in enumerate(names) if name == one or str(name) == str(one)]
        if len(found) != 1:
            fault = "has no column" if not found else f"has {len(found)} columns that are called"
            raise UsageError(f"the table {fault} {one!r}; it has {_listed(names)}")
        places += found
    return places


def _listed(names):
    return ", ".join(repr(name) if isinstance(name, str) else str(name) for name in names)


def places_of(names, columns=None):
    """The places of the source, the target and perhaps the weight among the columns of a table. `names` may be None:
    they have none. Raises UsageError where names do not say which column is which."""
    if columns is not None:
        if names is None:
            raise UsageError("columns names columns, and this table has no names")
        return _wanted(names, columns)
    count = len(names) if names is not None else 0
    if names is None:
        return None
    if not 2 <= count <= 3:
        raise UsageError(
            f"the table has {counted(count, 'column')}, {_listed(names)}; edges have a source, a target and perhaps a "
            'weight: name them, as in columns=["from", "to"]'
        )
    roles = [ROLE.get(str(name).lower()) for name in names]
    in_order = list(range(count))
    if roles.count("source") == roles.count("target") == 1:
        ends = [roles.index("source"), roles.index("target")]
        rest = [i for i in in_order if i not in ends]
        if not rest or roles[rest[0]] == "weight":
            return ends + rest
        listed = [names[i] for i in ends + rest]
        raise UsageError(
            f"the table has the columns {_listed(names)}, and it is not clear whether {names[rest[0]]!r} is the weight "
            f"of an edge: say so by columns={listed}, or leave it out by columns={listed[:2]}"
        )
    if roles in ([None] * count, [None, None, "weight"]):
        return in_order
    raise UsageError(
        f"the table has the columns {_listed(names)}, and it is not clear which are the source and the target of an "
        'edge: name them, as in columns=["from", "to", "weight"], or rename them to source, target and weight'
    )


def taken(names, places):
    """What was taken, for people: "columns src -> dst, weight w"."""
    chosen = ["".join(c if c.isprintable() else "?" for c in str(names[i])) for i in places]
    return f"columns {chosen[0]} -> {chosen[1]}" + (f", weight {chosen[2]}" if len(chosen) == 3 else "")
