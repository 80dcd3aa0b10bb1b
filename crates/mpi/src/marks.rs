//! Two sets of small numbers, with one bit per number, and a bit above for every 64 of them. So the first number of
//! a range is found among hundreds of thousands without examining each.

use base::memory::{Absent, OnDemand};

/// The sets that a number can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Requests whose operation is not complete.
    Pending,
    /// Requests that a wait or a test can end.
    Ended,
}

/// Bits of a word.
const BITS: u32 = u64::BITS;

/// The numbers in each set: a word of bits for each set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// The words of the first numbers: most ranks use no others.
    first: [u64; 2],
    after: OnDemand<After>,
}

/// The words of the numbers after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct After {
    words: Vec<[u64; 2]>,
    /// A bit for each of these words that is not 0.
    above: Vec<[u64; 2]>,
}

impl Absent for After {
    const ABSENT: &'static Self = &After { words: Vec::new(), above: Vec::new() };
}

/// Puts one bit into the word of one set, or into none.
#[inline]
fn put(words: &mut [u64; 2], bit: u64, mark: Option<Mark>) {
    words.iter_mut().for_each(|word| *word &= !bit);
    if let Some(mark) = mark {
        words[mark as usize] |= bit;
    }
}

impl Marks {
    /// Makes room for numbers below `count`.
    pub fn grow(&mut self, count: usize) {
        let words = count.div_ceil(BITS as usize).saturating_sub(1);
        if words > 0 {
            self.after.words.resize(words, [0; 2]);
            self.after.above.resize(words.div_ceil(BITS as usize), [0; 2]);
        }
    }

    /// Puts a number into one set, or into none.
    #[inline]
    pub fn set(&mut self, number: u32, mark: Option<Mark>) {
        let bit = 1 << (number % BITS);
        match (number / BITS).checked_sub(1) {
            None => put(&mut self.first, bit, mark),
            Some(word) => self.set_in_word(word, bit, mark),
        }
    }

    fn set_in_word(&mut self, word: u32, bit: u64, mark: Option<Mark>) {
        let After { words, above } = &mut *self.after;
        let words = &mut words[word as usize];
        put(words, bit, mark);
        for (above, word_of_set) in above[(word / BITS) as usize].iter_mut().zip(words) {
            *above = *above & !(1 << (word % BITS)) | u64::from(*word_of_set != 0) << (word % BITS);
        }
    }

    /// The first number of a set that is at least `first`, and below `end`.
    pub fn first(&self, of: Mark, first: u32, end: u32) -> Option<u32> {
        let words = match (first / BITS).checked_sub(1) {
            None => &self.first,
            Some(word) => self.after.words.get(word as usize)?,
        };
        let found = match words[of as usize] & (u64::MAX << (first % BITS)) {
            0 => self.first_after(of, first / BITS)?,
            bits => first / BITS * BITS + bits.trailing_zeros(),
        };
        (found < end).then_some(found)
    }

    /// The first number of a set in one of `words`, from `word`.
    fn first_after(&self, of: Mark, word: u32) -> Option<u32> {
        let (block, mask) = ((word / BITS) as usize, u64::MAX << (word % BITS));
        let here = self.after.above.get(block)?[of as usize] & mask;
        let (block, bits) = match here {
            0 => {
                let rest = self.after.above.iter().enumerate().skip(block + 1);
                rest.map(|(block, words)| (block, words[of as usize])).find(|(_, bits)| *bits != 0)?
            }
            _ => (block, here),
        };
        let word = block as u32 * BITS + bits.trailing_zeros();
        Some((word + 1) * BITS + self.after.words[word as usize][of as usize].trailing_zeros())
    }

    /// Bytes in addition to the value itself.
    pub fn bytes(&self) -> usize {
        self.after.bytes(|after| (after.words.capacity() + after.above.capacity()) * size_of::<[u64; 2]>())
    }

    /// The bytes of marks with room for numbers below `count`.
    pub fn bytes_for(count: usize) -> usize {
        let words = count.div_ceil(BITS as usize).saturating_sub(1);
        let after = if words > 0 { size_of::<After>() } else { 0 };
        after + (words + words.div_ceil(BITS as usize)) * size_of::<[u64; 2]>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// The model: a map from numbers to their sets.
        #[test]
        fn the_first_of_a_range_is_found(
            changes in prop::collection::vec((0..20_000u32, 0..3usize), 1..60),
            ranges in prop::collection::vec((0..20_000u32, 0..20_000u32), 1..20),
        ) {
            let (mut marks, mut model) = (Marks::default(), BTreeMap::new());
            marks.grow(20_000);
            for (number, mark) in changes {
                let mark = [None, Some(Mark::Pending), Some(Mark::Ended)][mark];
                marks.set(number, mark);
                model.insert(number, mark);
            }
            let starts = ranges.iter().copied().chain(model.keys().map(|&number| (number, number + 1)));
            for (first, end) in starts.collect::<Vec<_>>() {
                for of in [Mark::Pending, Mark::Ended] {
                    let of_model = model.iter().find(|(number, mark)| {
                        **mark == Some(of) && **number >= first && **number < end
                    });
                    prop_assert_eq!(marks.first(of, first, end), of_model.map(|(number, _)| *number));
                }
            }
        }
    }
}
