//! Jobs of the model of Lublin and Feitelson ("The workload on parallel supercomputers: modeling the characteristics of
//! rigid jobs", JPDC 63(11), 2003), with the parameters of its whole sample, batch and interactive jobs together.
//!
//! ```text
//!   size      1, or 2^u with u two-stage uniform, mostly rounded to a power of 2     (or drawn from a table)
//!   run time  e^g with g hyper-gamma; the fraction of the first gamma decreases with the size
//!   arrivals  e^g seconds apart with g gamma, scaled by the time of day: many by day, few at night
//! ```
//!
//! The model has no requested times: see [`Walltimes`](super::Walltimes). A draw is a function of (seed, job, purpose,
//! attempt). Draws use logarithms and exponentials, whose last bit may differ between hosts; a time may then differ by
//! a second.

use crate::draws::uniform;
use crate::job::Job;

/// Fractions of one-node jobs and of power-of-two sizes (Table 3 of the paper, as in its program).
const SERIAL_SHARE: f64 = 0.244;
const POWER_OF_TWO_SHARE: f64 = 0.576;
/// Logarithms to base 2 of sizes: the minimum, the distance from the middle to the maximum, and the fraction below the
/// middle.
const MIN_LOG: f64 = 0.8;
const MIDDLE_BELOW_GREATEST: f64 = 2.5;
const BELOW_MIDDLE_SHARE: f64 = 0.86;
/// Run times: shape and scale of two gamma distributions of the logarithm, and slope and intercept of the fraction of
/// the first one against the size in nodes.
const SHORT_RUNS: [f64; 2] = [4.2, 0.94];
const LONG_RUNS: [f64; 2] = [312.0, 0.03];
const SHORT_SHARE: [f64; 2] = [-0.0054, 0.78];
/// Larger logarithms of run times are drawn again: e^12 s = 45 hours (as in the paper's program).
const LONGEST_LOG: f64 = 12.0;
/// Interarrival times at peak hours: shape and scale of a gamma distribution of the logarithm, and the factor that fits
/// the shape to all hours.
const GAPS: [f64; 2] = [10.2303, 0.4871];
const ALL_HOURS: f64 = 1.0225;
const LONGEST_GAP_LOG: f64 = 13.0;
/// Daily cycle of arrivals in buckets of half an hour, for a day that begins at bucket 11: shape and scale of a gamma
/// distribution.
const DAY: [f64; 2] = [8.1737, 3.9631];
const BUCKETS: usize = 48;
const BUCKET_SECONDS: f64 = 1800.0;
const DAY_BEGINS_AT_BUCKET: usize = 11;

/// Offset of the purposes of this model's draws, apart from those of other draws.
const PURPOSE_OFFSET: u64 = 100;

/// The model for a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Nodes of the machine: the maximum job size.
    pub nodes: u32,
    /// Sizes with weights that replace the model's sizes; empty to use those of the model.
    pub sizes: Vec<(u32, f64)>,
    /// Seed of all draws.
    pub seed: u64,
}

impl Model {
    /// Draws `count` jobs in order of submission, starting at midnight. Requested times are the run times.
    pub fn jobs(&self, count: usize) -> Vec<Job> {
        let mut clock = Clock::new();
        (1..=count as i64)
            .map(|id| {
                let draws = Draws { seed: self.seed, job: id as u64 };
                let nodes = self.nodes_of(&draws);
                let run = run_seconds(nodes, &draws);
                let submit = clock.next(draws.gap());
                Job {
                    submit,
                    id,
                    run,
                    walltime: run.max(1),
                    nodes,
                    user: -1,
                    application: -1,
                    ..Job::default()
                }
            })
            .collect()
    }

    fn nodes_of(&self, draws: &Draws) -> u32 {
        let kind = draws.uniform(Purpose::Kind, 0);
        if !self.sizes.is_empty() {
            return from_table(&self.sizes, kind);
        }
        if kind <= SERIAL_SHARE {
            return 1;
        }
        let greatest = f64::from(self.nodes).log2().max(MIN_LOG);
        let middle = (greatest - MIDDLE_BELOW_GREATEST).max(MIN_LOG);
        let is_below = draws.uniform(Purpose::Stage, 0) <= BELOW_MIDDLE_SHARE;
        let (from, to) = if is_below { (MIN_LOG, middle) } else { (middle, greatest) };
        let log = from + (to - from) * draws.uniform(Purpose::Size, 0);
        let log = if kind <= SERIAL_SHARE + POWER_OF_TWO_SHARE { log.round() } else { log };
        (log.exp2().round() as u32).clamp(1, self.nodes)
    }
}

fn from_table(sizes: &[(u32, f64)], share: f64) -> u32 {
    let sum: f64 = sizes.iter().map(|(_, weight)| weight).sum();
    let mut left = share * sum;
    for &(nodes, weight) in sizes {
        left -= weight;
        if left < 0.0 {
            return nodes;
        }
    }
    sizes[sizes.len() - 1].0
}

fn run_seconds(nodes: u32, draws: &Draws) -> i64 {
    let short_share = (SHORT_SHARE[0] * f64::from(nodes) + SHORT_SHARE[1]).clamp(0.0, 1.0);
    let is_short = draws.uniform(Purpose::RunKind, 0) <= short_share;
    let [shape, scale] = if is_short { SHORT_RUNS } else { LONG_RUNS };
    draws.gamma_below(Purpose::Run, shape, scale, LONGEST_LOG).exp() as i64
}

/// The purpose of a draw.
#[derive(Clone, Copy)]
enum Purpose {
    Kind,
    Stage,
    Size,
    RunKind,
    Run,
    Gap,
}

/// The draws of a job.
struct Draws {
    seed: u64,
    job: u64,
}

impl Draws {
    fn uniform(&self, purpose: Purpose, attempt: u64) -> f64 {
        uniform(self.seed, self.job, PURPOSE_OFFSET + purpose as u64 + (attempt << 16))
    }

    /// Seconds to the next job at the mean arrival rate.
    fn gap(&self) -> f64 {
        self.gamma_below(Purpose::Gap, GAPS[0] * ALL_HOURS, GAPS[1], LONGEST_GAP_LOG).exp()
    }

    /// A gamma-distributed number below a bound, by Marsaglia and Tsang (ACM TOMS 26(3), 2000); all shapes here exceed
    /// 1.
    fn gamma_below(&self, purpose: Purpose, shape: f64, scale: f64, bound: f64) -> f64 {
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        let accepted = (0..u64::from(u16::MAX)).find_map(|attempt| {
            let normal = self.normal(purpose, attempt);
            let v = (1.0 + c * normal).powi(3);
            let accepts = v > 0.0
                && self.uniform(purpose, 3 * attempt + 2).ln()
                    < 0.5 * normal * normal + d - d * v + d * v.ln();
            (accepts && d * v * scale <= bound).then_some(d * v * scale)
        });
        accepted.unwrap_or(bound)
    }

    /// A standard normal number, by Box and Muller.
    fn normal(&self, purpose: Purpose, attempt: u64) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform(purpose, 3 * attempt)).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform(purpose, 3 * attempt + 1)).cos()
    }
}

/// The time of day, which scales interarrival times.
struct Clock {
    weights: [f64; BUCKETS],
    /// Seconds since the first midnight.
    seconds: f64,
}

impl Clock {
    fn new() -> Self {
        let [shape, scale] = DAY;
        let mut weights = [0.0; BUCKETS];
        for step in DAY_BEGINS_AT_BUCKET..DAY_BEGINS_AT_BUCKET + BUCKETS {
            let at = step as f64;
            weights[(step - 1) % BUCKETS] = gamma_share(at - 0.5, at + 0.5, shape, scale);
        }
        let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
        weights.iter_mut().for_each(|weight| *weight /= mean);
        Clock { weights, seconds: 0.0 }
    }

    /// Advances by a gap, which is longer at times of fewer arrivals, and returns the time.
    fn next(&mut self, gap: f64) -> i64 {
        let mut left = gap;
        loop {
            let bucket = (self.seconds / BUCKET_SECONDS) as u64;
            let weight = self.weights[(bucket % BUCKETS as u64) as usize];
            let rest = (bucket + 1) as f64 * BUCKET_SECONDS - self.seconds;
            if rest * weight > left {
                self.seconds += left / weight;
                return self.seconds as i64;
            }
            left -= rest * weight;
            self.seconds = (bucket + 1) as f64 * BUCKET_SECONDS;
        }
    }
}

/// The probability of a gamma distribution between two values, up to a constant factor, by Simpson's rule.
fn gamma_share(from: f64, to: f64, shape: f64, scale: f64) -> f64 {
    let density = |x: f64| ((shape - 1.0) * (x / scale).ln() - x / scale).exp();
    (density(from) + 4.0 * density((from + to) / 2.0) + density(to)) / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        Model { nodes: 128, sizes: vec![], seed: 1 }
    }

    /// Fractions of the paper's sample, within four standard errors of 20,000 draws.
    #[test]
    fn sizes_match_the_paper() {
        let jobs = model().jobs(20_000);
        let share =
            |is: &dyn Fn(u32) -> bool| jobs.iter().filter(|job| is(job.nodes)).count() as f64 / 20_000.0;
        assert!((share(&|nodes| nodes == 1) - SERIAL_SHARE).abs() < 0.013);
        assert!(share(&|nodes| nodes.is_power_of_two()) > SERIAL_SHARE + POWER_OF_TWO_SHARE);
        assert!(share(&|nodes| nodes > 128) == 0.0);
        // The middle lies at 2^4.5 = 22.6 of 128 nodes.
        let above = share(&|nodes| nodes > 22) / (1.0 - SERIAL_SHARE);
        assert!((above - (1.0 - BELOW_MIDDLE_SHARE)).abs() < 0.03, "{above}");
    }

    /// The mean of a gamma distribution is shape x scale: 3.95 and 9.36 for the logarithms of run times.
    #[test]
    fn run_times_have_the_mean_of_a_hyper_gamma() {
        let jobs = Model { sizes: vec![(1, 1.0)], ..model() }.jobs(20_000);
        let logs: Vec<f64> = jobs.iter().map(|job| (job.run.max(1) as f64).ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let short = SHORT_SHARE[0] + SHORT_SHARE[1];
        let expected = short * 4.2 * 0.94 + (1.0 - short) * 312.0 * 0.03;
        assert!((mean - expected).abs() < 0.1, "{mean} instead of {expected}");
    }

    #[test]
    fn most_jobs_arrive_by_day() {
        let jobs = model().jobs(20_000);
        let by_day = jobs.iter().filter(|job| (8..20).contains(&(job.submit / 3600 % 24))).count();
        assert!(by_day > 13_000, "{by_day} of 20,000 between 8 and 20 o'clock");
        assert!(jobs.is_sorted());
        assert_eq!(jobs, model().jobs(20_000));
    }

    #[test]
    fn sizes_follow_a_table() {
        let jobs = Model { sizes: vec![(512, 3.0), (1024, 1.0)], ..model() }.jobs(10_000);
        let small = jobs.iter().filter(|job| job.nodes == 512).count();
        assert!((7300..7700).contains(&small), "{small}");
        assert!(jobs.iter().all(|job| job.nodes == 512 || job.nodes == 1024));
    }
}
