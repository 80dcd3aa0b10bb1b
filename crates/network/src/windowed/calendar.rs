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
use std::hint::select_unpredictable;

/// Windows ahead that have a row, and so windows of a block.
const NEAR: u64 = 64;
/// Blocks ahead that have a row, the one under way included.
const FAR: u64 = 16;

/// So many nodes of a word are written down at once, whether it has them or not: how many it has could not be foretold.
const AT_ONCE: usize = 4;

/// The calendar of a slab of nodes.
#[derive(Clone, Debug)]
pub struct Calendar {
    words_per_row: usize,
    /// Near rows, by window modulo their number, then far ones, by block.
    bits: Vec<u64>,
    /// A bit for each near row that may have bits set, and for each far one.
    used: [u64; 2],
    /// The window that is next or under way.
    window: u64,
}

impl Calendar {
    /// An empty calendar at a window.
    pub fn starting(nodes: usize, window: u64) -> Self {
        let words_per_row = nodes.div_ceil(64);
        let bits = vec![0; words_per_row * (NEAR + FAR) as usize];
        Calendar { words_per_row, bits, used: [0; 2], window }
    }

    /// Marks a node for a window, which must not have passed, if it `is_to` be; without a branch, as no processor could
    /// foretell that, nor whether it is near.
    #[inline(always)]
    pub fn mark_if(&mut self, is_to: bool, window: u64, node: usize) {
        debug_assert!(!is_to || window >= self.window, "window {window} has passed: now {}", self.window);
        let is_far = window.wrapping_sub(self.window) >= NEAR;
        let block = (window / NEAR).min(self.window / NEAR + FAR - 1);
        let row = select_unpredictable(is_far, block % FAR, window % NEAR);
        let word = (u64::from(is_far) * NEAR + row) as usize * self.words_per_row + node / 64;
        // SAFETY: there are as many rows as that, and each has a bit for each node.
        unsafe { is_given(word < self.bits.len()) };
        self.bits[word] |= u64::from(is_to) << (node % 64);
        self.used[usize::from(is_far)] |= u64::from(is_to) << row;
    }

    /// The window that is next or under way.
    #[inline(always)]
    pub fn window(&self) -> u64 {
        self.window
    }

    /// The next window with a node marked, or in which far rows are to be looked at.
    pub fn next_window(&self) -> Option<u64> {
        let far = self.next_block().map(|block| (block * NEAR).max(self.window));
        self.next_near().into_iter().chain(far).min()
    }

    /// The next window of those that have a row.
    fn next_near(&self) -> Option<u64> {
        ahead(self.used[0], self.window, NEAR).map(|windows| self.window + windows)
    }

    /// The next block.
    fn next_block(&self) -> Option<u64> {
        let block = self.window / NEAR;
        ahead(self.used[1], block, FAR).map(|blocks| block + blocks)
    }

    /// Goes on to `window`, before which nothing is marked. Nodes of a far row whose time has come are handed out, to
    /// be marked again.
    pub fn enter(&mut self, window: u64) -> Vec<u32> {
        debug_assert!(self.next_near().is_none_or(|next| next >= window));
        debug_assert!(self.next_block().is_none_or(|block| block >= window / NEAR));
        self.window = window;
        let block = window / NEAR % FAR;
        let mut nodes = Vec::new();
        if self.used[1] >> block & 1 == 1 {
            self.used[1] &= !(1 << block);
            self.take_row(NEAR + block, &mut nodes);
        }
        nodes
    }

    /// The nodes that are marked for the window, in order, in place of what is in `nodes`; their marks are wiped.
    #[inline(always)]
    pub fn take_window(&mut self, nodes: &mut Vec<u32>) {
        let row = self.window % NEAR;
        self.used[0] &= !(1 << row);
        self.take_row(row, nodes);
    }

    #[inline(always)]
    fn take_row(&mut self, row: u64, nodes: &mut Vec<u32>) {
        nodes.clear();
        nodes.reserve(self.words_per_row * 64 + AT_ONCE);
        let first = row as usize * self.words_per_row;
        for (word, bits) in self.bits[first..first + self.words_per_row].iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            let taken = nodes.len() + bits.count_ones() as usize;
            loop {
                for node in &mut nodes.spare_capacity_mut()[..AT_ONCE] {
                    node.write(word as u32 * 64 + bits.trailing_zeros());
                    bits &= bits.wrapping_sub(1);
                }
                // SAFETY: so many have been written, and no more than there is room for.
                unsafe { nodes.set_len(taken.min(nodes.len() + AT_ONCE)) };
                if bits == 0 {
                    break;
                }
            }
        }
    }
}

/// How far it is from `row` to the first row that is used, of as many as go round.
fn ahead(used: u64, row: u64, rows: u64) -> Option<u64> {
    let row = row % rows;
    let (ahead, behind) = (used >> row, used & ((1 << row) - 1));
    match ahead {
        0 => (behind != 0).then(|| rows - row + u64::from(behind.trailing_zeros())),
        _ => Some(u64::from(ahead.trailing_zeros())),
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
                calendar.mark_if(true, window, node);
                expected.entry(window).or_default().push(node);
            }
            let mut seen: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            while let Some(window) = calendar.next_window() {
                for node in calendar.enter(window) {
                    calendar.mark_if(true, due[node as usize], node as usize);
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
