//! Collections that each rank has.

use std::collections::VecDeque;

/// A queue or list that each rank has. It grows by a half, not to twice its capacity, as ranks are many and soon have
/// as much under way as they ever will. In smaller steps it would move more often, until the memory of a rank is
/// scattered.
pub trait Compact {
    /// The element.
    type Item;

    /// Makes room for another element.
    fn make_room(&mut self);

    /// Appends an element.
    fn append_one(&mut self, item: Self::Item);
}

macro_rules! grows_by_a_half {
    ($queue:ident, $append:ident) => {
        impl<T> Compact for $queue<T> {
            type Item = T;

            #[inline]
            fn make_room(&mut self) {
                if self.len() == self.capacity() {
                    self.reserve_exact(growth(self.len()));
                }
            }

            #[inline]
            fn append_one(&mut self, item: T) {
                self.make_room();
                self.$append(item);
            }
        }
    };
}

grows_by_a_half!(Vec, push);
grows_by_a_half!(VecDeque, push_back);

fn growth(elements: usize) -> usize {
    if elements == 0 { 4 } else { (elements / 2).max(2) }
}

/// Bytes of a [`Compact`] queue to which `elements` elements have been added one by one.
pub fn compact_bytes<T>(elements: usize) -> usize {
    let mut capacity = 0;
    while capacity < elements {
        capacity += growth(capacity);
    }
    capacity * size_of::<T>()
}

/// Bytes of a `Vec` or `VecDeque` to which `elements` elements have been added one by one. Its capacity doubles, from
/// four.
pub fn grown_bytes<T>(elements: usize) -> usize {
    let capacity = if elements == 0 { 0 } else { elements.next_power_of_two().max(4) };
    capacity * size_of::<T>()
}
