//! The symbols of the library with the interface of Open MPI.

use crate::check;
use mpi_library::functions::{FUNCTIONS, OLDER_FUNCTIONS};

/// The extensions, also under the names for tools.
const EXTENSIONS: &[&str] = &[
    "Comm_ack_failed",
    "Comm_agree",
    "Comm_get_failed",
    "Comm_iagree",
    "Comm_is_revoked",
    "Comm_revoke",
    "Comm_shrink",
];

macro_rules! variables {
    ($($kind:ident $name:ident $standard:literal $mpich:tt $variable:tt;)*) => {
        const VARIABLES: &[&str] = &[$(stringify!($variable)),*];
    };
}

mpi_library::predefined_handles!(variables, ());

/// The functions of attributes of communicators, datatypes and windows, and those of MPI 1.
fn attribute_functions() -> impl Iterator<Item = String> {
    let functions = ["DUP_FN", "NULL_COPY_FN", "NULL_DELETE_FN"];
    let objects = ["", "COMM_", "TYPE_", "WIN_"];
    functions.into_iter().flat_map(move |it| objects.map(|object| format!("OMPI_C_MPI_{object}{it}")))
}

#[test]
fn the_library_exports_the_functions_of_the_table() {
    let variables = VARIABLES.iter().filter(|name| **name != "_").map(ToString::to_string);
    let ignored = ["MPI_F_STATUS_IGNORE", "MPI_F_STATUSES_IGNORE"].map(str::to_owned);
    let extensions =
        EXTENSIONS.iter().flat_map(|name| ["MPIX_", "PMPIX_"].map(|prefix| format!("{prefix}{name}")));
    let others: Vec<_> = variables.chain(ignored).chain(extensions).chain(attribute_functions()).collect();
    check("mpi_openmpi", &[FUNCTIONS, OLDER_FUNCTIONS], others);
}
