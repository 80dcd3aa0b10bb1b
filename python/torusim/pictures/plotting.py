"""Pictures of anything: from results, schedules, sweeps, curves and rooms, or from their folders, to pictures.

    run | runs | schedule | schedules | sweep | curve | room  -->  torusim.pictures.plots  -->  Picture

matplotlib is imported when the first picture is drawn: it loads more slowly than everything else here.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from torusim import curves
from torusim._core import InputError
from torusim.common.folder import RESULT_FILE
from torusim.common.formatting import shown
from torusim.curves import Curve, load_curve
from torusim.queue.room import MachineRoom, Partition
from torusim.queue.schedule import Schedule, is_schedule, load_schedule
from torusim.runs.result import Result, load
from torusim.runs.scenario import printable
from torusim.sweeps.points import POINTS_FOLDER
from torusim.sweeps.shards import has_list
from torusim.sweeps.sweep import TABLE_FILE, Sweep, load_sweep

if TYPE_CHECKING:
    from torusim.pictures.plots import Choice, Picture, Window

Drawable: TypeAlias = Result | Schedule | Sweep | Curve
"""The things that a folder may hold."""

DEFAULT_PICTURE = "utilization-over-time"


def plot(
    what: Drawable | MachineRoom | Sequence[Result | Schedule] | Mapping[str, Result | Schedule],
    picture: str | None = None,
) -> "Picture":
    """A picture of a result, a schedule, a sweep, a curve or a room, or of several results or schedules.

    Args:
        what: The object or objects to draw. Several results, or several schedules, are a list, or a dict that names
            them.
        picture: The picture's name: the file's that `torusim plot` writes, without its suffix; of a sweep the value of
            the summary that is drawn. None: "utilization-over-time" of runs and schedules.

    Raises:
        InputError: If the object has no such picture, or nothing to draw in it.
    """
    if isinstance(what, MachineRoom):
        return plot_room(what)
    if isinstance(what, Sweep):
        return plot_sweep(what, picture)
    if isinstance(what, Curve):
        return draw({"": what}, only=picture)[0]
    named = {"": what} if isinstance(what, Result | Schedule) else _named(what)
    return draw(named, only=DEFAULT_PICTURE if picture is None else picture)[0]


def plot_room(room: MachineRoom, partitions: Iterable[Partition] = ()) -> "Picture":
    """The map of a room, with partitions in color.

    Raises:
        InputError: If an item is no partition.
    """
    from torusim.pictures import plots

    if not isinstance(partitions, Iterable):
        raise InputError(f"partitions: {shown(partitions)} is not a list of partitions")
    chosen = list(partitions)
    for partition in chosen:
        if not isinstance(partition, Partition):
            raise InputError(f"partitions: {shown(partition)} is not a partition")
    return plots.draw_room(room, chosen)


def plot_sweep(sweep: Sweep, y: str | None = None, *, x: str | None = None, by: str | Sequence[str] = ()) -> "Picture":
    """A value of the summary over a swept key; options that are not given are guessed.

    Raises:
        InputError: If a column is missing, or there is nothing to draw.
    """
    from torusim.pictures import plots

    if not isinstance(by, Iterable):
        raise InputError(f"by: {shown(by)} has to be a swept key, or a list of them")
    choice = plots.Choice(x, () if y is None else (y,), tuple([by] if isinstance(by, str) else by))
    return plots.draw_sweep(sweep.table, sweep.keys, choice, sweep.units)[0]


def draw(
    named: Mapping[str, Drawable],
    *,
    only: str | None = None,
    window: "Window | None" = None,
    choice: "Choice | None" = None,
    at_second: int | None = None,
) -> list["Picture"]:
    """Every picture of things of one kind: of runs or schedules, by name, or of one sweep or curve.

    Args:
        named: The things to draw, by name.
        only: The one picture to draw, of runs or schedules; None draws all.
        window: The part of time that is shown: cycles of runs, seconds of schedules.
        choice: The keys of a sweep to draw.
        at_second: Time of the map of a schedule's room, in seconds of the log.

    Raises:
        InputError: If they are of different kinds, an option is not for this kind, or there is nothing to draw.
    """
    from torusim.pictures import plots

    shown_window = window or plots.EVERYTHING
    has_choice = choice is not None and choice != plots.Choice()
    if _are_schedules(named):
        _refuse(has_choice, "x, y and by", "sweeps", "a schedule")
        drawn = plots.draw_schedules(named, only=only, window=shown_window, at_second=at_second)
    elif _are_runs(named):
        _refuse(has_choice, "x, y and by", "sweeps", "a run")
        _refuse(at_second is not None, "at", "schedules of a room", "a run")
        drawn = plots.draw_runs(named, only=only, window=shown_window)
    else:
        measured = _only_one(named)
        kind = f"a {_kind(measured)}"
        _refuse(at_second is not None, "at", "schedules of a room", kind)
        _refuse(not shown_window.is_everything, "from and until", "pictures over time", kind)
        _refuse(only is not None, "only", "runs and schedules (for sweeps, y)", kind)
        if isinstance(measured, Sweep):
            return plots.draw_sweep(measured.table, measured.keys, choice or plots.Choice(), measured.units)
        _refuse(has_choice, "x, y and by", "sweeps", kind)
        return [measured.plot()]
    if only is not None and not drawn:
        raise InputError(f"{only}: there is nothing to draw in it")
    return drawn


def _refuse(is_given: bool, options: str, of: str, what: str) -> None:
    if is_given:
        raise InputError(f"{options}: is for {of}, and this is {what}")


def _are_runs(named: Mapping[str, Drawable]) -> TypeGuard[Mapping[str, Result]]:
    return all(isinstance(thing, Result) for thing in named.values())


def _are_schedules(named: Mapping[str, Drawable]) -> TypeGuard[Mapping[str, Schedule]]:
    return all(isinstance(thing, Schedule) for thing in named.values())


def _only_one(named: Mapping[str, Drawable]) -> Sweep | Curve:
    """The one sweep or curve.

    Raises:
        InputError: If there is more than one, or things of different kinds.
    """
    kinds = {_kind(thing) for thing in named.values()}
    if len(kinds) > 1:
        listed = ", ".join(f"{name or 'one'} is a {_kind(thing)}" for name, thing in named.items())
        raise InputError(f"results, schedules, sweeps and curves have no picture in common: {listed}")
    if len(named) > 1:
        raise InputError(f"{', '.join(named)}: {kinds.pop()}s are drawn one at a time")
    (thing,) = named.values()
    assert isinstance(thing, Sweep | Curve)
    return thing


def _kind(thing: Drawable) -> str:
    return type(thing).__name__.lower()


def _named(what: object) -> Mapping[str, Result | Schedule]:
    """Things by name: the items of a list have the names of their folders, or numbers."""
    if isinstance(what, Mapping):
        named = {printable(str(name)): thing for name, thing in what.items()}
    elif isinstance(what, Iterable) and not isinstance(what, str | bytes):
        things = list(what)
        folders = [getattr(thing, "folder", None) for thing in things]
        if all(folders) and len(set(folders)) == len(folders):
            named = dict(zip(short_names([Path(str(folder)) for folder in folders]), things, strict=True))
        else:
            named = {str(number): thing for number, thing in enumerate(things, 1)}
    else:
        named = {"": what}
    for thing in named.values():
        if not isinstance(thing, Result | Schedule):
            raise InputError(
                f"plot: {shown(thing)} is not a result, a schedule, a sweep, a curve or a room, or a list of them"
            )
    if not named:
        raise InputError("plot: there is nothing to draw in an empty list")
    return named


def load_any(folder: Path) -> Drawable:
    """The result, schedule, sweep or curve of a folder.

    Raises:
        InputError: If it holds none of these, or one that cannot be read.
    """
    if folder.name == curves.TABLE_FILE or os.path.exists(folder / curves.TABLE_FILE):
        return load_curve(folder)
    if folder.suffix == ".parquet" or os.path.exists(folder / TABLE_FILE):
        return load_sweep(folder)
    if os.path.isdir(folder / POINTS_FOLDER) and not os.path.exists(folder / RESULT_FILE):
        if has_list(folder):
            raise InputError(f"{folder}: holds shards of a sweep; torusim collect {folder} writes the table of all")
        raise InputError(
            f"{folder}: holds the points of a study, which draws its own figure, or of a sweep or curve that is not "
            "finished: repeat its command"
        )
    return load_schedule(folder) if is_schedule(folder) else load(folder)


def in_units(thing: Drawable, units: str) -> Drawable:
    """The result, sweep or curve with times and rates shown in "cycles" or "physical" units.

    Raises:
        InputError: If it is a schedule, or there are no such units.
    """
    if isinstance(thing, Schedule):
        raise InputError("units: are for runs, sweeps and curves; the times of a schedule are in seconds")
    return thing.in_units(units)


def short_names(folders: Sequence[Path]) -> list[str]:
    """The names of folders in legends: their last parts, as many as distinguish them."""
    resolved = [(folder if folder.is_dir() else folder.parent).resolve() for folder in folders]
    longest = max((len(folder.parts) for folder in resolved), default=1)
    for count in range(1, longest + 1):
        names = [os.path.join(*folder.parts[-count:]) for folder in resolved]
        if len(set(names)) == len(names):
            return [printable(name) for name in names]
    return [f"{printable(folder.name)} ({number})" for number, folder in enumerate(resolved, 1)]
