//! The bits of a transmission that arrive inverted.
//!
//! Draws are functions of (seed, node, port, number of the transmission). The first gives the position of the first
//! error, each further one the distance to the next error. Distances are looked up, in integers, in a table of the
//! probability that a number of bits all arrive intact.

use base::decimal::shortest;
use base::draws::{NodeKey, Purpose};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The probability of a bit error, as a fraction of 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct BitErrorRate(u64);

/// The greatest probability that a scenario can set: above it, almost no packet arrives intact.
const MAX_ERRORS: f64 = 0.001;

impl BitErrorRate {
    /// The rate nearest to `probability`, from 0 to 0.1.
    pub fn new(probability: f64) -> Self {
        BitErrorRate((probability.clamp(0.0, 0.1) * 2f64.powi(64)) as u64)
    }

    /// The probability.
    pub fn probability(self) -> f64 {
        self.0 as f64 / 2f64.powi(64)
    }
}

impl TryFrom<f64> for BitErrorRate {
    type Error = &'static str;

    fn try_from(probability: f64) -> Result<Self, &'static str> {
        let is_within = (0.0..=MAX_ERRORS).contains(&probability);
        is_within.then(|| BitErrorRate::new(probability)).ok_or("is not within its range")
    }
}

impl From<BitErrorRate> for f64 {
    fn from(rate: BitErrorRate) -> f64 {
        shortest(rate.probability(), |number| BitErrorRate::new(number) == rate)
    }
}

impl JsonSchema for BitErrorRate {
    fn schema_name() -> Cow<'static, str> {
        "BitErrorRate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "format": "double", "minimum": 0, "maximum": MAX_ERRORS })
    }
}

/// Generates errors at one rate.
#[derive(Clone, Debug)]
pub struct BitErrors {
    /// The probability, as a fraction of 2^64, that this many bits all arrive intact.
    all_arrive: Vec<u64>,
}

/// A transmission, which keys its draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// The key of the sending node.
    pub key: NodeKey,
    /// The port of the sending node.
    pub port: usize,
    /// Number of earlier transmissions through the port.
    pub number: u64,
}

impl BitErrors {
    /// The errors at a rate, in transmissions of up to `max_bits` bits.
    pub fn new(rate: BitErrorRate, max_bits: usize) -> Self {
        let right = u128::from(u64::MAX - rate.0) + 1;
        let next = |share: &u64| Some(((u128::from(*share) * right) >> 64) as u64);
        let all_arrive = std::iter::successors(Some(u64::MAX), next).take(max_bits + 1).collect();
        BitErrors { all_arrive }
    }

    /// Calls `flip` with the number of each wrong bit of a transmission of `bits` bits.
    pub fn draw(&self, transmission: &Transmission, bits: usize, mut flip: impl FnMut(usize)) {
        #[cfg(debug_assertions)]
        forced::of(transmission).into_iter().for_each(&mut flip);
        let draws = transmission.key.at(transmission.number);
        let (mut first, mut error) = (0, 0);
        while first < bits {
            let port = transmission.port + ERROR_STRIDE * error.min(15);
            let draw = draws.draw64(Purpose::BitError, port).rotate_left(error as u32 / 16);
            if draw < self.all_arrive[bits - first] {
                return;
            }
            // This many bits arrive intact before the wrong one.
            let right = self.all_arrive[1..].partition_point(|&all| draw < all);
            flip(first + right);
            first += right + 1;
            error += 1;
        }
    }
}

/// Inverts a bit.
pub fn flip(bytes: &mut [u8], bit: usize) {
    bytes[bit / 8] ^= 1 << (bit % 8);
}

/// Offset between the errors of a transmission in the number below 256 that distinguishes both ports and errors.
const ERROR_STRIDE: usize = 16;

/// Errors injected by a test, where none would occur by chance in years. Builds for tests have debug assertions.
#[cfg(debug_assertions)]
pub mod forced {
    use super::Transmission;
    use std::cell::RefCell;

    thread_local! {
        static FORCED: RefCell<Vec<(Transmission, Vec<usize>)>> = const { RefCell::new(Vec::new()) };
    }

    /// Makes these bits of these transmissions wrong in this thread, from this call onward.
    pub fn put(errors: Vec<(Transmission, Vec<usize>)>) {
        FORCED.with_borrow_mut(|forced| *forced = errors);
    }

    pub(super) fn of(transmission: &Transmission) -> Vec<usize> {
        FORCED.with_borrow(|forced| {
            let mine = forced.iter().filter(|(forced, _)| forced == transmission);
            mine.flat_map(|(_, bits)| bits.clone()).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_occur_at_their_rate_at_all_positions() {
        let (rate, bits, transmissions) = (1e-3, 2160, 20_000u64);
        let errors = BitErrors::new(BitErrorRate::new(rate), bits);
        let (mut by_part, mut clean) = ([0u32; 8], 0);
        for number in 0..transmissions {
            let mut count = 0;
            let transmission = Transmission { key: NodeKey::new(1, 7), port: 3, number };
            errors.draw(&transmission, bits, |bit| {
                by_part[bit * 8 / bits] += 1;
                count += 1;
            });
            clean += u64::from(count == 0);
        }
        let expected = (1.0 - rate).powi(bits as i32);
        assert!((clean as f64 / transmissions as f64 - expected).abs() < 0.01, "{clean} {expected}");
        let per_part = rate * bits as f64 / 8.0 * transmissions as f64;
        for count in by_part {
            assert!((f64::from(count) / per_part - 1.0).abs() < 0.06, "{by_part:?}, {per_part} expected");
        }
        let none = BitErrors::new(BitErrorRate::new(0.0), bits);
        let transmission = Transmission { key: NodeKey::new(1, 7), port: 3, number: 0 };
        none.draw(&transmission, bits, |_| panic!("no errors at rate 0"));
    }
}
