//! Values that few of many have.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// A value that few of many owners have, in a separate box from when it is first changed. The others have a pointer
/// instead.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OnDemand<T>(Option<Box<T>>);

/// A value that can be [`OnDemand`].
pub trait Absent: Default + 'static {
    /// The value that owners without one seem to have.
    const ABSENT: &'static Self;
}

impl<T: 'static> Absent for Vec<T> {
    const ABSENT: &'static Self = &Vec::new();
}

impl<K: 'static, V: 'static> Absent for BTreeMap<K, V> {
    const ABSENT: &'static Self = &BTreeMap::new();
}

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        OnDemand(None)
    }
}

impl<T: Absent + PartialEq> PartialEq for OnDemand<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Absent + Eq> Eq for OnDemand<T> {}

impl<T: Absent> Deref for OnDemand<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::ABSENT)
    }
}

impl<T: Absent> DerefMut for OnDemand<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T> OnDemand<T> {
    /// Bytes of the box, with those of its value.
    pub fn bytes(&self, heap_bytes: impl FnOnce(&T) -> usize) -> usize {
        self.0.as_ref().map_or(0, |value| size_of::<T>() + heap_bytes(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_made_by_the_first_change() {
        let mut value = OnDemand::<Vec<u32>>::default();
        assert!(value.is_empty() && value.bytes(|_| 0) == 0);
        value.push(5);
        assert_eq!((&value[..], value.bytes(|_| 7)), (&[5][..], size_of::<Vec<u32>>() + 7));
        value.clear();
        assert_eq!(value, OnDemand::default());
    }
}
