//! Compares the symbols of the library with the table of functions.

use mpi_library::functions::{ABI_FUNCTIONS, FUNCTIONS};

#[path = "../../mpi-library/tests/exports/mod.rs"]
mod exports;

#[test]
fn the_library_exports_the_functions_of_the_table() {
    exports::check("mpi_abi", &[FUNCTIONS, ABI_FUNCTIONS], Vec::new());
}
