"""Machine rooms from Python and by command: partitions, conflicts, catalogues, plots, invalid files."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import torusim
from tests.support import ROOT, Command, assert_one_message, assert_says, refused, succeeded
from torusim import _core
from torusim.queue.room import MachineRoom, Partition

HALF_ROW = ["R00-M0", "R00-M1", "R01-M0", "R01-M1", "R02-M0", "R02-M1", "R03-M0", "R03-M1"]


@pytest.fixture(scope="module")
def intrepid() -> MachineRoom:
    return MachineRoom.load("intrepid")


def test_a_torus_of_one_rack(intrepid: MachineRoom) -> None:
    p = intrepid.partition(["R00-M1", "R00-M0"], wiring="torus")
    assert p.cables == ["Z R00-M0 R00-M1", "Z R00-M1 R01-M1", "Z R01-M1 R01-M0", "Z R01-M0 R00-M0"]
    assert (p.shape, p.wrap, p.nodes) == ([8, 8, 16], [True, True, True], 1024)
    assert p.passed_through == [("R01-M1", "Z"), ("R01-M0", "Z")]
    assert p.link_chips[("R00-M0", "Z")] == "join"
    assert p.link_chips[("R00-M0", "X")] == "wrap"
    assert p.link_chips[("R01-M0", "Z")] == "pass through"
    assert ("R01-M0", "X") not in p.link_chips


def test_a_mesh_of_one_rack(intrepid: MachineRoom) -> None:
    p = intrepid.partition(["R00-M0", "R00-M1"], wiring="mesh")
    assert (p.cables, p.wrap, p.wiring) == (["Z R00-M0 R00-M1"], [True, True, False], "mesh")
    assert p.passed_through == []


@pytest.mark.parametrize(
    ("wiring", "shape", "wrap", "cables"),
    [("torus", [8, 16, 32], [True, True, True], 24), ("mesh", [8, 16, 32], [True, False, True], 12)],
)
def test_half_a_row(intrepid: MachineRoom, wiring: str, shape: list[int], wrap: list[bool], cables: int) -> None:
    """The 4K mesh of the site's table is a mesh in Y and a torus in Z."""
    p = intrepid.partition(HALF_ROW, wiring)
    assert (p.shape, p.wrap, len(p.cables)) == (shape, wrap, cables)


@pytest.mark.parametrize(
    ("rows", "cables_of_a_line"), [([0, 1], 2), ([2, 4], 4), ([2, 3, 4], 4), ([0, 1, 2, 3], 6), ([1, 2, 3, 4], 8)]
)
def test_x_takes_every_cable_between_rows_of_its_loop(
    intrepid: MachineRoom, rows: list[int], cables_of_a_line: int
) -> None:
    racks = [name for name in intrepid.midplanes if int(name[1]) in rows]
    p = intrepid.partition(racks)
    assert sum(cable.startswith("X") for cable in p.cables) == 16 * cables_of_a_line
    assert p.shape == [8 * len(rows), 32, 32]
    assert p.wrap == [True, True, True]


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [("torus", "torus", True), ("torus", "mesh", True), ("mesh", "torus", True), ("mesh", "mesh", False)],
)
def test_two_racks_of_a_loop(intrepid: MachineRoom, one: str, other: str, conflict: bool) -> None:
    p = intrepid.partition(["R00-M0", "R00-M1"], one)
    q = intrepid.partition(["R01-M1", "R01-M0"], other)
    assert intrepid.conflicts(p, q) is conflict
    assert intrepid.conflicts(q, p) is conflict
    alone = intrepid.partition(["R01-M0"])
    assert not intrepid.conflicts(p, alone)


def test_parts_of_a_midplane(intrepid: MachineRoom) -> None:
    low, high = (intrepid.small_partition("R00-M0", 256, first) for first in (0, 8))
    assert (low.nodes, low.wiring, low.cables, low.node_cards) == (256, "mesh", [], range(8))
    assert not intrepid.conflicts(low, high)
    assert intrepid.conflicts(low, intrepid.small_partition("R00-M0", 64, 6))
    assert intrepid.conflicts(low, intrepid.partition(["R00-M0"]))
    assert not intrepid.conflicts(low, intrepid.small_partition("R00-M1", 64, 6))


@pytest.mark.parametrize("name", _core.known_rooms())
def test_the_default_profile_is_the_site(name: str) -> None:
    room = MachineRoom.load(name)
    assert room.default_profile == ("site" if "site" in room.profiles else min(room.profiles))


def test_a_catalogue(intrepid: MachineRoom) -> None:
    catalogue = intrepid.catalogue("site")
    assert len(catalogue) == 1384
    number = catalogue.find("torus-4096-X0-Y01-Z0123")
    assert catalogue[number] == intrepid.partition(HALF_ROW)
    assert catalogue[-1].nodes == 40960
    assert [p.name for p in catalogue[:2]] == [catalogue[0].name, catalogue[1].name]
    matrix = catalogue.conflict_matrix()
    assert (matrix == matrix.T).all()
    assert matrix.diagonal().all()
    assert catalogue.conflicts(number).tolist() == np.flatnonzero(matrix[number]).tolist()
    assert matrix[-1].all()


def test_a_partition_is_the_machine_of_a_scenario(intrepid: MachineRoom) -> None:
    room = MachineRoom.load("bluegene-p-2-racks")
    p = room.partition(["R00-M0", "R00-M1"], "mesh")
    assert p.machine() == {"preset": "bluegene-p", "shape": [8, 8, 16], "wrap": [True, True, False]}
    scenario = {"workload": {"kind": "nearest-neighbor", "payload_bytes": 240}}
    result = torusim.run(scenario, machine=p.machine())
    assert result.outcome == "completed"
    assert result.scenario["machine"]["wrap"] == [True, True, False]
    links = torusim.check(scenario, machine=p.machine())["links"]
    assert links == torusim.check(scenario, machine=intrepid.partition(["R00-M0", "R00-M1"]).machine())["links"] - 128


def test_a_room_without_a_machine_runs_only_with_a_named_one() -> None:
    """Without the rule, every machine would run as a Blue Gene/L."""
    room = MachineRoom.load("mira")
    p = room.partition([room.midplanes[0]])
    with pytest.raises(torusim.InputError, match=r"names no machine.*machine\(preset="):
        p.machine()
    assert p.machine("bluegene-p") == {"preset": "bluegene-p", "shape": p.shape, "wrap": p.wrap}


def test_node_cards_of_the_site() -> None:
    """The site's table has 40 partitions of one node card, 32 nodes."""
    catalogue = MachineRoom.load("intrepid").catalogue("site")
    cards = [p for p in catalogue if p.nodes == 32]
    assert len(cards) == 40
    assert all((p.shape, p.wiring, len(p.node_cards or [])) == ([4, 4, 2], "mesh", 1) for p in cards)
    assert "mesh-32-R00-M0-N04" not in [p.name for p in cards]
    assert "mesh-32-R00-M0-N01" in [p.name for p in cards]


@pytest.mark.parametrize(
    ("room", "nodes", "midplanes", "largest"),
    [
        ("intrepid", 40960, 80, [40, 32, 32]),
        ("bluegene-p-2-racks", 2048, 4, [8, 8, 32]),
        ("mira", 49152, 96, [8, 12, 16, 16, 2]),
    ],
)
def test_rooms(room: str, nodes: int, midplanes: int, largest: list[int]) -> None:
    loaded = MachineRoom.load(room)
    whole = loaded.partition(loaded.midplanes)
    assert (loaded.nodes, len(loaded.midplanes), whole.shape) == (nodes, midplanes, largest)
    assert all(whole.wrap)
    assert len(whole.cables) == len(loaded.cables)


def test_sizes_of_mira_match_its_queues() -> None:
    """All sizes are available as tori; 1,024 and 32,768 nodes also as meshes in one dimension."""
    catalogue = MachineRoom.load("mira").catalogue("site")
    sizes = [512, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 49152]
    assert sorted({p.nodes for p in catalogue if p.wiring == "torus"}) == sizes
    meshes = [p for p in catalogue if p.wiring == "mesh"]
    assert {p.nodes for p in meshes} == {1024, 32768}
    assert all(p.wrap.count(False) == 1 for p in meshes)


def test_cubes_behind_switches_make_any_box() -> None:
    room = MachineRoom.load("tpu-v4-pod")
    p = room.partition(["cube-03", "cube-41"], spans=[1, 1, 2])
    assert (p.shape, p.wrap, p.cables, p.midplane_count) == ([4, 4, 8], [True, True, True], [], 2)
    assert not room.conflicts(p, room.partition(["cube-04", "cube-40"], spans=[2, 1, 1]))
    assert room.conflicts(p, room.partition(["cube-41"], spans=[1, 1, 1]))
    sizes = room.catalogue("free")
    assert {tuple(q.shape) for q in sizes if q.nodes == 512} == {(4, 4, 32), (4, 8, 16), (8, 8, 8)}


BAD_CALLS: dict[str, tuple[Callable[[], object], list[str]]] = {
    "unknown room": (lambda: MachineRoom.load("intrepd"), ["intrepd", "did you mean intrepid?"]),
    "missing file": (lambda: MachineRoom.load("none.toml"), ["none.toml", "no such file"]),
    "unknown midplane": (lambda: _intrepid(["R00-M2"]), ["R00-M2", "did you mean R00-M", "R00-M0 to R47-M0"]),
    "named twice": (lambda: _intrepid(["R00-M0", "R00-M0"]), ["R00-M0 is named twice"]),
    "no midplanes": (lambda: _intrepid([]), ["at least one"]),
    "not a box": (lambda: _intrepid(["R00-M0", "R00-M1", "R02-M0"]), ["not a box", "R02-M1"]),
    "not in a row": (lambda: _intrepid(["R00-M0", "R01-M1"], "mesh"), ["0, 2", "follow one another", "loop of Z"]),
    "unknown wiring": (lambda: _intrepid(["R00-M0"], "ring"), ["ring", "torus", "mesh"]),
    "one text": (lambda: MachineRoom.load("intrepid").partition("R00-M0"), ["list of names"]),
    "unknown profile": (lambda: MachineRoom.load("intrepid").catalogue("sites"), ["sites", "did you mean site?"]),
    "no such part": (
        lambda: MachineRoom.load("intrepid").small_partition("R00-M0", 64, 1),
        ["64 nodes", "32, 64, 128, 256"],
    ),
    "spans elsewhere": (
        lambda: MachineRoom.load("intrepid").partition(["R00-M0"], spans=[1, 1, 1]),
        ["spans", "must not be given"],
    ),
    "no spans": (lambda: MachineRoom.load("tpu-v4-pod").partition(["cube-00"]), ["spans", "3 dimensions"]),
    "of another room": (
        lambda: MachineRoom.load("intrepid").conflicts(_intrepid(["R00-M0"]), _intrepid(["R00-M0"])),
        ["of this room"],
    ),
    "unknown partition": (lambda: MachineRoom.load("intrepid").catalogue("site").find("none"), ["site", "none"]),
}


def _intrepid(midplanes: list[str], wiring: str = "torus") -> Partition:
    return MachineRoom.load("intrepid").partition(midplanes, wiring)


@pytest.mark.parametrize("case", BAD_CALLS)
def test_bad_call_raises_a_specific_message(case: str) -> None:
    call, words = BAD_CALLS[case]
    with refused(*words):
        call()


SMALL_ROOM = (ROOT / "machine-rooms" / "bluegene-p-2-racks.toml").read_text()
LOOPS = "loops = [[0, 1, 2, 3]]"
NAMES = 'names = ["R00-M0", "R00-M1", "R01-M1", "R01-M0"]'

BAD_ROOMS = {
    "a cable to nowhere": (LOOPS, "loops = [[0, 1, 2, 4]]", ["dimension.Z.loops[0]", "cable to nowhere", "0 to 3"]),
    "a loop that crosses itself": (LOOPS, "loops = [[0, 1, 0, 3]]", ["dimension.Z.loops[0]", "0 twice"]),
    "a loop of one": (LOOPS, "loops = [[0, 1, 2, 3], [2]]", ["dimension.Z.loops[1]", "at least two"]),
    "an unnamed loop": (LOOPS, "loops = [[0, 1, 2, 3], [2, 0]]", ["also close the loop"]),
    "too few names": (NAMES, 'names = ["R00-M0", "R00-M1"]', ["midplane.names", "2 names", "1 x 1 x 4"]),
    "a name twice": (NAMES, NAMES.replace("R01-M0", "R00-M0"), ["midplane.names[3]", "named twice"]),
    "an empty name": (NAMES, NAMES.replace("R01-M0", ""), ["midplane.names[3]"]),
    "an unknown key": (LOOPS, "lops = [[0, 1, 2, 3]]", ["dimension.Z.lops", "did you mean loops?"]),
    "an unknown section": ("[boxes.any]", "[box.any]", ["box", "did you mean boxes?"]),
    "an unknown dimension": ("[dimension.Z]", "[dimension.W]", ["dimension.W", "Known: X, Y, Z"]),
    "places that are not there": ("Z = [[0, 1], [2, 3]]", "Z = [[0, 1], [2, 4]]", ["boxes.rack.Z[1]", "0 to 3"]),
    "boxes in no words": ('Z = "runs"', 'Z = "run"', ["boxes.any.Z", '"each", "whole", "runs"']),
    "boxes of no such dimension": ('Z = "runs"', 'T = "runs"', ["boxes.any.T", "Known: X, Y, Z"]),
    "boxes of no such name": ('mesh = ["rack"]', 'mesh = ["rak"]', ["mesh[0]", "did you mean rack?"]),
    "no such part": ("below_midplane = [64,", "below_midplane = [65,", ["below_midplane[0]", "64, 128, 256"]),
    "a shape of two": ("shape = [8, 8, 8]", "shape = [8, 8]", ["midplane.shape", "3 lengths"]),
    "a shape of none": ("shape = [8, 8, 8]", "shape = [8, 0, 8]", ["midplane.shape", "dimension 1 is 0"]),
    "no node cards": ("per_midplane = 16", "per_midplane = 0", ["node_cards.per_midplane", "512"]),
    "parts that do not fit": ("[4, 8, 8]]", "[4, 8, 9]]", ["node_cards.shapes[2]", "[8, 8, 8]"]),
    "no length": ("length = 4", "length = 0", ["dimension.Z.length", "1 to 64"]),
}


def line_of(text: str) -> int:
    """The first line of the small room that contains the text."""
    return SMALL_ROOM[: SMALL_ROOM.index(text)].count("\n") + 1


@pytest.mark.parametrize("case", BAD_ROOMS)
def test_bad_room_is_reported_with_file_and_line(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong, words = BAD_ROOMS[case]
    monkeypatch.chdir(tmp_path)
    Path("bad.toml").write_text(SMALL_ROOM.replace(right, wrong, 1))
    with pytest.raises(torusim.InputError) as caught:
        MachineRoom.load("bad.toml")
    message = str(caught.value)
    assert message.startswith(f"bad.toml:{line_of(right)}: ")
    assert all(word in message for word in words), message


def test_a_cable_to_nowhere_ends_the_command_with_one_message(command: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(SMALL_ROOM.replace(LOOPS, "loops = [[0, 1, 2, 4]]"))
    finished = command("room", "bad.toml")
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == (
        f"torusim: bad.toml:{line_of(LOOPS)}: dimension.Z.loops[0] = [0, 1, 2, 4]: "
        "a cable to nowhere: Z has the places 0 to 3, not 4\n"
    )


def test_error_in_a_list_item_names_the_item_s_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(SMALL_ROOM.replace(LOOPS, "loops = [\n    [0, 1, 2, 3],\n    [0, 7],\n]"))
    with pytest.raises(torusim.InputError, match=rf"bad.toml:{line_of(LOOPS) + 2}: .*\[0, 7\]: a cable to nowhere"):
        MachineRoom.load(path)


def test_boxes_that_cables_cannot_wire_are_named_by_their_key(command: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(SMALL_ROOM.replace(LOOPS, "loops = [[0, 1]]"))
    assert_says(
        command("room", "bad.toml", "--profile", "paper-2009"), "bad.toml:", "boxes.rack", "no loop of Z passes 2, 3"
    )


def test_the_command_shows_a_map(command: Command) -> None:
    lower, upper = "R00-M0,R00-M1", "R01-M1,R01-M0:mesh"
    finished = succeeded(command("room", "intrepid", "--show", "--partition", lower, "--partition", upper))
    assert "X0 Y0  R00-M0 a  R00-M1 a  R01-M1 b  R01-M0 b" in finished.stdout
    assert "a and b conflict: both take Z R01-M1 R01-M0." in finished.stdout


def test_the_command_draws_a_map(command: Command, tmp_path: Path) -> None:
    succeeded(command("room", "bluegene-p-2-racks", "--partition", "R00-M0,R00-M1", "--picture", "map.png"))
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("room", MachineRoom.known())
def test_a_map_has_every_midplane_and_partition(room: str, tmp_path: Path) -> None:
    loaded = MachineRoom.load(room)
    spans = [1] * len(loaded.dimensions) if loaded.is_switched else None
    p = loaded.partition(loaded.midplanes[:1], spans=spans)
    path = tmp_path / "map.svg"
    loaded.plot([p]).save(path)
    drawn = path.read_text()
    assert all(f"<!-- {name} -->" in drawn for name in loaded.midplanes)
    assert f"<!-- {p.name}: " in drawn


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--picture", "map.jpg"], ["--picture map.jpg", ".png, .svg, .pdf"]),
        (["--picture", "no/map.png"], ["--picture no/map.png", "there is no folder no"]),
        (["--partition", "R00-M9"], ["R00-M9"]),
        (["--partition", "R00-M0:torus:two"], ["two", "1x1x2"]),
        (["--profile", "site", "--partition", "torus-1"], ["site", "torus-1"]),
    ],
)
def test_bad_options_end_in_one_message(arguments: list[str], words: list[str], command: Command) -> None:
    assert_one_message(command("room", "intrepid", *arguments), *words)


def test_json_contains_the_catalogue(command: Command) -> None:
    shown = json.loads(command("room", "intrepid", "--profile", "paper-2009", "--json").stdout)
    assert len(shown["catalogue"]) == 163
    assert shown["cables"][0] == "X R00-M0 R10-M1"
    assert [room["name"] for room in json.loads(command("room", "--json").stdout)] == MachineRoom.known()


def test_rooms_are_compiled_in() -> None:
    """An installed wheel contains every room of the repository."""
    assert sorted(path.stem for path in ROOT.glob("machine-rooms/*.toml")) == sorted(MachineRoom.known())
