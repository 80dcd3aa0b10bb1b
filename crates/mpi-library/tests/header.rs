//! Makes `include/mpi.h` from the tables of functions and constants, and compares it with the file.

use mpi_library::constants::{
    ADDRESSES, BEYOND_THE_STANDARD, Group, HANDLES, INTEGERS, LIMITS, OTHER_INTEGERS,
};
use mpi_library::functions::{ABI_FUNCTIONS, FUNCTIONS, FunctionRow};
use std::fmt::Write;
use std::iter;
use std::path::Path;

const WIDTH: usize = 110;

const BEGINNING: &str = "\
/* MPI 5.0 in its standard ABI, for programs that `torusim mpirun` runs. This file is made from the tables of
 * torusim's crate mpi-library; it changes with them. */

#ifndef TORUSIM_MPI_H
#define TORUSIM_MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif

/* Types. */
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int64_t MPI_Offset;

typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
typedef struct MPI_ABI_File *MPI_File;
typedef struct MPI_ABI_Group *MPI_Group;
typedef struct MPI_ABI_Info *MPI_Info;
typedef struct MPI_ABI_Message *MPI_Message;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
typedef struct MPI_ABI_Session *MPI_Session;
typedef struct MPI_ABI_Win *MPI_Win;

typedef struct MPI_T_enum_t *MPI_T_enum;
typedef struct MPI_T_cvar_handle_t *MPI_T_cvar_handle;
typedef struct MPI_T_pvar_handle_t *MPI_T_pvar_handle;
typedef struct MPI_T_pvar_session_t *MPI_T_pvar_session;
typedef struct MPI_T_event_registration_t *MPI_T_event_registration;
typedef struct MPI_T_event_instance_t *MPI_T_event_instance;

typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5];
} MPI_Status;
";

const FUNCTIONS_OF_PROGRAMS: &str = "
/* Functions that a program passes. */
typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *datatype);
typedef void MPI_User_function_c(void *in, void *inout, MPI_Count *count, MPI_Datatype *datatype);

typedef int MPI_Copy_function(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *flag);
typedef int MPI_Delete_function(MPI_Comm comm, int keyval, void *value, void *extra);
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void *value, void *extra);
typedef int MPI_Type_copy_attr_function(MPI_Datatype datatype, int keyval, void *extra, void *from, void *to,
                                        int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype datatype, int keyval, void *value, void *extra);
typedef int MPI_Win_copy_attr_function(MPI_Win win, int keyval, void *extra, void *from, void *to, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int keyval, void *value, void *extra);

typedef void MPI_Comm_errhandler_function(MPI_Comm *comm, int *code, ...);
typedef void MPI_File_errhandler_function(MPI_File *file, int *code, ...);
typedef void MPI_Session_errhandler_function(MPI_Session *session, int *code, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *win, int *code, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Session_errhandler_function MPI_Session_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;

typedef int MPI_Grequest_query_function(void *extra, MPI_Status *status);
typedef int MPI_Grequest_free_function(void *extra);
typedef int MPI_Grequest_cancel_function(void *extra, int complete);

typedef int MPI_Datarep_extent_function(MPI_Datatype datatype, MPI_Aint *extent, void *extra);
typedef int MPI_Datarep_conversion_function(void *data, MPI_Datatype datatype, int count, void *in_file,
                                            MPI_Offset position, void *extra);
typedef int MPI_Datarep_conversion_function_c(void *data, MPI_Datatype datatype, MPI_Count count, void *in_file,
                                              MPI_Offset position, void *extra);

typedef void MPI_T_event_cb_function(MPI_T_event_instance event, MPI_T_event_registration registration,
                                     MPI_T_cb_safety safety, void *data);
typedef void MPI_T_event_free_cb_function(MPI_T_event_registration registration, MPI_T_cb_safety safety,
                                          void *data);
typedef void MPI_T_event_dropped_cb_function(MPI_Count count, MPI_T_event_registration registration, int source,
                                             MPI_T_cb_safety safety, void *data);
";

const END: &str = "
#ifdef __cplusplus
}
#endif

#endif
";

/// Other names of the same handles.
const ALIASES: &[(&str, &str)] = &[("LONG_LONG_INT", "LONG_LONG"), ("C_COMPLEX", "C_FLOAT_COMPLEX")];

#[test]
fn the_header_is_made_from_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/mpi.h");
    let header = header();
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, &header).expect("the folder exists");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let first = found.lines().zip(header.lines()).position(|(found, expected)| found != expected);
    assert!(
        found == header,
        "include/mpi.h differs from the tables, from line {} on. This writes it: \
         WRITE=1 cargo test --package torusim-mpi-library --test header",
        1 + first.unwrap_or(found.lines().count().min(header.lines().count())),
    );
}

fn header() -> String {
    let enumerations = |group: &&Group| group.title.contains("MPI_T_");
    let integers = || INTEGERS.iter().chain(iter::once(&LIMITS)).chain(OTHER_INTEGERS);
    let mut text = String::from(BEGINNING);
    text.extend(integers().filter(|group| !enumerations(group)).map(constants));
    text.extend(integers().filter(enumerations).map(enumeration));
    text += &handles();
    text += FUNCTIONS_OF_PROGRAMS;
    text.extend(ADDRESSES.iter().map(|(title, addresses)| pointers(title, addresses)));
    text += "\n/* Functions, in the order of the standard. */\n";
    text += &prototypes("MPI_");
    text += "\n/* The same functions, for tools that replace the others. */\n";
    text += &prototypes("PMPI_");
    text + END
}

fn definition(name: &str, value: &str) -> String {
    format!("#define MPI_{name:<31} {value}\n")
}

fn constants(group: &Group) -> String {
    let mut text = format!("\n/*{} */\n", group.title);
    for (name, value) in group.constants {
        let value = match *name {
            "DISPLACEMENT_CURRENT" => format!("((MPI_Offset) {value})"),
            _ if *value < 0 => format!("({value})"),
            _ => value.to_string(),
        };
        text += &definition(name, &value);
    }
    text
}

/// An enumeration, whose type functions have as a parameter.
fn enumeration(group: &Group) -> String {
    let name = group.title.trim_start_matches(" Tools: ").trim_end_matches('.');
    let values: Vec<_> =
        group.constants.iter().map(|(name, value)| format!("    MPI_{name} = {value}")).collect();
    format!("\ntypedef enum {name} {{\n{}\n}} {name};\n", values.join(",\n"))
}

fn handles() -> String {
    let mut text = String::from("\n/* Handles. */\n");
    for handle in HANDLES.iter().filter(|handle| handle.standard < BEYOND_THE_STANDARD) {
        let value = format!("((MPI_{:?}) {:#x})", handle.kind, handle.standard);
        text += &definition(handle.name.trim_start_matches('_'), &value);
    }
    text.extend(ALIASES.iter().map(|(alias, name)| definition(alias, &format!("MPI_{name}"))));
    text
}

fn pointers(title: &str, addresses: &[(&str, &str, usize)]) -> String {
    let mut text = format!("\n/*{title} */\n");
    text.extend(addresses.iter().map(|(name, c, value)| definition(name, &format!("(({c}) {value})"))));
    text
}

/// The functions, in the order of the standard.
fn prototypes(prefix: &str) -> String {
    let mut text = String::new();
    for function in FUNCTIONS.iter().chain(ABI_FUNCTIONS) {
        text += &prototype(prefix, function, "", 0);
        if function.form.ends_with("large") {
            text += &prototype(prefix, function, "_c", 1);
        }
    }
    text
}

fn prototype(prefix: &str, function: &FunctionRow, suffix: &str, size: usize) -> String {
    let parameters: Vec<_> =
        function.parameters.iter().map(|(name, c)| c[size].concat().replace('@', name)).collect();
    let start = format!("{} {prefix}{}{suffix}(", function.returned, function.name);
    if parameters.is_empty() {
        return start + "void);\n";
    }
    start.clone() + &filled(&parameters, start.len()) + ");\n"
}

/// Parameters in lines that begin in one column.
fn filled(parameters: &[String], column: usize) -> String {
    let (mut text, mut at) = (String::new(), column);
    for (place, parameter) in parameters.iter().enumerate() {
        if place > 0 {
            text.push(',');
            // A comma and the parenthesis follow.
            if at + parameter.len() + 3 > WIDTH {
                write!(text, "\n{:column$}", "").expect("texts have room");
                at = column;
            } else {
                text.push(' ');
                at += 1;
            }
        }
        text += parameter;
        at += parameter.len() + 1;
    }
    text
}
