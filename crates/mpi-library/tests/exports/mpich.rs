//! The symbols of the library with the interface of MPICH.

use crate::check;
use mpi_library::functions::{FUNCTIONS, OLDER_FUNCTIONS};

/// What MPICH's header refers to besides functions of MPI.
const OTHERS: [&str; 6] = [
    "MPI_UNWEIGHTED",
    "MPI_WEIGHTS_EMPTY",
    "MPI_F_STATUS_IGNORE",
    "MPI_F_STATUSES_IGNORE",
    "MPI_T_PVAR_ALL_HANDLES",
    "MPIR_Dup_fn",
];

#[test]
fn the_library_exports_the_functions_of_the_table() {
    check("mpi_mpich", &[FUNCTIONS, OLDER_FUNCTIONS], OTHERS.map(str::to_owned).to_vec());
}
