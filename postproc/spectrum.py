#!/usr/bin/env python3
"""The frequencies of a force, or of anything else that a run in time has in a table.

    spectrum.py RUN.out forces/cylinder.csv coefficient_y [--from 5] [--length 0.1 --speed 1]

The mean and the root mean square of the column, and its strongest frequencies with their amplitudes; with --length and
--speed also their Strouhal numbers, frequency * length / speed.  From rows after --from, without which the first half is
left out.  Pictures and numbers: RUN.out/spectrum.png and spectrum.csv (frequency,amplitude).
"""
import argparse

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run, figure, save

LEAST = 16                                                      # rows that make a spectrum


def spectrum(time, value):
    """(frequency, amplitude): rows at times that need not be evenly spaced are brought to even ones by straight lines.
    Hann's window; a sine of the amplitude a has a peak of the height a."""
    even = np.linspace(time[0], time[-1], len(time))
    signal = np.interp(even, time, value)
    window = np.hanning(len(even))
    amplitude = 2 * np.abs(np.fft.rfft((signal - signal.mean()) * window)) / window.sum()
    return np.fft.rfftfreq(len(even), even[1] - even[0]), amplitude


def peaks(frequency, amplitude, n=3):
    """The n strongest (frequency, amplitude), from a parabola through the logarithms of three neighbours, with Hann's window
    good to 2 % of the amplitude.  None is under a hundredth of the strongest."""
    tops = [k for k in range(1, len(amplitude) - 1) if amplitude[k - 1] < amplitude[k] >= amplitude[k + 1]]
    found = []
    for k in sorted(tops, key=lambda k: -amplitude[k])[:n]:
        left, top, right = np.log(np.maximum(amplitude[k - 1:k + 2], 1e-300))
        bend = left - 2 * top + right
        shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
        found.append((frequency[k] + shift * (frequency[1] - frequency[0]), np.exp(top - 0.25 * (left - right) * shift)))
    return [p for p in found if p[1] >= 0.01 * found[0][1]]


def late_rows(table, column, begin=None):
    """(time, value) of a table after a time, of its second half where none is given."""
    time, value = table["time"], table[column]
    if begin is None and len(time):
        begin = 0.5 * (time[0] + time[-1])
    use = time >= begin if len(time) else np.zeros(0, bool)
    if use.sum() < LEAST:
        raise PoiseError(f"{table.path}: {use.sum()} rows from t = {begin:g} on, {LEAST} are needed; expected a smaller --from, "
                         "or a longer run (time.end)" if len(time) else f"{table.path}: it has no rows")
    return time[use], value[use]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run in time")
    parser.add_argument("table", help="in it, like forces/cylinder.csv or probes/behind.csv")
    parser.add_argument("column", help="like coefficient_y, force_y, pressure")
    parser.add_argument("--from", type=float, dest="begin", metavar="T", help="leave out what is before")
    parser.add_argument("--length", type=float, metavar="L", help="for Strouhal numbers, like the diameter")
    parser.add_argument("--speed", type=float, metavar="U", help="for Strouhal numbers")
    options = parser.parse_args()
    if (options.length is None) != (options.speed is None):
        raise PoiseError("a Strouhal number needs both --length and --speed")
    run = Run(options.run)
    time, value = late_rows(run.table(*options.table.split("/")), options.column, options.begin)
    frequency, amplitude = spectrum(time, value)
    found = peaks(frequency, amplitude)
    print(f"{options.column}, t = {time[0]:g} .. {time[-1]:g}: mean {value.mean():.6g}, root mean square "
          f"{value.std():.4g} about it")
    for f, a in found:
        periods = f * (time[-1] - time[0])
        strouhal = f"   Strouhal number {f * options.length / options.speed:.4g}" if options.length is not None else ""
        print(f"  frequency {f:.5g}   amplitude {a:.4g}{strouhal}   {periods:.1f} periods"
              + ("; expected 5 and more" if periods < 5 else ""))
    if not found:
        print("  no frequency: it does not oscillate")
    np.savetxt(run.path("spectrum.csv"), np.c_[frequency, amplitude], delimiter=",", header="frequency,amplitude",
               comments="")
    fig, axes = figure(9, 3.6, 1, 2)
    axes[0, 0].plot(time, value, color="#1f4e9c"), axes[0, 0].set_xlabel("t [code units]")
    axes[0, 0].set_title(options.column)
    axes[0, 1].semilogy(frequency[1:], np.maximum(amplitude[1:], 1e-12), color="#1f4e9c")
    axes[0, 1].set_xlabel("frequency [1 / code units of time]"), axes[0, 1].set_title("amplitude")
    save(fig, run.path("spectrum.png"))


if __name__ == "__main__":
    command(main)
