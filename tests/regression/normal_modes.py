#!/usr/bin/env python3
"""Stability of a time step on squares: the largest eigenvalue of one step, for waves exp(i theta x) in one row.

    /usr/bin/python3 tests/regression/normal_modes.py [--full]

A linear model of assembly/time_step.h in numpy, not the program: it covers more cases than runs could.  h = dt = 1.

two-fluids: two layers, periodic across, the interface frozen: positions in a cell, ratios, viscous numbers.
tension, gravity: one interface moves; the curvature is that of the fit on squares.  tension: x is the step over
sqrt((rho_1 + rho_2) h^3 / (4 pi sigma)); gravity: the angle of the shortest wave in a step, omega dt.  Nothing may
grow up to 1.5 and 1.4, with as many correctors as the program takes.  --full: where growth begins, with one and two.
stream: one fluid, uniform stream; x is its Courant number.  Nothing may grow; with all of the extrapolation in the
guess of the velocity it does.
walls: one fluid in a channel, with the shear and the pressure that the program extrapolates at walls.

Not modelled: transposed viscous stress, segments that rotate or leave their cell, van Leer's limiter, outer
correctors.
An unstable variant of each part must grow.
"""
import itertools
import sys

import numpy as np

N, LIGHT = 16, 8                                    # cells across the layers, and those of the light fluid
SCHEMES = {"euler": (1.0, 1.0, 0.0), "bdf2": (1.5, 2.0, -0.5), "crank-nicolson": (2.0, 2.0, 0.0)}      # c, h1, h2
# Courant numbers |u| + |v| where something grows with all of the extrapolation in the guess (numerics.md), without
# viscosity and at a viscous number of 0.1.
STREAM = {("bdf2", "linear-upwind", 0): 1.0, ("bdf2", "linear-upwind", 0.1): 2.0, ("bdf2", "central", 0): 0.3,
          ("bdf2", "central", 0.1): 1.4, ("crank-nicolson", "linear-upwind", 0): 0.7,
          ("crank-nicolson", "linear-upwind", 0.1): 1.4, ("crank-nicolson", "central", 0.1): 1.4}
# GUESS of flow/transient.c; CALM: squares of the Courant numbers up to which nothing grows without viscosity either.
VISCOUS = {"euler": 6, "bdf2": 6, "crank-nicolson": 4}
CALM = {("bdf2", "linear-upwind"): 0.25, ("crank-nicolson", "linear-upwind"): 0.04}
THETAS = np.pi * np.array([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0])
EPS = 1e-6
failed = False


class Rows:
    """A column of cells: "periodic", between "walls", or one cell that stands for waves exp(i theta_y y)."""

    def __init__(self, across):
        wave = not isinstance(across, str)
        n = 1 if wave else N
        faces = n - (across == "walls")             # face f is between cells f and f + 1
        self.shift = np.array([[np.exp(1j * across)]]) if wave else np.roll(np.eye(n), 1, 1)[:faces]
        one, there = np.eye(n)[:faces], np.abs(self.shift)
        self.cells, self.faces, self.walls = n, faces, across == "walls"
        self.difference, self.mean = self.shift - one, 0.5 * (one + self.shift)
        self.out, self.back = -self.difference.conj().T, self.mean.conj().T
        self.at_faces, self.around = 0.5 * (one + there), (one + there).T       # of what does not wave
        pairs = self.around @ self.around.T
        self.near = np.array([[2 * np.cos(across)]]) if wave else pairs - np.diag(np.diag(pairs))
        self.n_near = 2 + self.around.sum(1)


def fit_at_wall(theta, degree):
    """Least squares, weights 1 / d^2, over two layers around a wall cell, as the program has it: coefficients of the
    cells inwards, and their sum, which u_P has with a minus.  Degree 1: the slope of p away from the wall.  Degree 2:
    the shear less 2 (u_wall - u_P), a quarter of the second derivative."""
    points = [(i, j) for i in range(-2, 3) for j in range(3) if 0 < abs(i) + j < 3]
    walls = [(i, -0.5) for i in (-1, 0, 1)] if degree == 2 else []
    way = np.array(points + walls, dtype=float)
    matrix = np.column_stack([way, 0.5 * way[:, :1] ** 2, 0.5 * way[:, 1:] ** 2, way[:, :1] * way[:, 1:]])
    weight = 1 / np.hypot(*way.T)
    fit = np.linalg.pinv(matrix[:, :2 if degree == 1 else 5] * weight[:, None]) * weight
    row = fit[1] if degree == 1 else 0.25 * fit[3]
    inwards = np.zeros(3, dtype=complex)
    for (i, j), x in zip(points, row):
        inwards[j] += x * np.exp(1j * theta * i)
    return inwards, row.sum()


def guess(scheme, share):
    """The guess of w with one fluid, from the last three velocities: guess_velocity of assembly/time_step.h."""
    return {"euler": (1, 0, 0), "bdf2": (1 + share, -share, 0),
            "crank-nicolson": (0.5 + 0.5 * share, 0.5, -0.5 * share)}[scheme]


def curvature_response(theta):
    """The fit of interface/curvature.h applied to a wave, -d2 eta / dx2, over theta^2 eta."""
    x = np.arange(-2, 3)
    weight = (1 - x ** 2 / (2.5 ** 2 * 1.5)) ** 6
    matrix = np.column_stack([np.ones(5), x ** 2 + 1 / 12])
    fit = np.linalg.solve(matrix.T * weight @ matrix, matrix.T * weight @ np.exp(1j * theta * x).real)
    return -2 * fit[1] / theta ** 2


def of_rows(x, weight):
    return x * weight[:, None]


def convected(theta, speed, scheme):
    """Symbols along one direction: of upwind convection, and of the scheme's correction to it."""
    out = 1 - np.exp(-1j * theta * np.sign(speed))                      # of what leaves through the face downstream
    more = {"upwind": 0, "linear-upwind": 0.5j * np.sin(theta) * np.sign(speed),
            "central": 0.5 * (np.exp(1j * theta * np.sign(speed)) - 1)}[scheme]
    return abs(speed) * out, abs(speed) * out * more


def step(scheme, theta, viscosity, across="periodic", ratio=1, part=0.5, correctors=1, tension=0.0, gravity=0.0,
         stream=(0, 0), convection="upwind", by_force=True, rotation=1, share=1):
    """The matrix of a step.  State: u, v now and one and two steps before, fluxes through faces along x and y now and
    a step before, p, height of the interface.  viscosity: of the heavy and of the light fluid."""
    k = Rows(across)
    n, faces = k.cells, k.faces
    light = np.zeros(n)
    if n > 1:
        light[:LIGHT], light[LIGHT] = 1, part
    density, mu = ratio * (1 - light) + light, viscosity[0] * (1 - light) + viscosity[1] * light
    c, h1, h2 = SCHEMES[scheme]
    at_face, mu_face = k.at_faces @ density, k.at_faces @ mu
    # momentum
    terms = 2 * mu + k.around @ mu_face + sum(np.abs(stream))           # a_P / V
    implicit = np.diag(2 * mu * (1 - np.cos(theta))) - k.out @ of_rows(k.difference, mu_face)
    explicit, wall = np.zeros((2, n, n), dtype=complex)                 # wall: half of p beyond the cell less p
    for angle, speed in ((theta, stream[0]), (across, stream[1])) if any(stream) else ():
        upwind, more = convected(angle, speed, convection)
        implicit, explicit = implicit + upwind, explicit - more
    for end, inner in ((0, [0, 1, 2]), (n - 1, [n - 1, n - 2, n - 3])) if k.walls else ():
        inwards, own = fit_at_wall(theta, 2)
        implicit[end, end] += (2 + own) * mu[end]
        terms[end] += (2 + own) * mu[end]
        explicit[end, inner] += mu[end] * inwards
        inwards, own = fit_at_wall(theta, 1)
        wall[end, inner] += inwards
        wall[end, end] -= own
        wall[end] *= 0.5 if end == 0 else -0.5
    momentum = density * c + terms                                      # A
    inverse = np.linalg.inv(np.diag(density * c) + implicit)
    # pressure
    along, gradient = np.cos(theta / 2), 2j * np.sin(theta / 2)         # mean and difference along x
    laplacian = np.diag(gradient * gradient / density) + k.out @ of_rows(k.difference, 1 / at_face)
    response = mu * (2 / terms + k.around @ (1 / (k.at_faces @ terms))) if mu.all() else np.ones(n)
    rotational = rotation * mu / np.maximum(1, response / 0.75)
    stiffness = tension * theta ** 2 * curvature_response(theta) + gravity
    jump = stiffness * np.array([[part - 1], [-part]])

    def accelerations(q, height):
        force = np.zeros_like(fy)
        if stiffness:
            force[LIGHT - 1:LIGHT + 1] = jump * height
        x, y = of_rows(gradient * q, 1 / density), of_rows(k.difference @ q - force, 1 / at_face)
        return x, y, along * x, k.back @ y + of_rows(wall @ q, 1 / density)

    sizes = np.cumsum([n] * 8 + [faces, faces, n])
    u, v, u1, v1, u2, v2, fx, fx1, fy, fy1, p, eta = np.split(np.eye(sizes[-1] + 1, dtype=complex), sizes)
    new_eta = eta
    if stiffness:
        moved = 1.5 * fy - 0.5 * fy1 if scheme == "bdf2" else fy
        new_eta = eta + (1 - part) * moved[LIGHT - 1] + part * moved[LIGHT]
    g0, g1, g2 = guess(scheme, share)
    ex, ey = explicit @ (g0 * u + g1 * u1 + g2 * u2), explicit @ (g0 * v + g1 * v1 + g2 * v2)
    hu, hv, hx, hy = h1 * u + h2 * u1, h1 * v + h2 * v1, h1 * fx + h2 * fx1, h1 * fy + h2 * fy1
    p_new = p
    x, y, ax, ay = accelerations(p, eta)
    for _ in range(correctors):
        wu, wv = inverse @ (of_rows(hu - ax, density) + ex), inverse @ (of_rows(hv - ay, density) + ey)
        force = k.mean @ of_rows(ay, density) if by_force else of_rows(k.mean @ ay, at_face)
        wx = along * wu + of_rows(hx - along * hu - x + along * ax, density / momentum)
        wy = k.mean @ wv + of_rows(of_rows(hy - k.mean @ hv - y, at_face) + force, 1 / (k.at_faces @ momentum))
        net = gradient * wx + k.out @ wy
        x_new, y_new, *_ = accelerations(p_new, new_eta)
        known = gradient * (wx - (x_new - x) / c) + k.out @ (wy - (y_new - y) / c)
        p_new = p_new + c * np.linalg.solve(laplacian, known)
        x_new, y_new, ax_new, ay_new = accelerations(p_new, new_eta)
        wu, wv, wx, wy = wu - (ax_new - ax) / c, wv - (ay_new - ay) / c, wx - (x_new - x) / c, wy - (y_new - y) / c
        around = of_rows(k.near @ net + 2 * np.cos(theta) * net, 1 / k.n_near)
        p_new = p_new - of_rows(0.75 * net + 0.25 * around, rotational)
        x, y, ax, ay = accelerations(p_new, new_eta)
    if scheme == "crank-nicolson":
        wu, wv, wx, wy = 2 * wu - u, 2 * wv - v, 2 * wx - fx, 2 * wy - fy
    matrix = np.vstack([wu, wv, u, v, u1, v1, wx, fx, wy, fy, p_new, new_eta])
    return matrix if stiffness else matrix[:-1, :-1]


def growth(*args, **more):
    matrix = step(*args, **more)
    for _ in range(2):                              # what no step reads has the eigenvalue 0
        read = np.abs(matrix).sum(0) > 0
        matrix = matrix[read][:, read]
    return np.abs(np.linalg.eigvals(matrix)).max()


def report(name, value, grows=False, least=EPS):
    global failed
    good = value > 1.005 if grows else value <= 1 + least
    failed |= not good
    print("ok" if good else "not ok", f"{name}: growth {value:.6f} a step" + ", as it must" * grows, flush=True)


def two_fluids(full):
    ratios = (1e-3, 1, 10, 1e3, 1e4) if full else (1e-3, 1e3)
    numbers = (0.01, 1.0, 100.0, 1e4) if full else (0.1, 1e3)           # mu dt / h^2 over the larger density

    def worst(ratio, a, b, scheme, **more):
        heavier = max(ratio, 1)
        return max(growth(scheme, np.pi * theta, (heavier * a, heavier * b), ratio=ratio, part=part, **more)
                   for theta in (0.05, 0.2, 0.5, 0.75, 1.0) for part in (0.001, 0.05, 0.5, 0.95, 0.999))

    for scheme, ratio in itertools.product(("euler", "bdf2"), ratios):
        report(f"two-fluids-{scheme}-{ratio:g}", max(worst(ratio, a, b, scheme) for a in numbers for b in numbers))
    report("two-fluids-by-acceleration", worst(1e3, 1e3, 1e3, "bdf2", by_force=False), grows=True)


def wave(kind, x, scheme, number, ratio, thinner, correctors):
    """The largest growth; number: the viscous number of the more viscous fluid, thinner: viscosity of the light fluid
    over that of the heavy one.  correctors 0: as many as the program takes."""
    most = number * max(ratio, 1)
    viscosity = (most, most * thinner) if thinner < 1 else (most / thinner, most)
    force = x * x * (1 + ratio) / (4 * np.pi if kind == "tension" else np.pi)
    square = x * x * (np.pi ** 2 / 4 if kind == "tension" else 1)       # (omega dt)^2 of the shortest wave
    correctors = correctors or 1 + (square * max(1, number) > 2)
    return max(growth(scheme, theta, viscosity, ratio=ratio, part=part, correctors=correctors, **{kind: force})
               for theta in THETAS for part in (0.001, 0.5, 0.999))


def waves(full):
    for kind, most in (("tension", 1.5), ("gravity", 1.4)):
        rows = itertools.product(("euler", "bdf2"), (1, 10, 1000), (1, 0.01, 100)) if full else \
            [("bdf2", 1, 1), ("bdf2", 1000, 0.01)]
        numbers = (0.01, 1, 10, 100, 1000) if full else (0.01, 100)
        for scheme, ratio, thinner in rows:
            name = f"{kind}-{scheme}-{ratio:g}-{thinner:g}"
            steps = (0.3, 1.0, most) if full else (1.0,)
            report(name, max(wave(kind, x, scheme, n, ratio, thinner, 0) for n in numbers for x in steps))
            for correctors, n in itertools.product((1, 2), numbers) if full and scheme == "bdf2" else ():
                for x in (1.5, 2, 3, 4, 6, 8, 12):
                    value = wave(kind, x, scheme, n, ratio, thinner, correctors)
                    if value > 1 + EPS:
                        break
                print(f"   {correctors} correctors, viscous number {n:g}: at {x:g} {value:.4f} a step", flush=True)
    report("tension-3-one-corrector", wave("tension", 3, "bdf2", 100, 1000, 1, 1), grows=True)


def stream_growth(scheme, convection, number, x, full, share=None):
    """share: of the extrapolation in the guess; None: the program's."""
    directions = np.radians((0, 20, 45) if full else (0, 45))
    thetas = np.pi * np.arange(1, 16, 1 if full else 2) / 15
    if share is None:
        share = 0.25 + 0.75 * min(1, (VISCOUS[scheme] * number + CALM.get((scheme, convection), 0)) / x ** 2)
    return max(growth(scheme, theta, (number, number), across=other, convection=convection, share=share,
                      stream=np.array([np.cos(a), np.sin(a)]) * x / (np.cos(a) + np.sin(a)))
               for a in directions for theta in thetas for other in np.concatenate([-thetas[:-1], [0.05], thetas]))


def stream(full):
    numbers = (0, 0.003, 0.03, 0.1, 0.3, 1, 100) if full else (0, 0.1)
    courants = (0.3, 0.6, 1, 1.5, 2, 5, 20) if full else (0.3, 1, 5)
    for scheme, convection in itertools.product(SCHEMES, ("upwind", "linear-upwind", "central")):
        least = 5e-4 if (scheme, convection) == ("crank-nicolson", "linear-upwind") else EPS    # 2.7e-4 at 1.5
        report(f"stream-{scheme}-{convection}", max(stream_growth(scheme, convection, number, x, full)
                                                    for number in numbers for x in courants), least=least)
    for (scheme, convection, number), bad in STREAM.items():
        if full or (scheme == "bdf2" and number == 0):
            report(f"stream-{scheme}-{convection}-{number}-{bad}-all",
                   stream_growth(scheme, convection, number, bad, full, 1), grows=True)


def walls(full):
    numbers = (0.1, 1, 10, 100, 1e3, 1e4) if full else (1, 1e3)
    thetas = np.pi * np.array([0.01, 0.05, 0.2, 0.5, 1.0])

    def worst(scheme, number, correctors, **more):
        return max(growth(scheme, theta, (number, number), across="walls", correctors=correctors, **more)
                   for theta in thetas)

    for scheme, correctors in itertools.product(SCHEMES, (1, 2)):
        report(f"walls-{scheme}-{correctors}", max(worst(scheme, number, correctors) for number in numbers))
    report("walls-rotation-of-3", worst("bdf2", 1e3, 1, rotation=3), grows=True)


def main():
    for part in two_fluids, waves, stream, walls:
        part("--full" in sys.argv[1:])
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
