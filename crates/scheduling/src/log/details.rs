//! What a log says of its jobs beyond their requests and run times: queue, partition, preceding jobs. It matters only
//! at a [site](crate::site) with queues, advance reservations or dependencies.
//!
//! Most jobs share their details with many others, and names occur on many lines: both are stored once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of a name of the log; [`NO_NAME`] stands for a missing one.
pub type Name = u32;

/// The missing name.
pub const NO_NAME: Name = 0;

/// The end of the job before that lets a job arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Needs {
    /// Any (`afterany`, and all dependencies of the Standard Workload Format).
    AnyEnd,
    /// Completion (`afterok`).
    Completion,
    /// Failure (`afternotok`).
    Failure,
}

/// The jobs that a dependency names: a job, all tasks of an array, or one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The number of the job, or of the array.
    pub job: i64,
    /// The task of the array.
    pub task: Option<i64>,
}

/// A dependency, as the log has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct After {
    /// The jobs to wait for.
    pub target: Target,
    /// How they have to end.
    pub needs: Needs,
    /// Seconds between their end and the arrival, at least 0.
    pub think: i64,
}

/// The details of a job in a log, beyond its request and run time.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Details {
    /// The queue: column 15 of SWF, the quality of service (QOS) of sacct.
    pub queue: Name,
    /// The partition: column 16 of SWF and that of sacct.
    pub partition: Name,
    /// The name of its user, if the log has names.
    pub user: Name,
    /// The advance reservation in which it ran.
    pub reservation: Name,
    /// The group: column 13 of SWF, and sacct's number.
    pub group: Option<i64>,
    /// The array of the job, and the number of its task.
    pub array: Option<(i64, i64)>,
    /// Whether it failed or was canceled.
    pub has_failed: bool,
    /// Whether another run of the same job may be a record below, with its number.
    pub may_return: bool,
    /// The jobs that it waits for.
    pub after: Vec<After>,
}

/// The details of all jobs of a log, by number.
#[derive(Clone, Debug)]
pub struct AllDetails {
    names: Vec<String>,
    details: Vec<Details>,
}

impl Default for AllDetails {
    fn default() -> Self {
        AllDetails { names: vec![String::new()], details: vec![Details::default()] }
    }
}

impl AllDetails {
    /// The details with a number, as jobs have it.
    pub fn get(&self, number: u32) -> &Details {
        &self.details[number as usize]
    }

    /// A name; "" if it is missing.
    pub fn name(&self, name: Name) -> &str {
        &self.names[name as usize]
    }

    /// The number of a name, if the log has it.
    pub fn find(&self, name: &str) -> Option<Name> {
        // Names are sorted; the first is the missing one.
        self.names.binary_search_by(|known| known.as_str().cmp(name)).ok().map(|index| index as Name)
    }

    /// The names of users, in their order.
    pub(super) fn users(&self) -> Vec<Name> {
        let users: BTreeSet<Name> = self.details.iter().map(|details| details.user).collect();
        users.into_iter().filter(|user| *user != NO_NAME).collect()
    }
}

/// Collects details while a log is read.
#[derive(Debug, Default)]
pub(super) struct Collected {
    names: HashMap<String, Name>,
    /// The names that are numbers, so that these are not written out for each line.
    numbers: HashMap<i64, Name>,
    details: HashMap<Details, u32>,
}

impl Collected {
    /// The number of a name, which counts in order of appearance until [`Collected::finish`].
    pub(super) fn name(&mut self, name: &str) -> Name {
        if name.is_empty() {
            return NO_NAME;
        }
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = self.names.len() as Name + 1;
        self.names.insert(name.to_owned(), number);
        number
    }

    /// The number of a name that is a number.
    pub(super) fn number(&mut self, number: i64) -> Name {
        if let Some(name) = self.numbers.get(&number) {
            return *name;
        }
        let name = self.name(&number.to_string());
        self.numbers.insert(number, name);
        name
    }

    /// The number of some details.
    pub(super) fn add(&mut self, details: Details) -> u32 {
        let next = self.details.len() as u32;
        *self.details.entry(details).or_insert(next)
    }

    /// All details, and the final number of each one. Numbers follow the content, not the order of the lines.
    pub(super) fn finish(self) -> (AllDetails, Vec<u32>) {
        let mut all = AllDetails::default();
        let mut final_names = vec![NO_NAME; self.names.len() + 1];
        for (name, number) in self.names.into_iter().collect::<BTreeMap<_, _>>() {
            final_names[number as usize] = all.names.len() as Name;
            all.names.push(name);
        }
        let renamed = |details: Details| Details {
            queue: final_names[details.queue as usize],
            partition: final_names[details.partition as usize],
            user: final_names[details.user as usize],
            reservation: final_names[details.reservation as usize],
            ..details
        };
        let mut final_numbers = vec![0; self.details.len()];
        let sorted: BTreeMap<Details, u32> =
            self.details.into_iter().map(|(details, number)| (renamed(details), number)).collect();
        for (details, number) in sorted {
            if details == all.details[0] {
                continue;
            }
            final_numbers[number as usize] = all.details.len() as u32;
            all.details.push(details);
        }
        (all, final_numbers)
    }
}
