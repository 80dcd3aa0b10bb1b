//! What an arbiter remembers of its grants.

use super::MAX_INPUTS;
use serde::{Deserialize, Serialize};

/// The order in which an arbiter has last granted its inputs; before any grant, that of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory([u8; MAX_INPUTS]);

impl Memory {
    /// The memory of an arbiter without a grant.
    pub const NEW: Memory = {
        let (mut inputs, mut input) = ([0; MAX_INPUTS], 0);
        while input < MAX_INPUTS {
            inputs[input] = input as u8;
            input += 1;
        }
        Memory(inputs)
    };

    /// The input of the last grant.
    pub(super) fn last(&self) -> usize {
        self.0[MAX_INPUTS - 1].into()
    }

    /// The inputs whose last grant was before that of an input.
    pub(super) fn granted_before(&self, input: usize) -> usize {
        self.0.iter().position(|&other| usize::from(other) == input).expect("it has each input")
    }

    /// An input is granted.
    pub(super) fn record(&mut self, input: usize) {
        let place = self.granted_before(input);
        self.0[place..].rotate_left(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_grants_is_kept() {
        let mut memory = Memory::NEW;
        for input in [3, 0, 3, 5] {
            memory.record(input);
        }
        assert_eq!(memory.last(), 5);
        let others = MAX_INPUTS - 3;
        assert_eq!([0, 3, 5].map(|input| memory.granted_before(input)), [others, others + 1, others + 2]);
        assert_eq!([1, 2, 4, 19].map(|input| memory.granted_before(input)), [0, 1, 2, others - 1]);
    }
}
