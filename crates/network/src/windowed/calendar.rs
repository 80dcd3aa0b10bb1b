//! Which nodes have something to do in which window: a bitmap.
//!
//! ```text
//!   near:  a row of bits (one a node) for each of the next 64 windows
//!   far:   a row for each of the next 16 blocks of 64 windows; emptied into the near rows when its block begins
//! ```
//!
//! Waking a node twice costs nothing, and the order within a window is the order of the nodes. What lies beyond the far
//! rows is put into the last of them and looked at again when that comes.

use super::sets::is_given;

/// Windows ahead that have a row, and so windows of a block.
const NEAR: u64 = 64;
/// Blocks ahead that have a row, the one under way included.
const FAR: u64 = 16;

#[derive(Clone, Debug)]
struct Rows {
    /// Rows less one; their number is a power of two.
    row_mask: u64,
    words_per_row: usize,
    bits: Vec<u64>,
    /// A bit for each row that may have bits set.
    used: u64,
}

impl Rows {
    fn new(rows: u64, nodes: usize) -> Self {
        let words_per_row = nodes.div_ceil(64);
        debug_assert!(rows.is_power_of_two());
        Rows { row_mask: rows - 1, words_per_row, bits: vec![0; words_per_row * rows as usize], used: 0 }
    }

    #[inline(always)]
    fn mark(&mut self, row: u64, node: usize) {
        self.mark_if(true, row, node);
    }

    #[inline(always)]
    fn mark_if(&mut self, is_to: bool, row: u64, node: usize) {
        let row = row & self.row_mask;
        let word = row as usize * self.words_per_row + node / 64;
        // SAFETY: there are as many rows as the mask has values, and each has a bit for each node.
        unsafe { is_given(word < self.bits.len()) };
        self.bits[word] |= u64::from(is_to) << (node % 64);
        self.used |= u64::from(is_to) << row;
    }

    /// Rows from `row` on until the first that is used.
    fn distance_to_used(&self, row: u64) -> Option<u64> {
        let row = row & self.row_mask;
        let (ahead, behind) = (self.used >> row, self.used & ((1 << row) - 1));
        match ahead {
            0 => (behind != 0).then(|| self.row_mask + 1 - row + u64::from(behind.trailing_zeros())),
            _ => Some(u64::from(ahead.trailing_zeros())),
        }
    }

    fn take_word(&mut self, row: u64, word: usize) -> u64 {
        std::mem::take(&mut self.bits[(row & self.row_mask) as usize * self.words_per_row + word])
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
    /// An empty calendar at a window.
    pub fn starting(nodes: usize, window: u64) -> Self {
        Calendar { near: Rows::new(NEAR, nodes), far: Rows::new(FAR, nodes), window }
    }

    /// Marks a node for a window, which must not have passed.
    #[inline(always)]
    pub fn mark(&mut self, window: u64, node: usize) {
        debug_assert!(window >= self.window, "window {window} has passed: now {}", self.window);
        if window - self.window < NEAR {
            self.near.mark(window, node);
        } else {
            let block = (window / NEAR).min(self.window / NEAR + FAR - 1);
            self.far.mark(block, node);
        }
    }

    /// The same if it `is_to` be, without a branch for the windows near by: no processor could foretell it.
    #[inline(always)]
    pub fn mark_if(&mut self, is_to: bool, window: u64, node: usize) {
        match is_to & (window.wrapping_sub(self.window) >= NEAR) {
            true => self.mark(window, node),
            false => self.near.mark_if(is_to, window, node),
        }
    }

    /// The window that is next or under way.
    #[inline(always)]
    pub fn window(&self) -> u64 {
        self.window
    }

    /// The next window with a node marked, or in which far rows are to be looked at.
    pub fn next_window(&self) -> Option<u64> {
        let near = self.near.distance_to_used(self.window).map(|windows| self.window + windows);
        let block = self.window / NEAR;
        let far = self.far.distance_to_used(block).map(|blocks| ((block + blocks) * NEAR).max(self.window));
        near.into_iter().chain(far).min()
    }

    /// Goes on to `window`, before which nothing is marked. Nodes of a far row whose time has come are handed out, to
    /// be marked again.
    pub fn enter(&mut self, window: u64) -> Vec<usize> {
        let block = window / NEAR;
        debug_assert!(
            self.near.distance_to_used(self.window).is_none_or(|windows| self.window + windows >= window)
        );
        debug_assert!(
            self.far.distance_to_used(self.window / NEAR).is_none_or(|b| self.window / NEAR + b >= block)
        );
        self.window = window;
        if self.far.used >> (block % FAR) & 1 == 0 {
            return Vec::new();
        }
        self.far.used &= !(1 << (block % FAR));
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

    /// The nodes that are marked for the window, in order, in place of what is in `nodes`; their marks are wiped.
    pub fn take_window(&mut self, nodes: &mut Vec<u32>) {
        self.near.used &= !(1 << (self.window % NEAR));
        nodes.clear();
        for word in 0..self.near.words_per_row {
            let mut bits = self.near.take_word(self.window, word);
            while bits != 0 {
                nodes.push(word as u32 * 64 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }
}

/// Bytes that a calendar of so many nodes takes.
pub fn bytes_for(nodes: u64) -> u64 {
    nodes.div_ceil(64) * size_of::<u64>() as u64 * (NEAR + FAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn every_node_comes_up_in_its_window(wakes in prop::collection::vec((0u64..20_000, 0usize..200), 1..100)) {
            let mut calendar = Calendar::starting(200, 0);
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
                let mut nodes = Vec::new();
                calendar.take_window(&mut nodes);
                if !nodes.is_empty() {
                    seen.insert(window, nodes.iter().map(|&node| node as usize).collect());
                }
            }
            prop_assert_eq!(seen, expected);
        }
    }
}
