//! The calendar: a bitmap of the nodes to visit in each window.
//!
//! ```text
//!   near:      a row of bits (one per node) for each of the next 64 windows
//!   far:       a row for each of the next 16 blocks of 64 windows; moved to the near rows when its block begins
//!   sleeping:  the nodes that are visited only behind the far rows, in order of windows
//! ```
//!
//! Marking a node twice costs nothing, and the nodes of a window come in the order of their numbers. Times beyond the
//! far rows go into the last far row first, as that takes no branch. When the block of that row begins, the node is
//! marked again. If its window is still beyond the far rows, it sleeps until then, and is looked at once more, however
//! long it sleeps.

use super::sets::assume;
use std::collections::BTreeSet;
use std::hint::select_unpredictable;

/// Number of windows with a near row, and windows per block.
const NEAR: u64 = 64;
/// Number of blocks with a far row, the current block included.
const FAR: u64 = 16;

/// Number of nodes extracted from a word per iteration, even if the word has fewer. A branch on each bit would be
/// unpredictable.
const NODES_PER_ITERATION: usize = 4;

/// The calendar of a subdomain.
#[derive(Clone, Debug)]
pub struct Calendar {
    words_per_row: usize,
    /// Near rows, by window modulo [`NEAR`], then far rows, by block modulo [`FAR`].
    bits: Vec<u64>,
    /// A bit for each near row that may have bits set, then a bit for each such far row.
    used: [u64; 2],
    /// Windows and nodes beyond the far rows.
    sleeping: BTreeSet<(u64, u32)>,
    /// The current window, or the next one.
    window: u64,
}

impl Calendar {
    /// An empty calendar that starts at `window`.
    pub fn starting(nodes: usize, window: u64) -> Self {
        let words_per_row = nodes.div_ceil(64);
        let bits = vec![0; words_per_row * (NEAR + FAR) as usize];
        Calendar { words_per_row, bits, used: [0; 2], sleeping: BTreeSet::new(), window }
    }

    /// Marks a node for `window`, which must not have passed. If `window` is beyond the far rows, the node sleeps.
    pub fn mark_or_sleep(&mut self, window: u64, node: usize) {
        if window / NEAR < self.window / NEAR + FAR {
            self.mark_if(true, window, node);
        } else {
            self.sleeping.insert((window, node as u32));
        }
    }

    /// Marks a node for `window` if `condition`; the window must not have passed. It has no branch, as both the
    /// condition and whether the window is near are unpredictable.
    #[inline(always)]
    pub fn mark_if(&mut self, condition: bool, window: u64, node: usize) {
        debug_assert!(!condition || window >= self.window, "window {window} has passed: now {}", self.window);
        let is_far = window.wrapping_sub(self.window) >= NEAR;
        let block = (window / NEAR).min(self.window / NEAR + FAR - 1);
        let row = select_unpredictable(is_far, block % FAR, window % NEAR);
        let word = (u64::from(is_far) * NEAR + row) as usize * self.words_per_row + node / 64;
        // SAFETY: `row` is a near or a far row, and each row has a bit for each node.
        unsafe { assume(word < self.bits.len()) };
        self.bits[word] |= u64::from(condition) << (node % 64);
        self.used[usize::from(is_far)] |= u64::from(condition) << row;
    }

    /// The current window, or the next one.
    #[inline(always)]
    pub fn window(&self) -> u64 {
        self.window
    }

    /// The next window with a marked node, or in which a far row must be moved to the near rows.
    pub fn next_window(&self) -> Option<u64> {
        let far = self.next_block().map(|block| (block * NEAR).max(self.window));
        self.next_near().into_iter().chain(far).chain(self.next_to_wake()).min()
    }

    /// The next window for which a node sleeps.
    fn next_to_wake(&self) -> Option<u64> {
        self.sleeping.first().map(|&(window, _)| window)
    }

    /// The next window with a near row in use.
    fn next_near(&self) -> Option<u64> {
        ahead(self.used[0], self.window, NEAR).map(|windows| self.window + windows)
    }

    /// The next block with a far row in use.
    fn next_block(&self) -> Option<u64> {
        let block = self.window / NEAR;
        ahead(self.used[1], block, FAR).map(|blocks| block + blocks)
    }

    /// Advances to `window`, before which no node is marked. If the window's block has a far row in use, empties the
    /// row. Returns the nodes of that row, and the nodes that have slept until now. The caller must mark them again.
    pub fn enter(&mut self, window: u64) -> Vec<u32> {
        debug_assert!(self.next_near().is_none_or(|next| next >= window));
        debug_assert!(self.next_block().is_none_or(|block| block >= window / NEAR));
        debug_assert!(self.next_to_wake().is_none_or(|next| next >= window));
        self.window = window;
        let block = window / NEAR % FAR;
        let mut nodes = Vec::new();
        if self.used[1] >> block & 1 == 1 {
            self.used[1] &= !(1 << block);
            self.take_row(NEAR + block, &mut nodes);
        }
        while self.next_to_wake() == Some(window) {
            nodes.extend(self.sleeping.pop_first().map(|(_, node)| node));
        }
        nodes
    }

    /// Replaces the contents of `nodes` with the nodes marked for the window, in order, and clears their marks.
    #[inline(always)]
    pub fn take_window(&mut self, nodes: &mut Vec<u32>) {
        let row = self.window % NEAR;
        self.used[0] &= !(1 << row);
        self.take_row(row, nodes);
    }

    #[inline(always)]
    fn take_row(&mut self, row: u64, nodes: &mut Vec<u32>) {
        nodes.clear();
        nodes.reserve(self.words_per_row * 64 + NODES_PER_ITERATION);
        let first = row as usize * self.words_per_row;
        for (word, bits) in self.bits[first..first + self.words_per_row].iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            let taken = nodes.len() + bits.count_ones() as usize;
            loop {
                for node in &mut nodes.spare_capacity_mut()[..NODES_PER_ITERATION] {
                    node.write(word as u32 * 64 + bits.trailing_zeros());
                    bits &= bits.wrapping_sub(1);
                }
                // SAFETY: these elements have been written, within the reserved capacity.
                unsafe { nodes.set_len(taken.min(nodes.len() + NODES_PER_ITERATION)) };
                if bits == 0 {
                    break;
                }
            }
        }
    }
}

/// Distance from `row` to the next row in use, in a ring of `rows` rows.
fn ahead(used: u64, row: u64, rows: u64) -> Option<u64> {
    let row = row % rows;
    let (ahead, behind) = (used >> row, used & ((1 << row) - 1));
    match ahead {
        0 => (behind != 0).then(|| rows - row + u64::from(behind.trailing_zeros())),
        _ => Some(u64::from(ahead.trailing_zeros())),
    }
}

/// Bytes of the calendar of `nodes` nodes that are awake.
pub fn bytes_for(nodes: u64) -> u64 {
    nodes.div_ceil(64) * size_of::<u64>() as u64 * (NEAR + FAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Every node is returned in its window: near, far, or so far that the node sleeps, for long too.
        #[test]
        fn every_node_is_returned_in_its_window(
            wakes in prop::collection::vec(((0u64..20_000, 0u32..40), 0usize..200), 1..100),
        ) {
            let wakes: Vec<_> = wakes.into_iter().map(|((window, by), node)| (window << by, node)).collect();
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
            let mut marked_again = 0;
            while let Some(window) = calendar.next_window() {
                for node in calendar.enter(window) {
                    calendar.mark_or_sleep(due[node as usize], node as usize);
                    marked_again += 1;
                }
                let mut nodes = Vec::new();
                calendar.take_window(&mut nodes);
                if !nodes.is_empty() {
                    seen.insert(window, nodes.iter().map(|&node| node as usize).collect());
                }
            }
            prop_assert_eq!(seen, expected);
            // Each wake-up is marked again at most from the last far row, from sleep, and from the far row of its
            // block.
            prop_assert!(marked_again <= 3 * wakes.len());
        }
    }
}
