//! MSER-5: the beginning of a series to exclude, so that the standard error of the mean of the rest is least
//! (White, Cobb, Spratt: A comparison of five steady-state truncation heuristics for simulation, Winter Simulation
//! Conference 2000).

/// The number of values in a batch: the 5 of MSER-5.
const BATCH: usize = 5;

/// The number of leading values to leave out, by MSER-5: at most half of them.
pub fn truncation(values: &[f64]) -> usize {
    let batches: Vec<f64> =
        values.chunks_exact(BATCH).map(|batch| batch.iter().sum::<f64>() / BATCH as f64).collect();
    let (mut sum, mut squares, mut best, mut min) = (0.0, 0.0, 0, f64::INFINITY);
    let shift = batches.last().copied().unwrap_or(0.0); // keeps the digits of small deviations
    for (start, batch) in batches.iter().enumerate().rev() {
        sum += batch - shift;
        squares += (batch - shift).powi(2);
        let count = (batches.len() - start) as f64;
        let error = (squares - sum * sum / count) / (count * count);
        if 2 * start <= batches.len() && error <= min {
            (best, min) = (start, error);
        }
    }
    best * BATCH
}
