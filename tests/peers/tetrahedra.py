#!/usr/bin/env python3
"""Writes the unit cube as 6 N^3 tetrahedra (every small cube cut in six along its diagonal) in Poise's native format.

    tests/peers/tetrahedra.py N OUT.h5

For benchmarks on machines without Gmsh: poise bench formats --mesh OUT.h5.  Patches: left right bottom top back
front."""
import itertools
import sys

import h5py
import numpy as np


def main():
    n, path = int(sys.argv[1]), sys.argv[2]
    m = n + 1
    x = np.linspace(0, 1, m)
    vertex = np.stack(np.meshgrid(x, x, x, indexing='ij'), -1).reshape(-1, 3)
    corner = np.arange(m**3, dtype=np.int64).reshape(m, m, m)[:-1, :-1, :-1].ravel()
    step = [m * m, m, 1]
    parts = []
    for a, b, c in itertools.permutations(range(3)):
        way = [corner, corner + step[a], corner + step[a] + step[b], corner + sum(step)]
        if (a, b, c) in ((0, 2, 1), (1, 0, 2), (2, 1, 0)):      # odd: turned round for a positive volume
            way[2], way[3] = way[3], way[2]
        parts.append(np.stack(way, 1))
    cell = np.stack(parts, 1).reshape(-1, 4)
    face = np.sort(np.concatenate([cell[:, list(f)] for f in itertools.combinations(range(4), 3)]), axis=1)
    key = (face[:, 0] * m**3 + face[:, 1]) * m**3 + face[:, 2]
    order = np.argsort(key, kind='stable')
    key = key[order]
    alone = np.ones(len(key), bool)
    alone[1:] &= key[1:] != key[:-1]
    alone[:-1] &= key[:-1] != key[1:]
    face = face[order[alone]]
    at = vertex[face].mean(1)
    names = ['left', 'right', 'bottom', 'top', 'back', 'front']
    patch = np.argmin(np.stack([at[:, 0], 1 - at[:, 0], at[:, 1], 1 - at[:, 1], at[:, 2], 1 - at[:, 2]]), 0)
    with h5py.File(path, 'w') as f:
        f.attrs.update({'format': np.bytes_('poise-mesh'), 'version': np.int32(1), 'dim': np.int32(3),
                        'source': np.bytes_(path), 'key': np.bytes_('')})
        f['vertices'] = vertex
        f['cells/type'] = np.full(len(cell), 6, np.uint8)
        f['cells/start'] = np.arange(0, 4 * len(cell) + 1, 4, dtype=np.int64)
        f['cells/vertices'] = cell.astype(np.int32).ravel()
        f['cells/region'] = np.zeros(len(cell), np.int32)
        f['regions/names'] = np.array(['fluid'], 'S64')
        f['boundary/names'] = np.array(names, 'S64')
        f['boundary/partners'] = np.array([''] * 6, 'S64')
        f['boundary/faces'] = np.concatenate([face, np.full((len(face), 1), -1)], 1).astype(np.int32)
        f['boundary/patch'] = patch.astype(np.int32)
        f['xdmf/topology'] = cell.astype(np.int32)


if __name__ == '__main__':
    main()
