//! Compares the symbols that each library exports with those that it should export.

mod mpich;
mod openmpi;
mod standard;

use mpi_library::functions::FunctionRow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// The clocks and waits of C's library that all libraries replace.
const CLOCKS: [&str; 17] = [
    "clock_gettime",
    "gettimeofday",
    "time",
    "nanosleep",
    "clock_nanosleep",
    "usleep",
    "sleep",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "sem_timedwait",
    "sem_clockwait",
    "poll",
    "ppoll",
    "select",
    "pselect",
    "epoll_wait",
    "epoll_pwait",
];

/// Checks that a library exports the functions of some lists, other symbols, and nothing else.
pub(crate) fn check(library: &str, lists: &[&[FunctionRow]], others: Vec<String>) {
    let mut expected = BTreeSet::from_iter(others);
    expected.extend(CLOCKS.iter().chain(&mpi_library::extension::NAMES).map(|name| (*name).to_owned()));
    for function in lists.iter().copied().flatten() {
        let sizes = if function.form.ends_with("large") { &["", "_c"][..] } else { &[""] };
        expected.extend(
            sizes
                .iter()
                .flat_map(|size| ["MPI_", "PMPI_"].map(|prefix| format!("{prefix}{}{size}", function.name))),
        );
    }
    let found = symbols(library);
    let missing: Vec<_> = expected.difference(&found).collect();
    let unexpected: Vec<_> = found.difference(&expected).collect();
    assert!(missing.is_empty() && unexpected.is_empty(), "missing: {missing:?}, unexpected: {unexpected:?}");
}

/// The symbols that a library of this build defines, by `nm`, which every C compiler brings.
fn symbols(library: &str) -> BTreeSet<String> {
    let path = built(library);
    let printed =
        Command::new("nm").args(["-D", "--defined-only"]).arg(&path).output().expect("nm can be run");
    assert!(printed.status.success(), "nm cannot read {}", path.display());
    let text = String::from_utf8(printed.stdout).expect("names of symbols are texts");
    text.lines().filter_map(|line| line.split_whitespace().nth(2)).map(str::to_owned).collect()
}

/// A library as programs get it, which is built unless it has been.
fn built(library: &str) -> PathBuf {
    const PROFILE: &str = "mpi-libraries";
    let test = std::env::current_exe().expect("the test has a path");
    let target = test.ancestors().nth(3).expect("it is three folders below that of all targets");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--locked", "--offline", "--profile", PROFILE, "--target-dir"])
        .arg(target);
    let status = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo can be run");
    assert!(status.success(), "the library cannot be built");
    target.join(PROFILE).join(format!("lib{library}.so"))
}
