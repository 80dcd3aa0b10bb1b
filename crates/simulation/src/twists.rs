//! The best twists of a torus, for users.

use geometry::{FoundTwist, MAX_DIMENSIONS, Shape, Twist, best_twists, dimension_name, evaluated_twist};
use input::InputError;
use serde_json::{Map, Value, json};

/// The most twists that are searched. 8x16x32 has a million; each takes a hundredth of a second or less.
const MAX_TWISTS: f64 = 2e6;

/// The best twists of a torus of these lengths for uniform traffic, all links alike: `shape`, and for the torus without a
/// twist (`plain`) and each of `twists`, the best first, `longest_distance`, `mean_distance` and `gain`: the bound of an
/// all-to-all is that many times as fast. A twist has its `shifts` in words, the value of `machine.twist` (`setting`), and
/// `is_offered`: whether TPU slices have it. Such a one comes last if it is not among the best. None if `goes_on` ends the
/// search.
///
/// # Errors
/// When there is no such torus, or its twists are too many.
pub fn twists(
    lengths: &[u32],
    most: usize,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Value>, InputError> {
    let wrong = |problem: String| InputError::at("shape", problem);
    let plain = Shape::torus(lengths).map_err(|error| wrong(error.to_string()))?;
    if count(lengths) > MAX_TWISTS {
        return Err(wrong(format!(
            "{plain} has {:.0} million twists; a search takes at most 2 million",
            count(lengths) / 1e6
        )));
    }
    let costs = vec![1.0; lengths.len()];
    let mut is_ended = false;
    let found = best_twists(lengths, &costs, most, &mut || {
        is_ended = !goes_on();
        !is_ended
    });
    let found = found.map_err(|error| wrong(error.to_string()))?;
    let usual = Twist::automatic(lengths).and_then(|twist| evaluated_twist(&plain, twist, &costs).ok());
    let is_offered = |found: &FoundTwist| usual.as_ref().is_some_and(|usual| is_alike(found, usual));
    let left_out = usual.iter().filter(|usual| !found.iter().any(|found| is_alike(found, usual)));
    let load = plain.uniform_load(&costs);
    let described = |found: &FoundTwist| {
        json!({
            "shifts": found.twist.to_string(),
            "setting": setting(&found.twist),
            "longest_distance": found.longest_distance,
            "mean_distance": found.mean_distance,
            "gain": load / found.load,
            "is_offered": is_offered(found),
        })
    };
    let twists: Vec<Value> = found.iter().chain(left_out).map(described).collect();
    Ok((!is_ended).then(|| {
        json!({
            "shape": plain.to_string(),
            "plain": {
                "longest_distance": plain.greatest_cost(&[1.0; MAX_DIMENSIONS]),
                "mean_distance": plain.mean_distance(),
                "gain": 1.0,
            },
            "twists": twists,
        })
    }))
}

/// The number of twists, those that look alike counted each, and without those that the order of dimensions repeats.
fn count(lengths: &[u32]) -> f64 {
    let of_pair = |first: usize, later: usize| f64::from(lengths[first].max(lengths[later]));
    let pairs =
        (0..lengths.len()).flat_map(|first| (first + 1..lengths.len()).map(move |later| (first, later)));
    let orders: f64 = (1..=lengths.len()).map(|number| number as f64).product();
    orders * pairs.map(|(first, later)| of_pair(first, later)).product::<f64>()
}

/// Whether two twists are worth the same: of those that look alike, the search finds one.
fn is_alike(one: &FoundTwist, other: &FoundTwist) -> bool {
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b;
    is_near(one.load, other.load) && is_near(one.mean_distance, other.mean_distance)
}

/// The value of `machine.twist`.
fn setting(twist: &Twist) -> Value {
    let mut shifts = Map::new();
    for (across, along, by) in twist.shifts() {
        let of_dimension = shifts.entry(dimension_name(across)).or_insert_with(|| json!({}));
        of_dimension[dimension_name(along).to_string()] = by.into();
    }
    Value::Object(shifts)
}
