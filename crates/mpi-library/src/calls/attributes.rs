//! Attributes: values that a program attaches to communicators and datatypes.

use crate::error::Outcome;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The attributes of an object, by keys.
#[derive(Debug, Default)]
pub(crate) struct Attributes(RefCell<BTreeMap<i32, usize>>);

impl Attributes {
    /// Copies the attributes of another object, whose handle is given, by their functions.
    ///
    /// # Errors
    /// That of a function of the program.
    pub fn copy_from(&self, _: &Attributes, _: usize) -> Outcome {
        Ok(())
    }

    /// Deletes all attributes of an object, whose handle is given, by their functions.
    ///
    /// # Errors
    /// That of a function of the program.
    pub fn delete_all(&self, _: usize) -> Outcome {
        self.0.borrow_mut().clear();
        Ok(())
    }
}
