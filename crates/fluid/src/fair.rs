//! Max-min fair rates of streams that share resources, and the time in which all of them have ended.
//!
//! ```text
//!   all rates rise together --> a resource is full: its streams keep their rate --> the others rise on --> ...
//!   streams that end free their share, and the rates of the others are computed anew
//! ```
//!
//! All decisions are the same for any order of streams and resources: sums over streams are of integers.

/// Streams, each with the cycles for which it needs each resource from its beginning to its end.
#[derive(Clone, Debug)]
pub(crate) struct Streams {
    resources: usize,
    /// Where the needs of each stream begin, and at last their number.
    starts: Vec<usize>,
    needs: Vec<Need>,
    /// The weights, to which the rates of streams are proportional while no resource is full.
    weights: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Need {
    resource: u32,
    stream: u32,
    cycles: f64,
}

/// The bytes of a need, with its place among those of its resource.
pub(crate) const BYTES_OF_NEED: usize = size_of::<Need>() + size_of::<u32>();

/// One in this number of the streams that are left may end before rates are computed anew.
const ENDING_SHARE: usize = 16;

/// How close to full a resource counts as full, and how close to its end a stream as ended.
const FULL: f64 = 1e-9;

/// Parts of one in what a stream uses of a resource. They are fine enough for needs that are lost among others, and as
/// many streams as memory holds may use all of the resource.
const PARTS: f64 = (1u128 << 104) as f64;

impl Streams {
    /// No streams, on `resources` resources.
    pub fn new(resources: usize) -> Self {
        Streams { resources, starts: vec![0], needs: Vec::new(), weights: Vec::new() }
    }

    /// Adds a stream of some weight, with the cycles for which it needs each of its resources.
    pub fn add(&mut self, weight: f64, needs: impl Iterator<Item = (u32, f64)>) {
        let stream = self.weights.len() as u32;
        // A need so small that it is lost among the others would never fill anything.
        let needs = needs.filter(|(_, cycles)| cycles * weight * PARTS >= 1.0);
        self.needs.extend(needs.map(|(resource, cycles)| Need { resource, stream, cycles }));
        self.starts.push(self.needs.len());
        self.weights.push(weight);
    }

    /// The number of needs.
    pub fn needs_of_all(&self) -> usize {
        self.needs.len()
    }

    fn needs(&self, stream: usize) -> &[Need] {
        &self.needs[self.starts[stream]..self.starts[stream + 1]]
    }

    /// Cycles until all streams have ended.
    pub fn drained_cycles(&self) -> f64 {
        let users = Users::new(self);
        let mut left = vec![1.0; self.weights.len()];
        let mut active: Vec<usize> =
            (0..left.len()).filter(|&stream| !self.needs(stream).is_empty()).collect();
        let mut now = 0.0;
        while !active.is_empty() {
            let rates = self.rates(&active, &users);
            let mut ends: Vec<f64> =
                active.iter().zip(&rates).map(|(&stream, rate)| left[stream] / rate).collect();
            let ending = active.len() / ENDING_SHARE;
            let (_, &mut step, _) = ends.select_nth_unstable_by(ending, f64::total_cmp);
            now += step;
            active.iter().zip(&rates).for_each(|(&stream, rate)| left[stream] -= rate * step);
            active.retain(|&stream| left[stream] > FULL);
        }
        now
    }

    /// The max-min fair rates of some streams, as shares of the stream in a cycle.
    fn rates(&self, active: &[usize], users: &Users) -> Vec<f64> {
        let mut shares = Shares::new(self, active, users);
        while shares.rising > 0 {
            shares.raise();
        }
        let level = |stream: usize| match shares.rises[stream] {
            Rise::Until(level) => level,
            Rise::Ended | Rise::Going => unreachable!("its rate has been found"),
        };
        active.iter().map(|&stream| level(stream) * self.weights[stream]).collect()
    }
}

/// The needs of each resource.
struct Users {
    /// Where the needs of each resource begin, and at last their number.
    starts: Vec<usize>,
    /// The needs, as places among the needs of all streams.
    needs: Vec<u32>,
}

impl Users {
    fn new(streams: &Streams) -> Self {
        let mut starts = vec![0; streams.resources + 1];
        streams.needs.iter().for_each(|need| starts[need.resource as usize + 1] += 1);
        (0..streams.resources).for_each(|resource| starts[resource + 1] += starts[resource]);
        let (mut ends, mut needs) = (starts.clone(), vec![0; streams.needs.len()]);
        for (place, need) in streams.needs.iter().enumerate() {
            let end = &mut ends[need.resource as usize];
            needs[*end] = place as u32;
            *end += 1;
        }
        Users { starts, needs }
    }

    fn of<'a>(&'a self, streams: &'a Streams, resource: u32) -> impl Iterator<Item = &'a Need> {
        let resource = resource as usize;
        let places = &self.needs[self.starts[resource]..self.starts[resource + 1]];
        places.iter().map(|&place| &streams.needs[place as usize])
    }
}

/// The free share of each resource while rates rise.
struct Shares<'a> {
    streams: &'a Streams,
    users: &'a Users,
    level: f64,
    rises: Vec<Rise>,
    /// The number of streams that rise.
    rising: usize,
    resources: Vec<Resource>,
    /// The resources that rising streams use.
    used: Vec<u32>,
}

/// The free share of a resource.
#[derive(Clone, Copy)]
struct Resource {
    /// The part that is not used at the present level.
    free: f64,
    /// The use by streams that still rise, for each unit of the level, in parts.
    rising: u128,
    /// The number of these streams.
    count: u32,
}

impl Need {
    /// The use of the resource by the stream, for each unit of the level, in parts.
    fn parts(&self, weight: f64) -> u128 {
        (self.cycles * weight * PARTS) as u128
    }
}

/// How far the rate of a stream has risen.
#[derive(Clone, Copy, PartialEq)]
enum Rise {
    /// The stream has ended.
    Ended,
    /// The rate still rises.
    Going,
    /// A resource was full at this level.
    Until(f64),
}

impl<'a> Shares<'a> {
    fn new(streams: &'a Streams, active: &[usize], users: &'a Users) -> Self {
        let unused = Resource { free: 1.0, rising: 0, count: 0 };
        let mut shares = Shares {
            streams,
            users,
            level: 0.0,
            rises: vec![Rise::Ended; streams.weights.len()],
            rising: active.len(),
            resources: vec![unused; streams.resources],
            used: Vec::new(),
        };
        for &stream in active {
            shares.rises[stream] = Rise::Going;
            for need in streams.needs(stream) {
                let resource = &mut shares.resources[need.resource as usize];
                resource.rising += need.parts(streams.weights[stream]);
                resource.count += 1;
                if resource.count == 1 {
                    shares.used.push(need.resource);
                }
            }
        }
        shares
    }

    /// Raises the level until a further resource is full, whose streams then rise no more.
    fn raise(&mut self) {
        let (resources, rising) = (&mut self.resources, self.rising);
        self.used.retain(|&resource| resources[resource as usize].count > 0);
        let room = |&resource: &u32| resources[resource as usize].room();
        let step = self.used.iter().map(room).fold(f64::INFINITY, f64::min).max(0.0);
        self.level += step;
        let mut full = Vec::new();
        for &number in &self.used {
            let resource = &mut resources[number as usize];
            resource.free -= step * resource.rising();
            if resource.free <= FULL {
                full.push(number);
            }
        }
        let (streams, users) = (self.streams, self.users);
        for need in full.into_iter().flat_map(|resource| users.of(streams, resource)) {
            if self.rises[need.stream as usize] == Rise::Going {
                self.settle(need.stream as usize);
            }
        }
        assert!(self.rising < rising, "a resource that is full stops a stream");
    }

    /// The rate of a stream rises no more.
    fn settle(&mut self, stream: usize) {
        self.rises[stream] = Rise::Until(self.level);
        self.rising -= 1;
        let (streams, weight) = (self.streams, self.streams.weights[stream]);
        for need in streams.needs(stream) {
            let resource = &mut self.resources[need.resource as usize];
            resource.rising -= need.parts(weight);
            resource.count -= 1;
        }
    }
}

impl Resource {
    /// The amount by which the level can rise until the resource is full.
    fn room(&self) -> f64 {
        self.free / self.rising()
    }

    /// The use by streams that rise, for each unit of the level.
    fn rising(&self) -> f64 {
        self.rising as f64 / PARTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn streams(resources: usize, all: &[&[(u32, f64)]]) -> Streams {
        let mut streams = Streams::new(resources);
        all.iter().for_each(|needs| streams.add(1.0, needs.iter().copied()));
        streams
    }

    /// Streams 0 and 1 share the first resource, 1 and 2 the second, which is half as fast.
    #[test]
    fn rates_are_those_of_the_textbook() {
        let streams = streams(2, &[&[(0, 1.0)], &[(0, 1.0), (1, 2.0)], &[(1, 2.0)]]);
        assert_eq!(streams.rates(&[0, 1, 2], &Users::new(&streams)), [0.75, 0.25, 0.25]);
    }

    /// Shares of far corners are lost in the sums of the links that they share with near ones.
    #[test]
    fn shares_below_rounding_end_too() {
        let streams =
            streams(3, &[&[(0, 1.0), (1, 1.0)], &[(0, 1e-18), (2, 1.0)], &[(0, 3e-17)], &[(0, 1e-310)]]);
        let rates = streams.rates(&[0, 1, 2], &Users::new(&streams));
        assert_eq!(rates, [1.0; 3]);
        assert!((streams.drained_cycles() - 1.0).abs() < 1e-9);
    }

    /// After 4/3 cycles the first has ended; the others go on at the same rate.
    #[test]
    fn streams_end_at_different_times() {
        let streams = streams(2, &[&[(0, 1.0)], &[(0, 1.0), (1, 2.0)], &[(1, 2.0)]]);
        assert!((streams.drained_cycles() - 4.0).abs() < 1e-9);
        assert_eq!(Streams::new(3).drained_cycles(), 0.0);
    }

    /// Needs from one another's rounding to long ones.
    fn needs(max: usize) -> impl Strategy<Value = Vec<BTreeMap<u32, f64>>> {
        let cycles = (-25.0f64..3.0).prop_map(|exponent| 10f64.powf(exponent));
        let either = prop_oneof![0.1f64..4.0, cycles];
        prop::collection::vec(prop::collection::btree_map(0u32..6, either, 1..4), 1..max)
    }

    fn of_needs(needs: &[BTreeMap<u32, f64>]) -> Streams {
        let mut streams = Streams::new(6);
        let of_one = |needs: &BTreeMap<u32, f64>| needs.clone().into_iter();
        needs.iter().for_each(|needs| streams.add(1.0, of_one(needs)));
        streams
    }

    proptest! {
        /// No resource is overloaded, and each stream has a full one on which no other is faster.
        #[test]
        fn rates_are_max_min_fair(needs in needs(12)) {
            let streams = of_needs(&needs);
            let all: Vec<usize> = (0..needs.len()).collect();
            let rates = streams.rates(&all, &Users::new(&streams));
            let load = |resource: u32| -> f64 {
                all.iter().map(|&stream| needs[stream].get(&resource).unwrap_or(&0.0) * rates[stream]).sum()
            };
            prop_assert!((0..6).all(|resource| load(resource) < 1.0 + 1e-6));
            for &stream in &all {
                let is_bottleneck = |&resource: &u32| {
                    let others = all.iter().filter(|&&other| needs[other].contains_key(&resource));
                    load(resource) > 1.0 - 1e-6 && others.into_iter().all(|&other| rates[other] < rates[stream] * (1.0 + 1e-6))
                };
                prop_assert!(needs[stream].keys().any(is_bottleneck));
            }
        }

        /// All end, no earlier than the busiest resource can carry them and no later than one after the other.
        #[test]
        fn draining_takes_as_long_as_the_busiest_resource_at_least(needs in needs(60)) {
            let streams = of_needs(&needs);
            let load = |resource: u32| -> f64 { needs.iter().filter_map(|needs| needs.get(&resource)).sum() };
            let busiest = (0..6).map(load).fold(0.0, f64::max);
            let serial: f64 = needs.iter().map(|needs| needs.values().copied().fold(0.0, f64::max)).sum();
            let drained = streams.drained_cycles();
            prop_assert!(drained > busiest * (1.0 - 1.0 / ENDING_SHARE as f64) && drained < serial * (1.0 + 1e-6));
        }
    }
}
