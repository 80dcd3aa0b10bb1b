//! Builds the MPI libraries of programs, which travel in the extension module: it is the only file of a wheel that is
//! built. They are built once for all profiles of the simulator, by a profile of their own. Most of their code is
//! the same, so they are compressed together, to less than a fifth.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates of the libraries, the names of their files, and those under which programs look for them.
const LIBRARIES: [(&str, &str, &str); 4] = [
    ("torusim-mpi-abi", "libmpi_abi.so", "libmpi_abi.so.1"),
    ("torusim-mpi-mpich", "libmpi_mpich.so", "libmpi.so.12"),
    ("torusim-mpi-openmpi", "libmpi_openmpi.so", "libmpi.so.40"),
    ("torusim-mpi-clocks", "libmpi_clocks.so", "libtorusim_clocks.so"),
];

/// Their profile, and the folder below that of all targets in which they are.
const PROFILE: &str = "mpi-libraries";

/// The logarithm of the distance at which the same code is found: further than all libraries are long.
const WINDOW_LOG: u32 = 24;

/// The crates on which they depend.
const SOURCES: [&str; 6] = ["rank-wire", "mpi-library", "mpi-abi", "mpi-mpich", "mpi-openmpi", "mpi-clocks"];

fn main() {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let workspace = Path::new(&manifest).join("../..");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", workspace.join("crates").join(source).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // OUT_DIR is TARGET/PROFILE/build/NAME/out, and TARGET may be for another architecture.
    let target = out.ancestors().nth(4).expect("OUT_DIR is in the target folder");
    let status = command(&workspace, target).status().expect("cargo builds this, and can be started");
    assert!(status.success(), "the MPI libraries cannot be built");
    let libraries = LIBRARIES.map(|(_, file, name)| {
        let built = target.join(PROFILE).join(file);
        let content = std::fs::read(&built).unwrap_or_else(|error| panic!("{}: {error}", built.display()));
        (name, content)
    });
    write(&libraries, &out).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

/// Writes the libraries, compressed, and their names and lengths.
fn write(libraries: &[(&str, Vec<u8>)], out: &Path) -> std::io::Result<()> {
    let lengths: Vec<(&str, usize)> =
        libraries.iter().map(|(name, content)| (*name, content.len())).collect();
    std::fs::write(out.join("libraries.rs"), format!("&{lengths:?}"))?;
    let mut compressed = zstd::Encoder::new(std::fs::File::create(out.join("libraries.zst"))?, 19)?;
    compressed.long_distance_matching(true)?;
    compressed.window_log(WINDOW_LOG)?;
    for (_, content) in libraries {
        compressed.write_all(content)?;
    }
    compressed.finish()?.sync_all()
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
        .args(["build", "--profile", PROFILE, "--locked", "--offline", "--quiet", "--target-dir"])
        .arg(target)
        .args(LIBRARIES.iter().flat_map(|(package, ..)| ["--package", package]));
    command
}
