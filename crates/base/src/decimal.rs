//! Decimal numbers of values that are kept as integers.

/// Significant digits that distinguish any two floats.
const MAX_DIGITS: usize = 17;

/// The shortest decimal number nearest to `value` for which `is_it` holds; `value` if there is none.
pub fn shortest(value: f64, is_it: impl Fn(f64) -> bool) -> f64 {
    let mut numbers = (0..MAX_DIGITS).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
    numbers.find(|&number| is_it(number)).unwrap_or(value)
}
