//! Builds the MPI libraries of programs, which travel in the extension module: it is the only file of a wheel that is
//! built. They are always optimized, and built once for all profiles, in a folder of their own.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates of the libraries, and the names of their files.
const LIBRARIES: [(&str, &str); 4] = [
    ("torusim-mpi-abi", "libmpi_abi.so"),
    ("torusim-mpi-mpich", "libmpi_mpich.so"),
    ("torusim-mpi-openmpi", "libmpi_openmpi.so"),
    ("torusim-mpi-clocks", "libmpi_clocks.so"),
];

/// The crates on which they depend.
const SOURCES: [&str; 6] = ["rank-wire", "mpi-library", "mpi-abi", "mpi-mpich", "mpi-openmpi", "mpi-clocks"];

fn main() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", workspace.join("crates").join(source).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // OUT_DIR is TARGET/PROFILE/build/NAME/out, and TARGET may be for another architecture.
    let target = out.ancestors().nth(4).expect("OUT_DIR is in the target folder").join("mpi-libraries");
    let status = command(&workspace, &target).status().expect("cargo builds this, and can be started");
    assert!(status.success(), "the MPI libraries cannot be built");
    for (_, file) in LIBRARIES {
        let built = target.join("release").join(file);
        std::fs::copy(&built, out.join(file)).unwrap_or_else(|error| panic!("{}: {error}", built.display()));
    }
}

fn command(workspace: &Path, target: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"));
    for (name, _) in env::vars_os() {
        // What cargo sets for this script would make it build everything again each time.
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_") && name != "CARGO_HOME"
            || name.starts_with("RUST") && name != "RUSTUP_HOME"
        {
            command.env_remove(&*name);
        }
    }
    command
        .current_dir(workspace)
        .args(["build", "--release", "--locked", "--offline", "--quiet", "--target-dir"])
        .arg(target)
        .args(LIBRARIES.iter().flat_map(|(package, _)| ["--package", package]))
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "none")
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    command
}
