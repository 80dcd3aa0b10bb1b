//! The symbols of the library with the interface of the standard.

use crate::check;
use mpi_library::functions::{ABI_FUNCTIONS, FUNCTIONS};

#[test]
fn the_library_exports_the_functions_of_the_table() {
    check("mpi_abi", &[FUNCTIONS, ABI_FUNCTIONS], Vec::new());
}
