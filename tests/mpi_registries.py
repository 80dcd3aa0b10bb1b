"""Programs and headers of other MPI libraries, from the registries of Debian and PyPI. Nothing is installed.

Packages are unpacked once, into a folder that pytest keeps between sessions. A test that needs one is skipped where it
cannot be downloaded.
"""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mpi_support import compiled_with, libraries

DOWNLOAD_SECONDS = 300


@dataclass(frozen=True)
class Interface:
    """The binary interface of another MPI library.

    Attributes:
        headers: The folder with its mpi.h.
        library: The name of torusim's library with that interface.
    """

    headers: Path
    library: str

    def compile(self, name: str) -> Path:
        """A program of the tests; warnings are those of that library's header."""
        return compiled_with(name, (f"-I{self.headers}", "-w"), libraries() / self.library)


DEVELOPMENT = {"mpich": ("libmpich-dev", "libmpi.so.12"), "openmpi": ("libopenmpi-dev", "libmpi.so.40")}
"""For each other interface, the package of Debian with its header, and torusim's library."""


@dataclass(frozen=True)
class Registries:
    """Packages that have been, or can be, downloaded into a folder."""

    folder: Path

    def debian(self, package: str) -> Path:
        """The folder with the files of a package of Debian, of the host's release."""

        def unpack(new: Path) -> None:
            _run(["apt-get", "download", package], new)
            [archive] = new.glob("*.deb")
            _run(["dpkg", "-x", str(archive), str(new)], new)
            archive.unlink()

        return self._kept(f"debian-{package}", unpack)

    def pypi(self, package: str, version: str, only: Sequence[str] = ("",)) -> Path:
        """The folder with the files of a wheel, of which the paths of some contain these words."""

        def unpack(new: Path) -> None:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
            _run([*pip, f"{package}=={version}"], new)
            [wheel] = new.glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.infolist():
                    if any(word in member.filename for word in only):
                        path = Path(archive.extract(member, new))
                        path.chmod(member.external_attr >> 16 & 0o777 | 0o600)
            wheel.unlink()

        return self._kept(f"pypi-{package}-{version}", unpack)

    def prefix(self, package: str, version: str) -> Path:
        """The folder into which a wheel has been installed: `bin`, `lib` and so on."""

        def install(new: Path) -> None:
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
            _run([*pip, "--ignore-installed", "--prefix", str(new), f"{package}=={version}"], new)

        return self._kept(f"prefix-{package}-{version}", install)

    def interface(self, name: str) -> Interface:
        """The interface of "mpich" or "openmpi"."""
        package, library = DEVELOPMENT[name]
        headers = sorted(self.debian(package).rglob("mpi.h"))
        return Interface(headers[0].parent, library)

    def _kept(self, name: str, unpack: Callable[[Path], None]) -> Path:
        folder = self.folder / name
        if folder.exists():
            return folder
        new = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=self.folder))
        try:
            unpack(new)
            if not folder.exists():  # another process may have been faster
                new.rename(folder)
        except (OSError, subprocess.SubprocessError) as error:
            words = getattr(error, "stderr", None) or error
            pytest.skip(f"{name} cannot be downloaded: {words}")
        finally:
            shutil.rmtree(new, ignore_errors=True)
        return folder


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=DOWNLOAD_SECONDS)
