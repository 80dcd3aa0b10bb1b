//! Jobs, rules, rooms and runs that tests and benchmarks share.
#![allow(dead_code)] // each file uses a part

use machine_room::Room as MachineRoom;
use scheduling::backfill::Backfill;
use scheduling::job::{Job, sort};
use scheduling::machine::{Allocation, Machine, RoomParts, Wirings};
use scheduling::queue::{Outage, Queue, Rules};
use scheduling::site::Site;
use scheduling::slowdown::Slowdown;

/// Number, submit, run, nodes, walltime.
pub fn job([id, submit, run, nodes, walltime]: [i64; 5]) -> Job {
    Job { id, submit, run, walltime, nodes: nodes as u32, ..Job::default() }
}

/// Rules that drain for each job, kill none, and restart those that an outage ends.
pub fn rules(policy: &str, backfill: Backfill) -> Rules {
    Rules { policy: policy.parse().unwrap(), backfill, threshold: 0.0, kill: false, restart: true }
}

/// A compiled-in room without slowdown, under Cobalt's rule of allocation.
pub fn parts(name: &str, profile: &str) -> RoomParts {
    let room = MachineRoom::named(name).unwrap();
    let catalogue = room.catalogue(profile).unwrap();
    let (allocation, wirings) = (Allocation::LeastBlocking, Wirings::Any);
    RoomParts { room, catalogue, allocation, wirings, slowdown: Slowdown::default() }
}

/// The queue after all events.
pub fn run<M: Machine>(jobs: &[Job], machine: M, rules: Rules, outages: Vec<Outage>) -> Queue<M> {
    run_at_site(jobs, machine, rules, outages, &Site::default())
}

/// The queue of a site after all events.
pub fn run_at_site<M: Machine>(
    jobs: &[Job],
    machine: M,
    rules: Rules,
    outages: Vec<Outage>,
    site: &Site,
) -> Queue<M> {
    let mut jobs = jobs.to_vec();
    sort(&mut jobs);
    let mut queue = Queue::at_site(jobs, machine, rules, outages, site);
    while queue.advance(1000) {}
    queue
}

pub fn starts<M: Machine>(queue: &Queue<M>) -> Vec<Option<i64>> {
    queue.records().iter().map(|record| record.start).collect()
}
