//! Reads the workload of a scenario: its `kind`, for a kernel also its `name`, then their parameters.

use input::{Document, InputError, nearest, read_with, schema};
use serde_json::Value;
use workloads::Workload;
use workloads::kernels::Kernel;

/// Reads the workload at a path of a document.
///
/// # Errors
/// The first key that is unknown, missing or of a wrong type, with its place.
pub(super) fn read(document: &Document, path: &str) -> Result<Workload, InputError> {
    // A kind that no user can state, but a result has, is known too.
    let stated = document.get(&format!("{path}.kind")).and_then(Value::as_str);
    let kind = match stated.filter(|kind| Workload::schema(kind).is_some()) {
        Some(kind) => kind,
        None => choice((document, path), "kind", "workload", Workload::KINDS)?,
    };
    match kind {
        "kernel" => read_kernel(document, path).map(Workload::Kernel),
        _ => {
            let parameters = parameters(document, path, &["kind"]);
            let schema = Workload::schema(kind).map(schema::inline).expect("the kind is known");
            read_with(document, path, &parameters, &schema, |deserializer| {
                Workload::from_kind(kind, deserializer)
            })
        }
    }
}

fn read_kernel(document: &Document, path: &str) -> Result<Kernel, InputError> {
    let name = choice((document, path), "name", "kernel", Kernel::NAMES)?;
    let parameters = parameters(document, path, &["kind", "name"]);
    let schema = Kernel::schema_of(name).map(schema::inline).expect("the name is known");
    read_with(document, path, &parameters, &schema, |deserializer| Kernel::from_name(name, deserializer))
}

/// The table of the workload without the keys that identify its kind.
fn parameters(document: &Document, path: &str, keys: &[&str]) -> Value {
    let mut parameters = document.get(path).cloned().unwrap_or_default();
    if let Value::Object(table) = &mut parameters {
        keys.iter().for_each(|key| drop(table.remove(*key)));
    }
    parameters
}

/// The value of a key of the workload that names one of `known`, each a `what` with its description.
fn choice<'a>(
    (document, table): (&Document, &str),
    key: &str,
    what: &str,
    known: &[(&'a str, &str)],
) -> Result<&'a str, InputError> {
    let path = format!("{table}.{key}");
    let names = || known.iter().map(|(name, _)| *name);
    let problem = match document.get(&path) {
        Some(Value::String(given)) => match names().find(|name| name == given) {
            Some(name) => return Ok(name),
            None => format!("there is no such {what}; {}", nearest(given, names())),
        },
        Some(_) => "must be a string in quotes".to_owned(),
        None if document.get(table).is_some_and(|workload| !workload.is_object()) => {
            return Err(document.error(table, format!("must be a table, as in [{table}]")));
        }
        None => format!("is missing. Known: {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(document.error(&path, problem))
}
