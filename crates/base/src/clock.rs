//! The clock of the processors, as a ratio to that of the network.

/// Processor cycles per network cycle, as a fraction. A cycle of a fast link, which carries one byte, may be shorter
/// than one of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRatio {
    /// Processor cycles ...
    pub processor_cycles: u32,
    /// ... in this many network cycles; at least 1.
    pub cycles: u32,
}

impl ClockRatio {
    /// The first network cycle that does not begin before a processor cycle: effects of software are rounded up once,
    /// here.
    #[inline]
    pub fn cycle_of(self, processor_cycle: u64) -> u64 {
        scale(processor_cycle, self.cycles, self.processor_cycles)
    }

    /// The processor cycle at which a core that is idle since `free_at` begins its work in network cycle `now`. It
    /// begins without a gap if it was busy until within the last cycle, else now.
    #[inline]
    pub fn start(self, free_at: u64, now: u64) -> u64 {
        if self.cycle_of(free_at) >= now.max(1) { free_at } else { self.processor_cycle_of(now) }
    }

    /// The network cycles that lie within a number of processor cycles, wherever these begin.
    pub fn cycles_within(self, processor_cycles: u64) -> u64 {
        let product = u128::from(processor_cycles) * u128::from(self.cycles);
        u64::try_from(product / u128::from(self.processor_cycles)).unwrap_or(u64::MAX)
    }

    /// The first processor cycle that does not begin before a network cycle.
    #[inline]
    pub fn processor_cycle_of(self, cycle: u64) -> u64 {
        scale(cycle, self.processor_cycles, self.cycles)
    }
}

/// `number * by / over`, rounded up; the greatest number if that is out of range.
#[inline]
fn scale(number: u64, by: u32, over: u32) -> u64 {
    match number.checked_mul(by.into()) {
        // Usual ratios have a power of two there, and a division takes as long as ten other instructions.
        Some(product) if over.is_power_of_two() => {
            let whole = product >> over.trailing_zeros();
            whole + u64::from(product & u64::from(over - 1) != 0)
        }
        Some(product) => product.div_ceil(over.into()),
        None => {
            let quotient = (u128::from(number) * u128::from(by)).div_ceil(over.into());
            u64::try_from(quotient).unwrap_or(u64::MAX)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The network cycle is the first that does not begin before the processor cycle, and the other way round.
        #[test]
        fn effects_are_rounded_up_once(
            processor_cycles in 1u32..=1000, cycles in 1u32..=1000, time in 0u64..1 << 40,
        ) {
            let clock = ClockRatio { processor_cycles, cycles };
            let begins_before = |cycle: u64, processor_cycle: u64| {
                u128::from(cycle) * u128::from(processor_cycles)
                    < u128::from(processor_cycle) * u128::from(cycles)
            };
            let cycle = clock.cycle_of(time);
            prop_assert!(!begins_before(cycle, time));
            prop_assert!(cycle == 0 || begins_before(cycle - 1, time));
            let swapped = ClockRatio { processor_cycles: cycles, cycles: processor_cycles };
            prop_assert_eq!(swapped.processor_cycle_of(time), cycle);
        }

        /// An effect is at least that many network cycles later than its cause, and one cycle more is too many.
        #[test]
        fn some_cycles_pass_at_least(
            processor_cycles in 1u32..=1000, cycles in 1u32..=1000, time in 0u64..1 << 40, later in 0u64..1 << 20,
        ) {
            let clock = ClockRatio { processor_cycles, cycles };
            let within = clock.cycles_within(later);
            prop_assert!(clock.cycle_of(time + later) >= clock.cycle_of(time) + within);
            prop_assert!(clock.processor_cycle_of(within) <= later);
            prop_assert!(clock.processor_cycle_of(within + 1) > later);
        }
    }
}
