//! Quantities as users write them: a number with a unit, such as `50 ns`, `100 GB/s` or `940 MHz`.
//!
//! A quantity is read as an exact fraction of its base unit (seconds, bytes, bytes per second, hertz). So `0.1 us` is
//! exactly 100 ns, and only the caller rounds, once.
//!
//! # To add a unit
//!
//! 1. Its line in `Measure::units`.
//! 2. A conversion in the table of `tests/test_units.py`, and the list in `docs/guide.md`.

use num_rational::Ratio;
use num_traits::CheckedMul;

/// An exact fraction.
pub type Exact = Ratio<u128>;

/// Digits of a number with a unit, and decimal places or powers of ten: what `u128` holds in any unit.
const MOST_DIGITS: usize = 15;

/// The measure of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// In seconds.
    Time,
    /// In bytes.
    Size,
    /// In bytes per second.
    Rate,
    /// In hertz.
    Frequency,
}

/// The unit prefixes of ten.
const PREFIXES: [(&str, u32); 6] = [("", 0), ("k", 3), ("K", 3), ("M", 6), ("G", 9), ("T", 12)];

/// The unit prefixes of two.
const BINARY_PREFIXES: [(&str, u32); 4] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40)];

impl Measure {
    /// The quantity in a text, in the base unit of this measure.
    ///
    /// # Errors
    /// If the text is no such quantity; the error says what would be right.
    pub fn read(self, text: &str) -> Result<Exact, String> {
        let (number, unit) = split(text.trim());
        let number = decimal(number).ok_or_else(|| self.expected())?;
        let unit = self.unit(unit).ok_or_else(|| self.expected())?;
        number.checked_mul(&unit).ok_or_else(|| "is out of range".to_owned())
    }

    /// The form of a text of this measure, in words.
    pub fn expected(self) -> String {
        let (what, units) = match self {
            Measure::Time => ("a time", "ps, ns, us, ms, s, min or h"),
            Measure::Size => ("a size", "B, KB, MB, GB, TB (powers of 1000), KiB, MiB, GiB or TiB"),
            Measure::Rate => ("a rate", "B/s, MB/s, GB/s, GiB/s ..., or bits as in 400 Gb/s"),
            Measure::Frequency => ("a frequency", "Hz, kHz, MHz or GHz"),
        };
        format!("must be {what} such as \"{}\": a number and {units}", self.example())
    }

    /// A quantity of this measure.
    pub fn example(self) -> &'static str {
        match self {
            Measure::Time => "50 ns",
            Measure::Size => "16 KB",
            Measure::Rate => "100 GB/s",
            Measure::Frequency => "940 MHz",
        }
    }

    /// The size of a unit in base units.
    fn unit(self, unit: &str) -> Option<Exact> {
        match self {
            Measure::Time => time_unit(unit),
            Measure::Size => prefixed(unit, "B"),
            Measure::Rate => {
                let of_bits = |ending| prefixed(unit, ending).map(|bits| bits / 8);
                prefixed(unit, "B/s").or_else(|| ["b/s", "bit/s", "bps"].into_iter().find_map(of_bits))
            }
            Measure::Frequency => prefixed(unit, "Hz"),
        }
    }
}

fn time_unit(unit: &str) -> Option<Exact> {
    let power = |exponent| Some(Exact::new(1, 10u128.pow(exponent)));
    match unit {
        "ps" => power(12),
        "ns" => power(9),
        "us" | "µs" | "μs" => power(6),
        "ms" => power(3),
        "s" => power(0),
        "min" => Some(Exact::from(60)),
        "h" => Some(Exact::from(3600)),
        _ => None,
    }
}

/// The size of a unit that is a prefix before `base`.
fn prefixed(unit: &str, base: &str) -> Option<Exact> {
    let prefix = unit.strip_suffix(base)?;
    let of_ten = PREFIXES.iter().find(|(known, _)| *known == prefix);
    let of_two = BINARY_PREFIXES.iter().find(|(known, _)| *known == prefix);
    let size = of_ten.map(|(_, power)| 10u128.pow(*power)).or(of_two.map(|(_, power)| 1 << power))?;
    Some(Exact::from(size))
}

/// Whether a text begins like a quantity: with a digit, after a sign if need be. Words such as "infinite" do not.
pub fn is_quantity(text: &str) -> bool {
    text.trim_start().trim_start_matches(['+', '-', '.']).starts_with(|first: char| first.is_ascii_digit())
}

/// The number and the unit of a text.
fn split(text: &str) -> (&str, &str) {
    let is_unit = |(index, character): (usize, char)| {
        // The e of 1e3 belongs to the number.
        let is_exponent = "eE".contains(character)
            && text[index + 1..].starts_with(|next: char| next.is_ascii_digit() || "+-".contains(next));
        (!is_exponent && !"0123456789._+-".contains(character)).then_some(index)
    };
    let end = text.char_indices().find_map(is_unit).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// The exact value of a decimal number such as `1_000`, `0.5` or `2.5e-3`; none if it is negative or too long.
pub fn decimal(text: &str) -> Option<Exact> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, places) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = [whole.strip_prefix('+').unwrap_or(whole), places].concat().replace('_', "");
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let significant = digits.trim_start_matches('0');
    if !is_number || significant.len() > MOST_DIGITS {
        return None;
    }
    let value = Exact::from(significant.parse::<u128>().unwrap_or(0));
    let power = exponent.parse::<i32>().ok()?.checked_sub(places.replace('_', "").len() as i32)?;
    let scale = 10u128.pow(Some(power.unsigned_abs()).filter(|&power| power as usize <= MOST_DIGITS)?);
    if power < 0 { Some(value / scale) } else { value.checked_mul(&scale.into()) }
}

/// The nearest whole number, and the relative error of taking it. None if it does not fit.
pub fn rounded(value: Exact) -> Option<(u64, f64)> {
    let whole = value.round().to_integer();
    // A whole value has no error, whatever its doubles say.
    let error = if value.is_integer() { 0.0 } else { (whole as f64 / to_f64(value) - 1.0).abs() };
    Some((u64::try_from(whole).ok()?, error))
}

/// The double nearest to a value, or next to it.
pub fn to_f64(value: Exact) -> f64 {
    *value.numer() as f64 / *value.denom() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantities_are_read_exactly() {
        let read = |measure: Measure, text| measure.read(text).unwrap();
        assert_eq!(read(Measure::Time, "0.1 us"), read(Measure::Time, "100ns"));
        assert_eq!(read(Measure::Time, "2.5e-3 ms"), Exact::new(25, 10_000_000));
        assert_eq!(read(Measure::Size, "1_000 KiB"), Exact::from(1_024_000));
        assert_eq!(read(Measure::Size, "16 kB"), Exact::from(16_000));
        assert_eq!(read(Measure::Rate, "400 Gb/s"), read(Measure::Rate, "50 GB/s"));
        assert_eq!(read(Measure::Rate, "128 GiB/s"), Exact::from(128 << 30));
        assert_eq!(read(Measure::Frequency, "940 MHz"), Exact::from(940_000_000));
        assert_eq!(read(Measure::Time, "+.5 s"), Exact::new(1, 2));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["50", "50 GB", "50 NS", "ns", "", "-5 ns", "1e99 ns", "1.2.3 ns", "5 5 ns", "1e ns", "0x5 ns"]
        {
            assert!(Measure::Time.read(text).is_err(), "{text}");
        }
        assert!(Measure::Rate.read("100 GB").is_err());
        assert!(Measure::Rate.read("100 gb/s").is_err(), "a small g is no prefix");
    }

    #[test]
    fn rounding_states_its_error() {
        assert_eq!(rounded(Exact::new(10, 2)), Some((5, 0.0)));
        let (whole, error) = rounded(Exact::new(1001, 1000)).unwrap();
        assert!(whole == 1 && (error - 0.000_999).abs() < 1e-6, "{error}");
        assert_eq!(rounded(Exact::new(1, 3)), Some((0, 1.0)));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,30}", number in "[0-9.e_+-]{0,20}", unit in "[a-zA-Zµ/]{0,5}") {
            for measure in [Measure::Time, Measure::Size, Measure::Rate, Measure::Frequency] {
                let _ = measure.read(&text);
                let _ = measure.read(&format!("{number} {unit}"));
                let _ = measure.read(&format!("{number}{unit}"));
            }
        }
    }
}
