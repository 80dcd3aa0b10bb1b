//! Converts values that state their unit to the unit of their key.

use super::{CLOCK, HOP_LATENCY, RATE, Unit};
use input::quantity::{Exact, decimal, is_quantity, rounded, to_f64};
use input::{Document, InputError, Override};
use network::parameters::MAX_CLOCK_RATIO;
use num_traits::{CheckedDiv, CheckedMul};
use serde_json::{Value, json};

/// A value that is rounded by more than this is reported.
const REPORTED_ERROR: f64 = 0.001;

/// Bytes of a link's rate in MB/s.
const BYTES_PER_MEGABYTE: u128 = 1_000_000;

/// The clocks of a machine, as exact rates; none before their keys are converted, or if these are wrong.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    /// Bytes of a link in a second: the cycles of the network.
    hertz: Option<Exact>,
    /// Processor cycles in a second.
    processor_hertz: Option<Exact>,
}

impl Clocks {
    /// The clocks of a document.
    fn of(document: &Document) -> Self {
        let hertz =
            document.get(RATE).and_then(number).and_then(|rate| rate.checked_mul(&BYTES_PER_MEGABYTE.into()));
        let hertz = hertz.filter(|hertz| *hertz > Exact::from(0));
        let ratio = match document.get(CLOCK) {
            Some(Value::Array(pair)) => match pair.as_slice() {
                [cycles, over] => {
                    number(cycles).zip(number(over)).and_then(|(cycles, over)| cycles.checked_div(&over))
                }
                _ => None,
            },
            other => other.and_then(number),
        };
        let processor_hertz = hertz.zip(ratio).and_then(|(hertz, ratio)| hertz.checked_mul(&ratio));
        Clocks { hertz, processor_hertz }
    }
}

/// Converts all texts that state a unit, and returns what users should know: values that are rounded.
///
/// # Errors
/// When a text is no quantity of its key's measure, or rounds to 0.
pub(crate) fn convert(document: &mut Document) -> Result<Vec<String>, InputError> {
    // Each clock is needed for what is converted after it.
    let mut notes = Vec::new();
    for is_due in [
        |unit| unit == Unit::MegabytesPerSecond,
        |unit| unit == Unit::ProcessorCyclesPerCycle,
        |unit| unit != Unit::MegabytesPerSecond && unit != Unit::ProcessorCyclesPerCycle,
    ] {
        let clocks = Clocks::of(document);
        let mut found = Vec::new();
        collect("", document.root(), None, &mut found);
        for (path, unit) in found.into_iter().filter(|(_, unit)| is_due(*unit)) {
            convert_one(document, &path, unit, clocks, &mut notes)?;
        }
    }
    Ok(notes)
}

/// Refuses other clocks for a resolved scenario that is written in units. Its times have been counted in cycles of its own
/// clocks already, so that they would silently change; and what followed from its links would not.
///
/// # Errors
/// When an override, given also in the keys of the machine, changes the rate of links, a hop latency or the clock of
/// processors.
pub(crate) fn check_clocks(
    document: &Document,
    change: &Override,
    in_keys: &[Override],
) -> Result<(), InputError> {
    let mut changed = document.clone();
    in_keys.iter().try_for_each(|change| changed.apply(change))?;
    let in_units = document.get("run.units").and_then(Value::as_str) == Some("physical");
    let states_unit = |key: &str| match changed.get(key) {
        Some(Value::Array(items)) => items.iter().any(Value::is_string),
        value => value.is_some_and(Value::is_string),
    };
    let suspects: Vec<&str> =
        [RATE, CLOCK, HOP_LATENCY].into_iter().filter(|key| in_units || states_unit(key)).collect();
    if suspects.is_empty() || convert(&mut changed).is_err() {
        return Ok(()); // what cannot be converted is refused where the whole document is
    }
    if suspects.into_iter().all(|key| changed.get(key) == document.get(key)) {
        return Ok(());
    }
    let problem = "a result has its times in steps of its own clocks, and values that followed from its links: set this in \
                   the original scenario";
    Err(InputError::at(&change.origin, problem).key(&change.path).value(&change.value))
}

/// The paths and units of all texts that are quantities. A table of costs has the unit of its key.
fn collect(path: &str, value: &Value, unit: Option<Unit>, found: &mut Vec<(String, Unit)>) {
    match value {
        Value::Object(table) => {
            for (key, value) in table {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let of_table = unit.filter(|unit| *unit == Unit::ProcessorCycles);
                collect(&inner, value, Unit::of(key).or(of_table), found);
            }
        }
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.for_each(|(index, item)| collect(&format!("{path}[{index}]"), item, unit, found));
        }
        Value::String(text) if is_quantity(text) => found.extend(unit.map(|unit| (path.to_owned(), unit))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn convert_one(
    document: &mut Document,
    path: &str,
    unit: Unit,
    clocks: Clocks,
    notes: &mut Vec<String>,
) -> Result<(), InputError> {
    let text = document.get(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let quantity = unit.measure().read(&text).map_err(|problem| document.error(path, problem))?;
    let Some(value) = in_unit(quantity, unit, clocks) else {
        return check_rate(document, clocks); // else the clock is wrong, and is refused where it is read
    };
    let converted = match unit {
        Unit::MegabytesPerSecond => json!(to_f64(value)),
        Unit::ProcessorCyclesPerCycle => {
            ratio(value).ok_or_else(|| document.error(path, "is out of range"))?
        }
        Unit::Cycles | Unit::ProcessorCycles | Unit::Bytes | Unit::BytesPerCycle => {
            whole(document, path, (value, unit, clocks), notes)?.into()
        }
    };
    document.convert(path, converted, step(unit, clocks));
    Ok(())
}

/// Refuses a rate of links that gives no length of a cycle.
fn check_rate(document: &Document, clocks: Clocks) -> Result<(), InputError> {
    match document.get(RATE) {
        Some(rate) if clocks.hertz.is_none() => {
            let is_positive = rate.as_f64().is_some_and(|rate| rate > 0.0);
            Err(document
                .error(RATE, if is_positive { "is out of range" } else { "must be a number above 0" }))
        }
        _ => Ok(()),
    }
}

/// A quantity in the unit of a key.
fn in_unit(quantity: Exact, unit: Unit, clocks: Clocks) -> Option<Exact> {
    match unit {
        Unit::Bytes => Some(quantity),
        Unit::MegabytesPerSecond => quantity.checked_div(&BYTES_PER_MEGABYTE.into()),
        Unit::Cycles => quantity.checked_mul(&clocks.hertz?),
        Unit::ProcessorCycles => quantity.checked_mul(&clocks.processor_hertz?),
        Unit::BytesPerCycle | Unit::ProcessorCyclesPerCycle => quantity.checked_div(&clocks.hertz?),
    }
}

/// A value as a whole number. Rounding by more than a thousandth is noted.
fn whole(
    document: &Document,
    path: &str,
    (value, unit, clocks): (Exact, Unit, Clocks),
    notes: &mut Vec<String>,
) -> Result<u64, InputError> {
    let (number, error) = rounded(value).ok_or_else(|| document.error(path, "is out of range"))?;
    if number == 0 && value > Exact::from(0) {
        return Err(document.error(path, format!("rounds to 0: the least is {}", least(unit, clocks))));
    }
    if error > REPORTED_ERROR {
        let (key, text) = (document.written_key(path), document.get(path).unwrap_or(&Value::Null));
        let step = step(unit, clocks).unwrap_or_else(|| least(unit, clocks));
        notes.push(format!("{key}: {text} is rounded to {number} times {step}, by {:.2} %", 100.0 * error));
    }
    Ok(number)
}

/// The time that is one of a unit; none for other measures.
fn step(unit: Unit, clocks: Clocks) -> Option<String> {
    let nanoseconds = |hertz: Option<Exact>| hertz.map_or(0.0, |hertz| 1e9 / to_f64(hertz));
    match unit {
        Unit::Cycles => Some(format!("{:.4} ns", nanoseconds(clocks.hertz))),
        Unit::ProcessorCycles => Some(format!("{:.4} ns", nanoseconds(clocks.processor_hertz))),
        Unit::Bytes | Unit::BytesPerCycle | Unit::MegabytesPerSecond | Unit::ProcessorCyclesPerCycle => None,
    }
}

/// The least quantity of a unit, and what it is.
fn least(unit: Unit, clocks: Clocks) -> String {
    let step = step(unit, clocks).unwrap_or_default();
    match unit {
        Unit::Cycles => format!("{step}, the time of a byte on a link"),
        Unit::ProcessorCycles => format!("{step}, a step of the processors' clock"),
        Unit::Bytes => "1 B".to_owned(),
        Unit::BytesPerCycle | Unit::MegabytesPerSecond | Unit::ProcessorCyclesPerCycle => {
            "the rate of a link".to_owned()
        }
    }
}

/// A ratio of clocks as the key has it: the nearest of the fractions that it takes.
fn ratio(value: Exact) -> Option<Value> {
    let nearest = nearest_fraction(value, MAX_CLOCK_RATIO.into());
    let (cycles, over) = (*nearest.numer(), *nearest.denom());
    let (cycles, over) =
        (u32::try_from(cycles).ok().filter(|&cycles| cycles > 0)?, u32::try_from(over).ok()?);
    Some(if over == 1 { json!(cycles) } else { json!([cycles, over]) })
}

/// The last convergent of a value's continued fraction whose parts are at most `max`. It misses the value by less than
/// 1 in `max` of its own last digit.
fn nearest_fraction(value: Exact, max: u128) -> Exact {
    let (mut before, mut last) = ((0, 1), (1, 0));
    let mut rest = (*value.numer(), *value.denom());
    while rest.1 > 0 {
        let whole = rest.0 / rest.1;
        let next = (last.0 * whole + before.0, last.1 * whole + before.1);
        if next.0 > max || next.1 > max {
            break;
        }
        (before, last) = (last, next);
        rest = (rest.1, rest.0 % rest.1);
    }
    if last.1 == 0 { Exact::from(max) } else { Exact::new(last.0, last.1) }
}

/// A number of a document, exactly as it was written.
fn number(value: &Value) -> Option<Exact> {
    value.as_number().and_then(|number| decimal(&number.to_string()))
}
