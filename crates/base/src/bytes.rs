//! Values as bytes, for another process of the same program: it reads what this version has written, and nothing else.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// The bytes of a value.
pub fn packed<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("a vector takes everything")
}

/// The value with these bytes.
///
/// # Panics
/// When they are not those of such a value: the other process is not one of the same program.
pub fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> T {
    postcard::from_bytes(bytes).expect("the processes of a simulation run the same program")
}

/// A name that the program knows at all times. Serde would take a reference, as such, to be one into the bytes.
pub type Name = &'static str;

/// Reads a name.
///
/// # Errors
/// Errors of the input.
pub fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
    String::deserialize(deserializer).map(known)
}

/// Reads a name, if there is one.
///
/// # Errors
/// Errors of the input.
pub fn name_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Name>, D::Error> {
    Option::deserialize(deserializer).map(|name| name.map(known))
}

/// Reads values by their names.
///
/// # Errors
/// Errors of the input.
pub fn by_name<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<BTreeMap<&'static str, T>, D::Error> {
    let values = BTreeMap::<String, T>::deserialize(deserializer)?;
    Ok(values.into_iter().map(|(name, value)| (known(name), value)).collect())
}

/// A program has few names, so that each stays in memory.
fn known(name: String) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.get(name.as_str()).copied().unwrap_or_else(|| {
        let name: &'static str = name.leak();
        known.insert(name);
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_written() {
        let value = (u64::MAX, vec![String::from("a"), String::new()], Some(-3));
        assert_eq!(unpacked::<(u64, Vec<String>, Option<i32>)>(&packed(&value)), value);
    }
}
