"""Centralities by shortest paths (in hops) and by degree."""

import math

import numpy as np
from millrace import UNREACHED

from .discovery import levels


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    n = len(G)
    sampled = None
    if k is not None and k != n:
        sampled = seed.sample(G.nodes, k)
    if n == 0:
        return {}
    store, endpoints = G.shape.stores.simple(), bool(endpoints)
    if sampled is None:
        sums = store.run("bc", endpoints=endpoints).centrality * (1 if G.is_directed() else 2)
    else:
        sums = np.zeros(n)
        for node in sampled:
            sums += store.run("bc", source=G.number(node), endpoints=endpoints).centrality
    return G.by_node(sums * _scale(G, sampled, normalized, endpoints))


def _scale(G, sampled, normalized, endpoints):
    """The factor of NetworkX: a number or, where sampled nodes have another one, an array."""
    others = len(G) if endpoints else len(G) - 1
    if others < 2:
        return 1.0
    ways = 1 if G.is_directed() else 2

    def factor(sources):
        return 1 / (sources * (others - 1)) if normalized else others / (sources * ways)

    if sampled is None:
        return factor(others)
    if endpoints:
        return factor(len(sampled))
    # A sampled node is not between itself and others: it has one source less.
    scale = np.full(len(G), factor(len(sampled)))
    scale[[G.number(node) for node in sampled]] = factor(len(sampled) - 1) if len(sampled) > 1 else math.nan
    return scale


def closeness_centrality(G, u=None, distance=None, wf_improved=True, *, sp=None):
    n = len(G)
    if u is not None:
        return _closeness_of(G, G.number(u), wf_improved)
    if n == 0:
        return {}
    return G.by_node(G.shape.stores.simple().run("closeness", unscaled=not wf_improved).closeness)


def _closeness_of(G, number, wf_improved):
    found = levels(G, [number], "in")
    found = found[found != UNREACHED]
    total = int(found.sum(dtype=np.int64))
    if total == 0 or len(G) < 2:
        return 0.0
    value = (len(found) - 1.0) / total
    return value * ((len(found) - 1.0) / (len(G) - 1)) if wf_improved else value


def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    ends = set(G.nodes if nbunch is None else G.nbunch_iter(nbunch))
    starts = set(G.nodes if sources is None else G.nbunch_iter(sources))
    if not ends or not starts:
        return {node: 0 for node in ends}
    if nbunch is None and sources is None:
        values = G.shape.stores.simple().run("closeness", columns="all").harmonic
    else:
        values = _harmonic_sums(G, ends, starts)
    return {node: float(values[G.number(node)]) or 0 for node in ends}


def _harmonic_sums(G, ends, starts):
    """Sums of 1 / distance from `starts`, by number; a search for each node of the smaller set."""
    values = np.zeros(len(G))
    chosen = np.array([G.number(node) for node in starts])
    if len(starts) <= len(ends):
        for number in chosen.tolist():
            values += _inverse(levels(G, [number]))
        return values
    for node in ends:
        values[G.number(node)] = _inverse(levels(G, [G.number(node)], "in")[chosen]).sum()
    return values


def _inverse(level):
    there = (level != UNREACHED) & (level != 0)
    return np.divide(1.0, level, where=there, out=np.zeros(len(level)))


def _by_degree(G, degrees):
    if len(G) <= 1:
        return dict.fromkeys(G.nodes, 1)
    return G.by_node(degrees * (1.0 / (len(G) - 1.0)))


def degree_centrality(G):
    return _by_degree(G, G.shape.degrees())


def in_degree_centrality(G):
    return _by_degree(G, G.shape.in_degrees())


def out_degree_centrality(G):
    return _by_degree(G, G.shape.out_degrees())
