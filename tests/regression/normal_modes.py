#!/usr/bin/env python3
"""Stability of a step in time near a flat interface: the largest eigenvalue of one step with one corrector, for waves
exp(i theta x) along an interface between two layers on squares, periodic across them, the interface frozen.

    /usr/bin/python3 tests/regression/normal_modes.py [--full]

A model in numpy of assembly/time_step.h (linear, without convection, transposed viscous stress and surface tension),
not the program: it covers positions of the interface in a cell, ratios and viscous numbers that no run could.
h = dt = 1.  With rho_f interp(a) for interp(rho a) in the bracket it must grow: the model sees what it is there for.
"""
import sys

import numpy as np

N, LIGHT = 16, 8                                    # cells across the layers, and those of the light fluid
SCHEMES = {"euler": (1.0, 1.0, 0.0), "bdf2": (1.5, 2.0, -0.5)}         # c, h1, h2


def fractions(part):
    light = np.zeros(N)
    light[:LIGHT], light[LIGHT] = 1, part
    return light


def operators():
    """Mean and difference at face f between cells f and f + 1, and the sum of fluxes out of a cell."""
    one, upper = np.eye(N), np.roll(np.eye(N), 1, 1)
    return 0.5 * (one + upper), upper - one, -(upper - one).T


def rows(x, weight):
    return x * weight[:, None]


def step(part, ratio, heavy, light, theta, scheme, by_force=True):
    """The matrix of a step.  State: u, v, the same a step before, fluxes through x and y faces, the same before, p."""
    alpha = fractions(part)
    density, viscosity = ratio * (1 - alpha) + alpha, heavy * (1 - alpha) + light * alpha
    c, h1, h2 = SCHEMES[scheme]
    mean, difference, out = operators()
    at_face, up = mean @ density, mean @ viscosity
    down = np.roll(up, 1)
    momentum = density * c + 2 * viscosity + up + down                  # A
    along, gradient = np.cos(theta / 2), 2j * np.sin(theta / 2)         # mean and difference along x
    upper = np.roll(np.eye(N), 1, 1)
    matrix = np.diag(momentum - 2 * viscosity * np.cos(theta)) - np.diag(up) @ upper - np.diag(down) @ upper.T
    inverse = np.linalg.inv(matrix)
    laplacian = np.diag(gradient * gradient / density) + out @ np.diag(1 / at_face) @ difference
    u, v, u_old, v_old, fx, fx_old, fy, fy_old, p = np.eye(9 * N, dtype=complex).reshape(9, N, 9 * N)

    def accelerations(q):
        x, y = rows(gradient * q, 1 / density), rows(difference @ q, 1 / at_face)
        return x, y, along * x, mean.T @ y

    x, y, ax, ay = accelerations(p)
    hu, hv, hx, hy = h1 * u + h2 * u_old, h1 * v + h2 * v_old, h1 * fx + h2 * fx_old, h1 * fy + h2 * fy_old
    wu, wv = inverse @ rows(hu - ax, density), inverse @ rows(hv - ay, density)
    force = mean @ rows(ay, density) if by_force else rows(mean @ ay, at_face)
    fx_star = along * wu + rows(hx - along * hu - x + along * ax, density / momentum)
    fy_star = mean @ wv + rows(rows(hy - mean @ hv - y, at_face) + force, 1 / (mean @ momentum))
    net = gradient * fx_star + out @ fy_star
    change = c * np.linalg.solve(laplacian, net)
    x, y, ax, ay = accelerations(change)
    terms = momentum - density * c                                      # a_P / V
    response = viscosity * (2 / terms + 1 / (mean @ terms) + 1 / np.roll(mean @ terms, 1))
    around = (upper @ net + upper.T @ net + 2 * np.cos(theta) * net) / 4
    rotated = rows(0.75 * net + 0.25 * around, viscosity / np.maximum(1, response / 0.75))
    return np.vstack([wu - ax / c, wv - ay / c, u, v, fx_star - x / c, fx, fy_star - y / c, fy, p + change - rotated])


def growth(*args, **more):
    return max(np.abs(np.linalg.eigvals(step(part, *args[:3], theta, args[3], **more))).max()
               for theta in np.pi * np.array([0.05, 0.2, 0.5, 0.75, 1.0]) for part in (0.001, 0.05, 0.5, 0.95, 0.999))


def main():
    full = "--full" in sys.argv[1:]
    ratios = (1e-3, 1, 10, 1e3, 1e4) if full else (1e-3, 1e3)
    numbers = (0.01, 1.0, 100.0, 1e4) if full else (0.1, 1e3)           # mu dt / h^2 over the larger density
    failed = False
    for scheme in SCHEMES:
        for ratio in ratios:
            heavier = max(ratio, 1)
            worst = max(growth(ratio, heavier * a, heavier * b, scheme) for a in numbers for b in numbers)
            name = f"two-fluids-{scheme}-{ratio:g}"
            failed |= worst > 1 + 1e-6
            print(f"{'ok' if worst <= 1 + 1e-6 else 'not ok'} {name}: growth {worst:.6f} a step")
    wrong = growth(1e3, 1e6, 1e6, "bdf2", by_force=False)
    failed |= wrong < 2
    print(f"{'ok' if wrong > 2 else 'not ok'} two-fluids-by-acceleration: growth {wrong:.2f} a step, as it must")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
