//! Queues in front of rooms: no resource is shared, reservations hold, outages end the affected jobs.
//!
//! With debug assertions, every event checks that no two running partitions share a midplane, a node card or a cable,
//! by the resources of each partition.

mod support;

use machine_room::Room as MachineRoom;
use proptest::prelude::*;
use proptest::sample::select;
use scheduling::backfill::Backfill;
use scheduling::job::{Job, sort};
use scheduling::machine::{
    Allocation, Machine, Part, Plain, Request, Reservation, Room, RoomParts, Running, Wirings,
};
use scheduling::policy::{Moment, Policy};
use scheduling::queue::{Outage, Rules};
use scheduling::slowdown::{Rule, Slowdown};
use scheduling::state::Reason;
use support::{job, parts, rules, run, starts};

fn room(profile: &str, slowdown: u64, wirings: Wirings, failing: &[Part]) -> Room {
    let uniform = Slowdown { parts_per_million: slowdown, rules: vec![] };
    room_with(profile, uniform, wirings, failing)
}

fn room_with(profile: &str, slowdown: Slowdown, wirings: Wirings, failing: &[Part]) -> Room {
    allocated(profile, Allocation::LeastBlocking, slowdown, wirings, failing)
}

fn allocated(
    profile: &str,
    allocation: Allocation,
    slowdown: Slowdown,
    wirings: Wirings,
    failing: &[Part],
) -> Room {
    let parts = RoomParts { allocation, wirings, slowdown, ..parts("intrepid", profile) };
    Room::new(parts, failing).unwrap()
}

/// Jobs of all sizes of the room, parts of midplanes included, submitted within a day.
fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let one = (0..86_400i64, 0..20_000i64, 0..10u32, 0..400u32, 0..3i64);
    proptest::collection::vec(one, 1..120).prop_map(|rows| {
        let job_of = |(id, (submit, run, power, more, beyond)): (usize, (i64, i64, u32, u32, i64))| {
            let nodes = ((64u32 << power) + more).min(40_960);
            job([id as i64, submit, run, nodes.into(), (run * (1 + beyond) / 2).max(1)])
        };
        rows.into_iter().enumerate().map(job_of).collect()
    })
}

/// The starts under conservative backfilling by its definition. At every event, every job gives up its reservation and
/// gets the earliest one, in order; if a reservation no longer holds, all are planned anew.
fn conservative_starts<M: Machine>(jobs: &[Job], mut machine: M, policy: &Policy) -> Vec<Option<i64>> {
    let mut running: Vec<(i64, Running<M::Place>)> = vec![];
    let mut reservations: Vec<Option<Reservation<M::Place>>> = vec![None; jobs.len()];
    let mut starts: Vec<Option<i64>> = vec![None; jobs.len()];
    let mut arrived = 0;
    loop {
        let arrival = jobs.get(arrived).map(|job| job.submit);
        let Some(now) = running.iter().map(|held| held.0).chain(arrival).min() else { break };
        running.retain(|(end, held)| {
            if *end == now {
                machine.release(held.place);
            }
            *end != now
        });
        arrived += jobs[arrived..].iter().take_while(|job| job.submit == now).count();
        let mut order: Vec<usize> = (0..arrived).filter(|&job| starts[job].is_none()).collect();
        order.sort_by(|&one, &other| {
            let score = |job: usize| policy.score(&jobs[job], Moment { now, usage: None });
            score(other).total_cmp(&score(one)).then(one.cmp(&other))
        });
        running.sort_by_key(|(_, held)| (held.expected_end, held.job));
        let held: Vec<Running<M::Place>> = running.iter().map(|held| held.1).collect();
        let reserved: Vec<_> = order.iter().filter_map(|&job| reservations[job]).collect();
        let mut plan = machine.plan(&held, &reserved, now).unwrap_or_else(|| {
            reservations.fill(None);
            machine.plan(&held, &[], now).unwrap()
        });
        for &job in &order {
            if let Some(own) = &reservations[job] {
                machine.remove(&mut plan, own);
            }
            let (from, place) = machine.earliest(&plan, Request { job: &jobs[job], now }).unwrap();
            let until = from + machine.walltime_at(&jobs[job], place);
            let reservation = Reservation { place, from, until, seen: 0 };
            machine.enter(&mut plan, &reservation);
            reservations[job] = Some(reservation);
        }
        for &job in &order {
            let Some(Reservation { place, until, .. }) = reservations[job].filter(|it| it.from == now) else {
                continue;
            };
            machine.take(place);
            starts[job] = Some(now);
            let end = now + machine.run_at(&jobs[job], place);
            running.push((end, Running { expected_end: until, job: job as u32, place }));
        }
    }
    assert!(starts.iter().all(Option::is_some));
    starts
}

/// Compares the queue with the definition.
fn check_conservative<M: Machine>(mut jobs: Vec<Job>, machine: impl Fn() -> M, policy: &str) {
    sort(&mut jobs);
    let expected = conservative_starts(&jobs, machine(), &policy.parse().unwrap());
    let queue = run(&jobs, machine(), rules(policy, Backfill::Conservative), vec![]);
    assert_eq!(starts(&queue), expected);
}

/// A threshold is a fraction of the best score; of scores below 0 it is one of costs, so that each job is near itself.
#[test]
fn jobs_with_scores_below_0_start_under_a_threshold() {
    let rules_of_cobalt = [Backfill::CobaltJanuary2009, Backfill::CobaltMarch2009];
    for (backfill, threshold) in rules_of_cobalt.into_iter().flat_map(|rule| [(rule, 0.0), (rule, 0.5)]) {
        let job = |id| Job { id, run: 10, walltime: 10 * (1 + id), nodes: 64, ..Job::default() };
        let machine = room("site", 1_000_000, Wirings::Any, &[]);
        let queue = run(&[job(0), job(1)], machine, Rules { threshold, ..rules("sjf", backfill) }, vec![]);
        assert!(queue.records().iter().all(|record| record.start.is_some()), "{backfill:?}, {threshold}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every job runs after its submission for the right time; no resource is shared (checked at every event).
    #[test]
    fn all_jobs_run(
        jobs in jobs(),
        backfill in select(Backfill::ALL),
        policy in select(Policy::NAMES),
        allocation in select(Allocation::ALL),
        kill in any::<bool>(),
    ) {
        let slowdown = Slowdown { parts_per_million: 1_200_000, rules: vec![] };
        let machine = allocated("site", allocation, slowdown, Wirings::Any, &[]);
        let queue = run(&jobs, machine, Rules { kill, ..rules(policy, backfill) }, vec![]);
        for (job, record) in queue.jobs().iter().zip(queue.records()) {
            let (start, end, place) = (record.start.unwrap(), record.end.unwrap(), record.place.unwrap());
            prop_assert!(start >= job.submit);
            let run = queue.machine().run_at(job, place);
            let walltime = queue.machine().walltime_at(job, place);
            prop_assert_eq!(end - start, if kill { run.min(walltime) } else { run });
            prop_assert!(queue.machine().nodes_of(place) >= job.nodes);
        }
        prop_assert_eq!(queue.machine().idle_nodes(), queue.machine().nodes());
    }

    /// Under FCFS, and if no job overruns its request, no reservation is delayed.
    #[test]
    fn reservations_hold(jobs in jobs(), conservative in any::<bool>()) {
        let backfill = if conservative { Backfill::Conservative } else { Backfill::Easy };
        let machine = room("paper-2009", 1_000_000, Wirings::Any, &[]);
        let queue = run(&jobs, machine, Rules { kill: true, ..rules("fcfs", backfill) }, vec![]);
        for record in queue.records() {
            prop_assert!(record.reserved.is_none_or(|reserved| record.start.unwrap() <= reserved), "{record:?}");
        }
    }

    /// Under FCFS, no reservation is delayed on plain nodes either, with jobs a tenth of the size.
    #[test]
    fn reservations_hold_on_plain_nodes(jobs in jobs(), conservative in any::<bool>()) {
        let backfill = if conservative { Backfill::Conservative } else { Backfill::Easy };
        let jobs: Vec<Job> = jobs.into_iter().map(|job| Job { nodes: job.nodes.div_ceil(10), ..job }).collect();
        let queue = run(&jobs, Plain::new(4096), Rules { kill: true, ..rules("fcfs", backfill) }, vec![]);
        for record in queue.records() {
            prop_assert!(record.reserved.is_none_or(|reserved| record.start.unwrap() <= reserved), "{record:?}");
        }
    }

    /// Jobs move forward only into places that were freed since their last turn; this finds all moves, also where jobs
    /// end early, overrun their requests, or are slower on some places.
    #[test]
    fn conservative_backfilling_follows_its_definition(jobs in jobs(), wfp in any::<bool>()) {
        let policy = if wfp { "wfp" } else { "fcfs" };
        check_conservative(jobs.clone(), || room("site", 1_200_000, Wirings::Any, &[]), policy);
        let small = jobs.into_iter().map(|job| Job { nodes: job.nodes.div_ceil(10), ..job }).collect();
        check_conservative(small, || Plain::new(4096), policy);
    }

    /// Without a threshold, Cobalt's rule of January 2009 starts every job that fits, in order.
    #[test]
    fn without_a_threshold_nothing_is_drained(jobs in jobs(), wfp in any::<bool>()) {
        let policy = if wfp { "wfp" } else { "fcfs" };
        let under = |backfill| {
            let machine = room("paper-2009", 1_000_000, Wirings::Any, &[]);
            starts(&run(&jobs, machine, rules(policy, backfill), vec![]))
        };
        prop_assert_eq!(under(Backfill::CobaltJanuary2009), under(Backfill::Greedy));
    }

    /// A failed part is not used during its outage, and all jobs eventually run.
    #[test]
    fn failed_parts_are_not_used(
        jobs in jobs(),
        backfill in select(Backfill::ALL),
        from in 0..80_000i64,
        seconds in 1..50_000i64,
        number in 0..80usize,
    ) {
        let names = MachineRoom::named("intrepid").unwrap();
        let parts = [Part::Midplane(names.midplanes()[number].clone()), Part::Cable(names.cable_name(number * 3))];
        let outages: Vec<Outage> = parts
            .iter()
            .map(|part| Outage { from, until: from + seconds, part: part.clone() })
            .collect();
        let machine = room("site", 1_000_000, Wirings::Any, &parts);
        let queue = run(&jobs, machine, rules("wfp", backfill), outages);
        for record in queue.records() {
            let (start, end) = (record.start.unwrap(), record.end.unwrap());
            let partition = queue.machine().partition(record.place.unwrap()).unwrap();
            let is_hit = partition.midplanes().contains(number) || partition.cables().contains(number * 3);
            prop_assert!(!is_hit || end <= from || start >= from + seconds);
        }
    }
}

/// In one row of the room (paper 004, section 3) only one 4K torus runs, but two 4K meshes.
#[test]
fn two_4k_partitions_of_a_row_run_only_as_meshes() {
    // Ten jobs of half a row each: the five rows hold all ten at once as meshes, but only five as tori.
    let jobs: Vec<Job> = (0..10).map(|id| job([id, 0, 1000, 4096, 1000])).collect();
    for (profile, at_once) in [("paper-2009", 5), ("mesh-1k-4k", 10)] {
        let machine = room(profile, Slowdown::ONE, Wirings::Any, &[]);
        let queue = run(&jobs, machine, rules("fcfs", Backfill::Easy), vec![]);
        let first = queue.records().iter().filter(|record| record.start == Some(0)).count();
        assert_eq!(first, at_once, "{profile}");
        let lost = queue.losses();
        assert_eq!(lost.cables > 0, at_once == 5, "the second half of each row lacks cables alone: {lost:?}");
    }
}

/// Jobs on meshes run longer by the factor, and their requested times are stretched by it.
#[test]
fn open_dimensions_slow_down() {
    let jobs = [job([1, 0, 1000, 1024, 1000]), job([2, 0, 1000, 512, 1000]), job([3, 0, 1000, 64, 1000])];
    let machine = room("mesh-1k-4k", 1_050_000, Wirings::Any, &[]);
    let queue = run(&jobs, machine, Rules { kill: true, ..rules("fcfs", Backfill::Easy) }, vec![]);
    let ends: Vec<i64> = queue.records().iter().map(|record| record.end.unwrap()).collect();
    assert_eq!(ends, [1050, 1000, 1000]);
    assert!(queue.records().iter().all(|record| !record.killed));
}

/// The table takes precedence over the uniform factor, and its first matching rule over the others.
#[test]
fn slowdowns_by_table() {
    let rule = |application, nodes, shape: Option<&str>, parts_per_million| Rule {
        application,
        nodes,
        shape: shape.map(str::to_owned),
        parts_per_million,
    };
    let rules_of_table = vec![
        rule(Some(7), Some(1024), None, 1_500_000),
        rule(Some(7), None, None, 1_300_000),
        rule(None, None, Some("8mx16mx32m"), 1_400_000),
        rule(None, None, Some("8x16mx32"), 1_100_000),
        rule(Some(9), None, Some("8x8x16"), 1_700_000),
    ];
    let slowdown = Slowdown { parts_per_million: 1_200_000, rules: rules_of_table };
    let machine = room_with("mesh-1k-4k", slowdown, Wirings::Any, &[]);
    let jobs = [(7, 1024), (7, 4096), (8, 4096), (8, 1024), (7, 512), (9, 1024)];
    let jobs: Vec<Job> = (1..)
        .zip(jobs)
        .map(|(id, (application, nodes))| Job { application, ..job([id, 0, 1000, nodes, 1000]) })
        .collect();
    let queue = run(&jobs, machine, rules("fcfs", Backfill::Easy), vec![]);
    let ends: Vec<i64> = queue.records().iter().map(|record| record.end.unwrap()).collect();
    assert_eq!(ends, [1500, 1300, 1100, 1200, 1000, 1700]);
}

/// The hybrid scheme: a mesh at 1K unless the job requires a torus.
#[test]
fn hybrid_scheme() {
    let jobs = [job([1, 0, 1000, 1024, 1000]), Job { requires_torus: true, ..job([2, 0, 1000, 1024, 1000]) }];
    let machine = room("site", 1_200_000, Wirings::MeshUnlessRequired, &[]);
    let queue = run(&jobs, machine, rules("fcfs", Backfill::Easy), vec![]);
    let wirings: Vec<bool> = queue
        .records()
        .iter()
        .map(|record| queue.machine().partition(record.place.unwrap()).unwrap().has_open_dimension())
        .collect();
    assert_eq!(wirings, [true, false]);
}

/// On a mesh of 1K application 7 takes 30 % longer, 8 a tenth, 9 no longer; 512 nodes are always a torus.
#[test]
fn jobs_that_meshes_slow_down_require_a_torus() {
    let rule = |application, parts_per_million| Rule {
        application: Some(application),
        nodes: None,
        shape: None,
        parts_per_million,
    };
    let slowdown = Slowdown { rules: vec![rule(7, 1_300_000), rule(8, 1_100_000)], ..Slowdown::default() };
    let machine = room_with("site", slowdown, Wirings::MeshUnlessRequired, &[]);
    let of = |application, nodes| Job { application, ..job([1, 0, 1000, nodes, 1000]) };
    let mut jobs = [of(7, 1024), of(8, 1024), of(9, 1024), of(7, 512), of(7, 50_000)];
    machine.require_tori(&mut jobs, 1_100_000);
    assert_eq!(jobs.map(|job| job.requires_torus), [true, false, false, false, false]);
}

/// The midplane of a running job fails: the job is requeued, and runs again from the beginning after the repair.
#[test]
fn a_failed_midplane_restarts_its_job() {
    let part = Part::Midplane("R00-M0".to_owned());
    let whole = [job([1, 0, 1000, 40_960, 1000])];
    let outage = |until| vec![Outage { from: 400, until, part: part.clone() }];
    let machine = || room("paper-2009", Slowdown::ONE, Wirings::Any, std::slice::from_ref(&part));
    let queue = run(&whole, machine(), rules("fcfs", Backfill::Easy), outage(600));
    let record = &queue.records()[0];
    assert_eq!((record.start, record.end, record.restarts), (Some(600), Some(1600), 1));
    assert_eq!(record.lost_node_seconds, 400 * 40_960);
    let [ended] = *queue.ended_runs() else { panic!("an outage ended one run: {:?}", queue.ended_runs()) };
    assert_eq!((ended.job, ended.end - ended.start), (0, 400));
    assert_eq!(Some(ended.place), record.place);

    let queue = run(&whole, machine(), rules("fcfs", Backfill::Easy), outage(i64::MAX));
    assert_eq!((queue.records()[0].start, queue.records()[0].reason), (None, Some(Reason::OutOfService)));

    let dropped = Rules { restart: false, ..rules("fcfs", Backfill::Easy) };
    let queue = run(&whole, machine(), dropped, outage(600));
    assert_eq!((queue.records()[0].end, queue.records()[0].reason), (Some(400), Some(Reason::EndedByOutage)));
}

/// On plain nodes, idle nodes fail first; then the job submitted last ends.
#[test]
fn failed_plain_nodes() {
    let jobs = [job([1, 0, 100, 4, 100]), job([2, 1, 100, 4, 100])];
    let outages = |nodes| vec![Outage { from: 50, until: 60, part: Part::Nodes(nodes) }];
    let restarts = |nodes| {
        let queue = run(&jobs, Plain::new(10), rules("fcfs", Backfill::Easy), outages(nodes));
        let restarts: Vec<u32> = queue.records().iter().map(|record| record.restarts).collect();
        (restarts, queue.records()[1].start)
    };
    assert_eq!(restarts(2), (vec![0, 0], Some(1)));
    assert_eq!(restarts(3), (vec![0, 1], Some(60)));
    assert_eq!(restarts(10), (vec![1, 1], Some(60)));
}

/// Draining: the head job gets the whole machine, although small jobs keep arriving.
#[test]
fn draining_lets_the_largest_job_run() {
    let mut jobs: Vec<Job> = (0..400).map(|id| job([id, 10 * id, 1000, 8192, 1000])).collect();
    jobs.push(job([1000, 100, 1000, 40_960, 1000]));
    let start_of_whole = |backfill| {
        let machine = room("paper-2009", Slowdown::ONE, Wirings::Any, &[]);
        let queue = run(&jobs, machine, rules("fcfs", backfill), vec![]);
        let whole = queue.jobs().iter().position(|job| job.id == 1000).unwrap();
        queue.records()[whole].start.unwrap()
    };
    // Five 8K jobs start by second 40, and six more precede the large job: the last of them runs from 2000 to 3000.
    for backfill in [Backfill::CobaltMarch2009, Backfill::Easy, Backfill::Conservative, Backfill::None] {
        assert_eq!(start_of_whole(backfill), 3000, "{backfill}");
    }
}

/// Cobalt's rule of January 2009, with a threshold. While the winner waits, only jobs with nearly its score start, or
/// those that end before any running job will, or two minutes later.
#[test]
fn winners_below_the_threshold_drain() {
    let starts = |threshold| {
        // Four of five rows are taken until 10,000. At second 3,000 the whole machine is requested for 6,000 s.
        let mut jobs: Vec<Job> = (0..4).map(|id| job([id, 0, 10_000, 8192, 10_000])).collect();
        jobs.push(job([4, 3_000, 6_000, 40_960, 6_000]));
        // At 4,000 jobs of half a row arrive: of the same request, of 6,000 s exactly, and beyond the two minutes.
        jobs.push(job([5, 4_000, 9_000, 4096, 9_000]));
        jobs.push(job([6, 4_000, 6_120, 512, 6_120]));
        jobs.push(job([7, 4_000, 6_121, 512, 6_121]));
        let rules = Rules { threshold, ..rules("fcfs", Backfill::CobaltJanuary2009) };
        let queue = run(&jobs, room("paper-2009", Slowdown::ONE, Wirings::Any, &[]), rules, vec![]);
        queue.records()[4..].iter().map(|record| record.start.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(starts(0.0), [13_000, 4_000, 4_000, 4_000]);
    // At second 10,000, jobs 5 and 7 have waited 6,000 s of job 4's 7,000: more than 75 %, but less than 95 %. The machine
    // is drained until 10,120, when job 6 has ended.
    assert_eq!(starts(0.75), [19_000, 10_000, 4_000, 10_000]);
    assert_eq!(starts(0.95), [10_120, 16_120, 4_000, 16_120]);
}

/// The names of rules; `drain` is a former one.
#[test]
fn former_names_of_rules_are_accepted() {
    assert_eq!("drain".parse(), Ok(Backfill::CobaltMarch2009));
    for &backfill in Backfill::ALL {
        assert_eq!(backfill.to_string().parse(), Ok(backfill));
        assert_ne!(backfill.to_string(), "drain");
    }
}

/// The jobs that wait for permanently failed nodes block no others.
#[test]
fn jobs_that_need_failed_plain_nodes_block_no_others() {
    let jobs = [job([1, 10, 100, 8, 100]), job([2, 20, 100, 2, 100])];
    let outage = |until| vec![Outage { from: 0, until, part: Part::Nodes(6) }];
    for backfill in [Backfill::None, Backfill::Greedy, Backfill::Easy, Backfill::Conservative] {
        let starts = |until| starts(&run(&jobs, Plain::new(10), rules("fcfs", backfill), outage(until)));
        assert_eq!(starts(i64::MAX), [None, Some(20)], "{backfill}");
        assert_eq!(starts(500)[0], Some(500), "{backfill}");
    }
}

/// Order by score: under WFP, the job with the longer wait relative to its requested time goes first.
#[test]
fn policies_determine_the_order() {
    let jobs = [
        job([1, 0, 100, 10, 100]),
        job([2, 1, 50, 10, 1000]),
        job([3, 2, 50, 10, 60]),
        job([4, 3, 50, 5, 10]),
    ];
    let order = |policy: &str| {
        let queue = run(&jobs, Plain::new(10), rules(policy, Backfill::None), vec![]);
        let mut started: Vec<(i64, i64)> = queue
            .jobs()
            .iter()
            .zip(queue.records())
            .map(|(job, record)| (record.start.unwrap(), job.id))
            .collect();
        started.sort_unstable();
        started.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
    };
    assert_eq!(order("fcfs"), [1, 2, 3, 4]);
    assert_eq!(order("sjf"), [1, 4, 3, 2]);
    assert_eq!(order("wfp"), [1, 4, 3, 2]);
    assert_eq!(order("-nodes"), [1, 4, 2, 3]);
    assert!(matches!("wait".parse(), Ok(Policy::Expression(_))));
}
