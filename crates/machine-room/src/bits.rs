//! Bit sets of small numbers: midplanes, cables, partitions.

/// A set of numbers below a length that is fixed at construction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of numbers below `length`.
    pub fn new(length: usize) -> Self {
        Bits(vec![0; length.div_ceil(64)])
    }

    /// The set of these numbers, all below `length`.
    pub fn of(length: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Bits::new(length);
        members.into_iter().for_each(|member| bits.insert(member));
        bits
    }

    /// Adds a number.
    pub fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    /// Whether the set contains the number.
    pub fn contains(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    /// Whether the two sets have a number in common.
    pub fn intersects(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Adds all numbers of `other`.
    pub fn unite(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// Removes all numbers of `other`.
    pub fn subtract(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        })
    }

    /// The words of the set: number `n` is bit `n % 64` of word `n / 64`.
    pub fn words(&self) -> &[u64] {
        &self.0
    }
}
