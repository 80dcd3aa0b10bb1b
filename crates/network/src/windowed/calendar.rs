//! Which nodes have something to do in which window: a bitmap.
//!
//! ```text
//!   near:  a row of bits (one a node) for each of the next 64 windows
//!   far:   a row for each of the next 64 blocks of 64 windows; emptied into the near rows when its block begins
//! ```
//!
//! Waking a node twice costs nothing, and the order within a window is the order of the nodes. What lies beyond the far
//! rows is put into the last of them and looked at again when that comes.

const ROWS: u64 = 64;

#[derive(Clone, Debug)]
struct Rows {
    words_per_row: usize,
    bits: Vec<u64>,
    /// A bit for each row that may have bits set.
    used: u64,
}

impl Rows {
    fn new(nodes: usize) -> Self {
        let words_per_row = nodes.div_ceil(64);
        Rows { words_per_row, bits: vec![0; words_per_row * ROWS as usize], used: 0 }
    }

    #[inline]
    fn mark(&mut self, row: u64, node: usize) {
        let row = row % ROWS;
        self.bits[row as usize * self.words_per_row + node / 64] |= 1 << (node % 64);
        self.used |= 1 << row;
    }

    /// Rows from `row` on until the first that is used.
    fn distance_to_used(&self, row: u64) -> Option<u64> {
        let turned = self.used.rotate_right((row % ROWS) as u32);
        (turned != 0).then(|| u64::from(turned.trailing_zeros()))
    }

    fn take_word(&mut self, row: u64, word: usize) -> u64 {
        std::mem::take(&mut self.bits[(row % ROWS) as usize * self.words_per_row + word])
    }
}

/// The calendar of a slab of nodes.
#[derive(Clone, Debug)]
pub struct Calendar {
    near: Rows,
    far: Rows,
    /// The window that is next or under way.
    window: u64,
}

impl Calendar {
    /// An empty calendar at window 0.
    pub fn new(nodes: usize) -> Self {
        Calendar { near: Rows::new(nodes), far: Rows::new(nodes), window: 0 }
    }

    /// Marks a node for a window, which must not have passed.
    #[inline]
    pub fn mark(&mut self, window: u64, node: usize) {
        debug_assert!(window >= self.window, "window {window} has passed: now {}", self.window);
        if window - self.window < ROWS {
            self.near.mark(window, node);
        } else {
            let block = (window / ROWS).min(self.window / ROWS + ROWS - 1);
            self.far.mark(block, node);
        }
    }

    /// The window that is next or under way.
    #[inline]
    pub fn window(&self) -> u64 {
        self.window
    }

    /// The next window with a node marked, or in which far rows are to be looked at.
    pub fn next_window(&self) -> Option<u64> {
        let near = self.near.distance_to_used(self.window).map(|windows| self.window + windows);
        let block = self.window / ROWS;
        let far = self.far.distance_to_used(block).map(|blocks| ((block + blocks) * ROWS).max(self.window));
        near.into_iter().chain(far).min()
    }

    /// Goes on to `window`, before which nothing is marked. Nodes of a far row whose time has come are handed out, to
    /// be marked again.
    pub fn enter(&mut self, window: u64) -> Vec<usize> {
        debug_assert!(self.next_window().is_none_or(|next| next >= window));
        self.window = window;
        let block = window / ROWS;
        if self.far.used >> (block % ROWS) & 1 == 0 {
            return Vec::new();
        }
        self.far.used &= !(1 << (block % ROWS));
        let mut nodes = Vec::new();
        for word in 0..self.far.words_per_row {
            let mut bits = self.far.take_word(block, word);
            while bits != 0 {
                nodes.push(word * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        nodes
    }

    /// Words of 64 nodes in a row.
    pub fn words(&self) -> usize {
        self.near.words_per_row
    }

    /// The nodes of one word that are marked for the window, whose marks are wiped.
    #[inline]
    pub fn take_word(&mut self, word: usize) -> u64 {
        self.near.take_word(self.window, word)
    }

    /// To be called before a window's words are taken: rows that are marked again from here on count.
    pub fn begin_row(&mut self) {
        self.near.used &= !(1 << (self.window % ROWS));
    }
}

/// Bytes that a calendar of so many nodes takes.
pub fn bytes_for(nodes: u64) -> u64 {
    nodes.div_ceil(64) * size_of::<u64>() as u64 * 2 * ROWS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn every_node_comes_up_in_its_window(wakes in prop::collection::vec((0u64..20_000, 0usize..200), 1..100)) {
            let mut calendar = Calendar::new(200);
            let mut expected: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            let mut due = vec![u64::MAX; 200];
            for &(window, node) in &wakes {
                due[node] = due[node].min(window);
            }
            for (node, &window) in due.iter().enumerate().filter(|(_, window)| **window != u64::MAX) {
                calendar.mark(window, node);
                expected.entry(window).or_default().push(node);
            }
            let mut seen: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            while let Some(window) = calendar.next_window() {
                for node in calendar.enter(window) {
                    calendar.mark(due[node], node);
                }
                calendar.begin_row();
                for word in 0..calendar.words() {
                    let mut bits = calendar.take_word(word);
                    while bits != 0 {
                        seen.entry(window).or_default().push(word * 64 + bits.trailing_zeros() as usize);
                        bits &= bits - 1;
                    }
                }
            }
            prop_assert_eq!(seen, expected);
        }
    }
}
