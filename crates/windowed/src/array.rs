//! Arrays whose length is a property of the specialization.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

/// Plain data, which goes into checkpoints and to other threads.
pub trait Data: Copy + Debug + Send + Sync + Serialize + DeserializeOwned {}
impl<T: Copy + Debug + Send + Sync + Serialize + DeserializeOwned> Data for T {}

/// An array of a length that is known when the engine is compiled.
pub trait Items<T: Copy>: Copy + DerefMut<Target = [T]> {
    /// Copies of one item.
    fn filled(item: T) -> Self;
}

/// `N` items. An array type cannot name its length as a constant of a trait, but a trait can name this type.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "T: Data")]
pub struct Array<T, const N: usize>(#[serde(with = "BigArray")] pub [T; N]);

impl<T: Copy + Default, const N: usize> Default for Array<T, N> {
    #[inline(always)]
    fn default() -> Self {
        Array([T::default(); N])
    }
}

impl<T: Copy, const N: usize> Items<T> for Array<T, N> {
    #[inline(always)]
    fn filled(item: T) -> Self {
        Array([item; N])
    }
}

impl<T, const N: usize> Deref for Array<T, N> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Array<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}
