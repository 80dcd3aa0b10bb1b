//! Decimal numbers of values that are kept as integers.

/// Significant digits that tell any two floats apart.
const MOST_DIGITS: usize = 17;

/// Of the decimal numbers nearest to `value`, the shortest that `is_it`; `value` if none is.
pub fn shortest(value: f64, is_it: impl Fn(f64) -> bool) -> f64 {
    let mut numbers = (0..MOST_DIGITS).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
    numbers.find(|&number| is_it(number)).unwrap_or(value)
}
