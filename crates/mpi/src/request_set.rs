//! The requests that a call names: nearly always consecutive ones, so that a list of them is rare.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Numbers of requests. A program chooses the numbers of its requests, from 0, and reuses them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requests(Numbers);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Numbers {
    Range { first: u32, count: u32 },
    List(#[serde(with = "crate::lengths::list")] Arc<[u32]>),
}

/// The requests that a call names, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestSet<'a> {
    /// Consecutive numbers.
    Range {
        /// The first number.
        first: u32,
        /// How many there are.
        count: u32,
    },
    /// Numbers in ascending order.
    List(&'a [u32]),
}

impl Requests {
    /// No requests.
    pub const NONE: Self = Requests::range(0, 0);

    /// The request with a number.
    pub const fn one(number: u32) -> Self {
        Requests::range(number, 1)
    }

    /// Requests with consecutive numbers.
    pub const fn range(first: u32, count: u32) -> Self {
        Requests(Numbers::Range { first, count })
    }

    /// Requests with the given numbers, in any order; consecutive ones take no memory.
    pub fn list(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut numbers: Vec<u32> = numbers.into_iter().collect();
        if !numbers.is_sorted_by(|one, next| one < next) {
            numbers.sort_unstable();
            numbers.dedup();
        }
        match numbers[..] {
            [] => Requests::NONE,
            [first, .., last] if (last - first) as usize >= numbers.len() => {
                Requests(Numbers::List(numbers.into()))
            }
            [first, ..] => Requests::range(first, numbers.len() as u32),
        }
    }

    /// The numbers.
    #[inline]
    pub fn set(&self) -> RequestSet<'_> {
        match self.0 {
            Numbers::Range { first, count } => RequestSet::Range { first, count },
            Numbers::List(ref numbers) => RequestSet::List(numbers),
        }
    }

    /// The first number, to be altered, if the numbers are consecutive.
    pub(crate) fn first_mut(&mut self) -> Option<&mut u32> {
        match &mut self.0 {
            Numbers::Range { first, .. } => Some(first),
            Numbers::List(_) => None,
        }
    }
}

impl<'a> RequestSet<'a> {
    /// The request with a number.
    pub(crate) const fn one(number: u32) -> Self {
        RequestSet::Range { first: number, count: 1 }
    }

    /// How many requests there are.
    pub fn len(self) -> u32 {
        match self {
            RequestSet::Range { count, .. } => count,
            RequestSet::List(numbers) => numbers.len() as u32,
        }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The first number; 0 if there are none.
    #[inline]
    pub fn first(self) -> u32 {
        match self {
            RequestSet::Range { first, .. } => first,
            RequestSet::List(numbers) => numbers.first().copied().unwrap_or(0),
        }
    }

    /// One more than the last number.
    pub fn end(self) -> u32 {
        match self {
            RequestSet::Range { first, count } => first.saturating_add(count),
            RequestSet::List(numbers) => numbers.last().map_or(0, |last| last.saturating_add(1)),
        }
    }

    /// The numbers in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> + 'a {
        let (range, list) = match self {
            RequestSet::Range { first, .. } => (first..self.end(), &[][..]),
            RequestSet::List(numbers) => (0..0, numbers),
        };
        range.chain(list.iter().copied())
    }

    /// Whether the request is one of these.
    pub fn contains(self, number: u32) -> bool {
        match self {
            RequestSet::Range { first, count } => number.wrapping_sub(first) < count,
            RequestSet::List(numbers) => numbers.binary_search(&number).is_ok(),
        }
    }

    /// The entries of a map that belong to these requests, in order.
    pub fn entries<V>(self, map: &BTreeMap<u32, V>) -> impl Iterator<Item = (u32, &V)> {
        map.range(self.first()..self.end().max(self.first()))
            .map(|(&number, value)| (number, value))
            .filter(move |&(number, _)| self.contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_numbers_are_a_range() {
        assert_eq!(Requests::list([]), Requests::NONE);
        assert_eq!(Requests::list([u32::MAX]), Requests::one(u32::MAX));
        assert_eq!(Requests::list([5, 3, 4, 3]), Requests::range(3, 3));
        assert_eq!(Requests::list([7, 3, 7]).set(), RequestSet::List(&[3, 7]));
        assert_eq!(size_of::<Requests>(), 16);
    }

    #[test]
    fn a_set_has_its_numbers() {
        let map: BTreeMap<u32, ()> = (0..10).map(|number| (number, ())).collect();
        for (requests, numbers) in [
            (Requests::NONE, &[][..]),
            (Requests::one(4), &[4]),
            (Requests::range(3, 2), &[3, 4]),
            (Requests::list([3, 7]), &[3, 7]),
        ] {
            let set = requests.set();
            assert_eq!(set.iter().collect::<Vec<_>>(), numbers);
            assert_eq!(set.entries(&map).map(|(number, ())| number).collect::<Vec<_>>(), numbers);
            assert_eq!((0..10).filter(|&number| set.contains(number)).collect::<Vec<_>>(), numbers);
            assert_eq!((set.len() as usize, set.is_empty()), (numbers.len(), numbers.is_empty()));
        }
        let all = Requests::range(u32::MAX - 1, 9);
        assert_eq!(all.set().iter().count(), 1, "no request has the last number");
    }
}
