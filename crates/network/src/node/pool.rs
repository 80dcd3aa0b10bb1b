//! Lists that share one array: each takes as many places as it has elements, and an element that leaves makes room for
//! any list.

use base::memory;

const NONE: u32 = u32::MAX;

/// A first-in, first-out list in a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    first: u32,
    last: u32,
}

impl List {
    /// A list without elements.
    pub const EMPTY: List = List { first: NONE, last: NONE };

    /// Whether the list has no elements.
    pub fn is_empty(self) -> bool {
        self.first == NONE
    }
}

/// The alignment of a cache line, so that no place lies on more cache lines than it has to.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Line;

/// The alignment of half a cache line, for places of up to 32 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct HalfLine;

/// The elements of any number of lists; places are aligned as an `A` is.
#[derive(Clone, Debug)]
pub struct Pool<T, A = Line> {
    places: Vec<Place<T, A>>,
    /// The free places, as a list of which only the first is known.
    first_free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Place<T, A> {
    element: T,
    next: u32,
    _aligned: [A; 0],
}

impl<T, A> Default for Pool<T, A> {
    /// A pool without elements.
    fn default() -> Self {
        Pool { places: Vec::new(), first_free: NONE }
    }
}

impl<T: Copy, A: Copy> Pool<T, A> {
    /// Appends an element to a list.
    pub fn push(&mut self, list: &mut List, element: T) {
        let place = self.place(Place { element, next: NONE, _aligned: [] });
        match list.first {
            NONE => list.first = place,
            _ => self.places[list.last as usize].next = place,
        }
        list.last = place;
    }

    /// Takes the first element of a list.
    pub fn pop(&mut self, list: &mut List) -> Option<T> {
        if list.is_empty() {
            return None;
        }
        let place = self.detach_first(list);
        self.free(place);
        Some(self.places[place as usize].element)
    }

    /// A pool with room for `elements` elements.
    pub fn with_room(elements: usize) -> Self {
        Pool { places: memory::room_for(elements), first_free: NONE }
    }

    /// Takes the first element out of a list, but leaves it in its place until the place is [freed](Pool::free).
    pub fn detach_first(&mut self, list: &mut List) -> u32 {
        let first = list.first;
        list.first = self.places[first as usize].next;
        if list.is_empty() {
            list.last = NONE;
        }
        first
    }

    /// Frees the place of an element that is in no list.
    pub fn free(&mut self, place: u32) {
        self.places[place as usize].next = std::mem::replace(&mut self.first_free, place);
    }

    /// The place of the element of rank `rank` (from 0) in a list. No place if the list has fewer elements.
    pub fn place_in(&self, list: List, rank: usize) -> usize {
        let next = |place: u32| self.places.get(place as usize).map_or(NONE, |place| place.next);
        (0..rank).fold(list.first, |place, _| next(place)) as usize
    }

    /// The element at a place.
    pub fn get(&self, place: usize) -> Option<&T> {
        self.places.get(place).map(|place| &place.element)
    }

    /// The element at a place, mutable.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        self.places.get_mut(place).map(|place| &mut place.element)
    }

    /// The first element of a list.
    pub fn first(&self, list: List) -> Option<&T> {
        self.places.get(list.first as usize).map(|place| &place.element)
    }

    /// Prefetches the first element of a list and, if `on_both_ends`, the last element, which [`Pool::push`] accesses.
    #[inline]
    pub fn prefetch(&self, list: List, on_both_ends: bool) {
        memory::line_of(&self.places, list.first as usize);
        if on_both_ends {
            memory::line_of(&self.places, list.last as usize);
        }
    }

    /// The first element of a list, mutable.
    pub fn first_mut(&mut self, list: List) -> Option<&mut T> {
        self.places.get_mut(list.first as usize).map(|place| &mut place.element)
    }

    /// The elements of a list, in order.
    pub fn elements(&self, list: List) -> impl Iterator<Item = &T> {
        let place = |number: u32| self.places.get(number as usize);
        std::iter::successors(place(list.first), move |before| place(before.next)).map(|place| &place.element)
    }

    /// Bytes of `elements` elements. If the pool has had more at a time, the bytes of these.
    pub fn bytes_for(&self, elements: usize) -> usize {
        self.places.len().max(elements) * size_of::<Place<T, A>>()
    }

    fn place(&mut self, place: Place<T, A>) -> u32 {
        let number = self.first_free;
        match self.places.get_mut(number as usize) {
            Some(free) => self.first_free = std::mem::replace(free, place).next,
            None => {
                self.places.push(place);
                return (self.places.len() - 1) as u32;
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        /// Lists of a pool behave like separate queues, and take no more places than they have had elements.
        #[test]
        fn lists_are_queues(steps in prop::collection::vec((0usize..4, any::<bool>(), any::<u16>()), 0..200)) {
            let mut pool: Pool<_> = Pool::default();
            let mut lists = [List::EMPTY; 4];
            let mut queues: [VecDeque<u16>; 4] = Default::default();
            let mut max = 0;
            for (number, is_push, element) in steps {
                if is_push {
                    pool.push(&mut lists[number], element);
                    queues[number].push_back(element);
                } else {
                    prop_assert_eq!(pool.pop(&mut lists[number]), queues[number].pop_front());
                }
                max = max.max(queues.iter().map(VecDeque::len).sum());
                for (list, queue) in lists.iter().zip(&queues) {
                    prop_assert!(pool.elements(*list).eq(queue));
                    prop_assert_eq!(pool.first(*list), queue.front());
                    prop_assert_eq!(list.is_empty(), queue.is_empty());
                }
            }
            prop_assert_eq!(pool.places.len(), max);
        }
    }
}
