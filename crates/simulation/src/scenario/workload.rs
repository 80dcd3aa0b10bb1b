//! Reads the workload of a scenario: its `kind`, then the parameters of that kind.

use input::{Document, InputError, nearest, read_with, schema};
use serde_json::Value;
use std::path::{Path, absolute};
use workloads::Workload;

/// The key of a trace's directory.
const PATH_KEY: &str = "workload.path";

/// Reads the workload of a document.
///
/// # Errors
/// The first key that is unknown, missing or of a wrong type, with its place.
pub(super) fn read(document: &Document) -> Result<Workload, InputError> {
    let kind = kind(document)?;
    let schema = Workload::schema(kind).map(schema::inline).ok_or_else(|| unknown_kind(document, kind))?;
    let mut parameters = document.get("workload").cloned().unwrap_or_default();
    if let Value::Object(table) = &mut parameters {
        table.remove("kind");
    }
    read_with(document, "workload", &parameters, &schema, |deserializer| {
        Workload::from_kind(kind, deserializer)
    })
}

fn kind(document: &Document) -> Result<&str, InputError> {
    let key = "workload.kind";
    match document.get(key) {
        Some(Value::String(kind)) => Ok(kind),
        Some(_) => Err(document.error(key, "must be a string in quotes")),
        None if document.get("workload").is_some_and(|workload| !workload.is_object()) => {
            Err(document.error("workload", "must be a table, as in [workload]"))
        }
        None => {
            Err(document.error(key, format!("is missing. Known: {}", kinds().collect::<Vec<_>>().join(", "))))
        }
    }
}

fn unknown_kind(document: &Document, kind: &str) -> InputError {
    document.error("workload.kind", format!("there is no such workload; {}", nearest(kind, kinds())))
}

fn kinds() -> impl Iterator<Item = &'static str> {
    Workload::KINDS.iter().map(|(kind, _)| *kind)
}

/// Makes the relative path of a trace absolute, starting from `directory`.
pub(super) fn make_path_absolute(document: &mut Document, directory: &Path) {
    let given = document.get(PATH_KEY).and_then(Value::as_str).filter(|path| !path.is_empty());
    let path = given.and_then(|path| absolute(directory.join(path)).ok());
    if let Some(path) = path {
        document.replace(PATH_KEY, path.to_string_lossy().into_owned().into());
    }
}
