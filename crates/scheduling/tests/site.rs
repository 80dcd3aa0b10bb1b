//! Queues with limits and priorities, advance reservations and dependencies: what they promise, under every rule.

mod support;

use machine_room::Room as MachineRoom;
use proptest::prelude::*;
use proptest::sample::select;
use scheduling::backfill::Backfill;
use scheduling::job::{Job, sort};
use scheduling::log::Needs;
use scheduling::machine::{Machine, Part, Plain, ReservedPlain, Room};
use scheduling::policy::Policy;
use scheduling::queue::{Outage, Queue, Rules};
use scheduling::site::{AdvanceReservation, AdvanceReservations, Dependencies, Edge, JobQueue, Limits, Site};
use scheduling::state::Reason;
use support::{job, run_at_site, starts};

const NODES: u32 = 16;

/// The rules for plain nodes.
fn plain_rules() -> Vec<Backfill> {
    Backfill::ALL.iter().copied().filter(|rule| !rule.drains()).collect()
}

fn rules(policy: &str, backfill: Backfill, threshold: f64) -> Rules {
    Rules { threshold, kill: true, ..support::rules(policy, backfill) }
}

/// A room of four midplanes of 512 nodes on one loop.
fn room(reservations: &AdvanceReservations) -> Room {
    room_with(&[], reservations)
}

fn room_with(failing: &[Part], reservations: &AdvanceReservations) -> Room {
    let parts = support::parts("bluegene-p-2-racks", "site");
    Room::new(parts, failing).unwrap().with_reservations(reservations).unwrap()
}

fn run<M: Machine>(jobs: &[Job], machine: M, rules: Rules, site: &Site) -> Queue<M> {
    run_at_site(jobs, machine, rules, vec![], site)
}

/// Jobs of up to the whole machine, of three users, in one of two queues or in none, of three classes of access.
fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let one = (0..2_000i64, 0..300i64, 1..=NODES, 1..400i64, (0..3i32, 0..3u16, 0..3u16));
    proptest::collection::vec(one, 1..60).prop_map(|rows| {
        let rows = rows.into_iter().enumerate();
        let mut jobs: Vec<Job> = rows
            .map(|(id, (submit, run, nodes, walltime, (user, queue, access)))| Job {
                user,
                queue,
                access,
                ..job([id as i64, submit, run, nodes.into(), walltime])
            })
            .collect();
        sort(&mut jobs);
        jobs
    })
}

fn queues() -> impl Strategy<Value = Vec<JobQueue>> {
    use proptest::option::of;
    let limits = (of(1..4u32), of(1..3u32), of(NODES / 2..=NODES), of(1..5u32), of(50..400i64));
    let one = (limits, -1..2i64).prop_map(|((jobs, of_user, nodes, queued, walltime), priority)| JobQueue {
        name: String::new(),
        priority,
        limits: Limits {
            max_running_jobs: jobs,
            max_running_jobs_per_user: of_user,
            max_nodes_in_use: nodes,
            max_queued_jobs_per_user: queued,
            max_walltime: walltime,
            ..Limits::default()
        },
    });
    proptest::collection::vec(one, 2)
}

/// Two reservations; class 1 may use neither of them, class 2 only the first.
fn reservations() -> impl Strategy<Value = AdvanceReservations> {
    let one = (0..2_000i64, 1..500i64, 1..=NODES / 2);
    proptest::collection::vec(one, 2).prop_map(|rows| AdvanceReservations {
        list: rows
            .into_iter()
            .map(|(from, seconds, nodes)| AdvanceReservation {
                from,
                until: from + seconds,
                part: Part::Nodes(nodes),
            })
            .collect(),
        closed: vec![vec![], vec![0, 1], vec![1]],
    })
}

/// Each job may wait for one of those before it.
fn dependencies(jobs: &[Job], choices: &[(u8, i64)]) -> Dependencies {
    let edges = (0..jobs.len()).map(|number| {
        let (choice, think) = choices[number % choices.len()];
        let before = (number as u32).checked_sub(1 + u32::from(choice % 4)).filter(|_| choice < 64);
        before.map(|before| Edge { before, needs: Needs::AnyEnd, think }).into_iter().collect()
    });
    Dependencies { edges: edges.collect(), failed: vec![false; jobs.len()] }
}

/// The sums over the jobs that run at the start of each job, which are the only times at which they grow.
fn at_each_start<M: Machine>(queue: &Queue<M>, mut check: impl FnMut(i64, &[(Job, u32)])) {
    for record in queue.records() {
        let Some(now) = record.start else { continue };
        let running = queue.jobs().iter().zip(queue.records()).filter_map(|(job, record)| {
            let (start, end, place) = (record.start?, record.end?, record.place?);
            (start <= now && now < end).then(|| (*job, queue.machine().nodes_of(place)))
        });
        check(now, &running.collect::<Vec<_>>());
    }
}

fn check_limits<M: Machine>(queue: &Queue<M>, queues: &[JobQueue]) {
    at_each_start(queue, |_, running| {
        for (number, limits) in (1u16..).zip(queues.iter().map(|queue| queue.limits)) {
            let members = || running.iter().filter(|(job, _)| job.queue == number);
            let nodes: u32 = members().map(|(_, nodes)| nodes).sum();
            assert!(limits.max_running_jobs.is_none_or(|max| members().count() <= max as usize));
            assert!(limits.max_nodes_in_use.is_none_or(|max| nodes <= max));
            for user in 0..3 {
                let own = members().filter(|(job, _)| job.user == user).count();
                assert!(limits.max_running_jobs_per_user.is_none_or(|max| own <= max as usize));
            }
        }
    });
    for (job, record) in queue.jobs().iter().zip(queue.records()) {
        let limits =
            usize::from(job.queue).checked_sub(1).map_or(Limits::default(), |own| queues[own].limits);
        let is_too_long = limits.max_walltime.is_some_and(|max| job.walltime > max);
        assert_eq!(
            is_too_long,
            record.reason == Some(Reason::LongerThanQueueAllows) || {
                is_too_long && record.reason == Some(Reason::LargerThanQueueAllows)
            }
        );
        assert_eq!(
            record.start.is_none(),
            record.reason.is_some(),
            "each job runs, or is refused: {record:?}"
        );
    }
}

/// The jobs of a room's size; the reservations of it keep midplanes.
fn in_room(jobs: Vec<Job>, reservations: &AdvanceReservations) -> (Vec<Job>, AdvanceReservations) {
    let jobs = jobs.into_iter().map(|job| Job { nodes: job.nodes * 128, ..job }).collect();
    let mut reservations = reservations.clone();
    let parts = [
        Part::Midplanes(vec!["R00-M0".to_owned(), "R00-M1".to_owned()]),
        Part::Midplanes(vec!["R01-M1".to_owned()]),
    ];
    for (reservation, part) in reservations.list.iter_mut().zip(parts) {
        reservation.part = part;
    }
    (jobs, reservations)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No limit is exceeded, and each job runs unless its queue refuses it.
    #[test]
    fn no_limit_is_exceeded(
        jobs in jobs(),
        queues in queues(),
        (rule, of_plain) in (select(Backfill::ALL), select(plain_rules())),
        policy in select(Policy::NAMES),
        drains: bool,
    ) {
        let site = Site { queues: queues.clone(), ..Site::default() };
        let jobs: Vec<Job> = jobs.into_iter().map(|job| Job { access: 0, ..job }).collect();
        let plain = run(&jobs, Plain::new(NODES), rules(policy, of_plain, 0.0), &site);
        check_limits(&plain, &queues);
        let (jobs, _) = in_room(jobs, &AdvanceReservations::default());
        let queues: Vec<JobQueue> = queues
            .into_iter()
            .map(|mut queue| {
                queue.limits.max_nodes_in_use = queue.limits.max_nodes_in_use.map(|nodes| nodes * 128);
                queue
            })
            .collect();
        let site = Site { queues: queues.clone(), ..Site::default() };
        let threshold = if drains { 0.75 } else { 0.0 };
        let room = room(&AdvanceReservations::default());
        check_limits(&run(&jobs, room, rules(policy, rule, threshold), &site), &queues);
    }

    /// With queues without limits and priorities, and reservations that all may use, nothing changes.
    #[test]
    fn a_site_without_rules_changes_nothing(jobs in jobs(), rule in select(plain_rules()), policy in select(Policy::NAMES), kill: bool) {
        let rules = Rules { kill, ..rules(policy, rule, 0.0) };
        let jobs: Vec<Job> = jobs.into_iter().map(|job| Job { access: 0, ..job }).collect();
        let bare: Vec<Job> = jobs.iter().map(|job| Job { queue: 0, ..*job }).collect();
        let expected = starts(&run(&bare, Plain::new(NODES), rules.clone(), &Site::default()));
        let site = Site { queues: vec![JobQueue::default(); 2], ..Site::default() };
        prop_assert_eq!(&starts(&run(&jobs, Plain::new(NODES), rules.clone(), &site)), &expected);
        // A machine with reservations that begin after all jobs is the plain one.
        let late = AdvanceReservation { from: 1 << 40, until: 1 << 41, part: Part::Nodes(NODES) };
        let reservations = AdvanceReservations { list: vec![late], closed: vec![vec![0]] };
        let machine = ReservedPlain::new(Plain::new(NODES), reservations);
        prop_assert_eq!(&starts(&run(&jobs, machine, rules, &site)), &expected);
    }

    /// On plain nodes, at no time do jobs that may not use some reservations leave fewer nodes than these keep.
    #[test]
    fn nodes_are_kept_for_reservations(jobs in jobs(), reservations in reservations(), rule in select(plain_rules()), policy in select(Policy::NAMES)) {
        let rules = rules(policy, rule, 0.0);
        let site = Site { queues: vec![JobQueue::default(); 2], reservations: reservations.clone(), ..Site::default() };
        let machine = ReservedPlain::new(Plain::new(NODES), reservations.clone());
        let queue = run(&jobs, machine, rules, &site);
        prop_assert!(starts(&queue).iter().all(Option::is_some), "all jobs run");
        let kept = |index: usize, time: i64| {
            let reservation = &reservations.list[index];
            let Part::Nodes(nodes) = reservation.part else { return 0 };
            if (reservation.from..reservation.until).contains(&time) { nodes } else { 0 }
        };
        let times = queue.records().iter().filter_map(|record| record.start);
        for time in times.chain(reservations.list.iter().map(|reservation| reservation.from)) {
            let in_use = |classes: &[u16]| -> u32 {
                let pairs = queue.jobs().iter().zip(queue.records());
                let running = pairs.filter(|(job, record)| {
                    classes.contains(&job.access)
                        && record.start.is_some_and(|start| start <= time)
                        && record.end.is_some_and(|end| time < end)
                });
                running.map(|(job, _)| job.nodes).sum()
            };
            prop_assert!(in_use(&[1]) + kept(0, time) + kept(1, time) <= NODES);
            prop_assert!(in_use(&[1, 2]) + kept(1, time) <= NODES);
            prop_assert!(in_use(&[0, 1, 2]) <= NODES);
        }
    }

    /// In a room, no job is on a reserved midplane while it may not be, by its requested time.
    #[test]
    fn no_job_is_on_a_reserved_midplane(jobs in jobs(), reservations in reservations(), rule in select(Backfill::ALL), drains: bool) {
        let (jobs, reservations) = in_room(jobs, &reservations);
        let rules = rules("wfp", rule, if drains { 0.75 } else { 0.0 });
        let site = Site { queues: vec![JobQueue::default(); 2], reservations: reservations.clone(), ..Site::default() };
        let queue = run(&jobs, room(&reservations), rules, &site);
        let names = MachineRoom::named("bluegene-p-2-racks").unwrap();
        for (job, record) in queue.jobs().iter().zip(queue.records()) {
            let (start, place) = (record.start.unwrap(), record.place.unwrap());
            let partition = queue.machine().partition(place).unwrap();
            for closed in &reservations.closed[usize::from(job.access)] {
                let AdvanceReservation { from, until, part } = &reservations.list[*closed];
                let Part::Midplanes(reserved) = part else { unreachable!() };
                let mut reserved = reserved.iter().map(|name| names.midplane(name).unwrap());
                let is_apart = start + job.walltime <= *from || start >= *until;
                prop_assert!(is_apart || !reserved.any(|at| partition.midplanes().contains(at)), "{job:?} {record:?}");
            }
        }
    }

    /// A job starts when all jobs before it have ended and the think time has passed, or later.
    #[test]
    fn dependencies_hold(
        jobs in jobs(),
        queues in queues(),
        rule in select(plain_rules()),
        choices in proptest::collection::vec((0..100u8, 0..100i64), 1..60),
    ) {
        let dependencies = dependencies(&jobs, &choices);
        let jobs: Vec<Job> = jobs.into_iter().map(|job| Job { access: 0, ..job }).collect();
        let site = Site { queues, dependencies: dependencies.clone(), ..Site::default() };
        let queue = run(&jobs, Plain::new(NODES), rules("fcfs", rule, 0.0), &site);
        for (number, edges) in dependencies.edges.iter().enumerate() {
            let record = &queue.records()[number];
            prop_assert!(record.start.is_some() || record.reason.is_some());
            for edge in edges {
                let before = &queue.records()[edge.before as usize];
                if let (Some(start), Some(end)) = (record.start, before.end) {
                    prop_assert!(start >= end + edge.think && start >= jobs[number].submit);
                    prop_assert!(queue.jobs()[number].submit >= end + edge.think);
                }
            }
        }
    }

    /// Conservative backfilling keeps its promise at a site: no job starts later than its first reservation.
    #[test]
    fn conservative_backfilling_keeps_its_promises(
        jobs in jobs(),
        queues in queues(),
        reservations in reservations(),
        wfp: bool,
        choices in proptest::collection::vec((0..100u8, 0..100i64), 1..60),
    ) {
        let rules = rules(if wfp { "wfp" } else { "fcfs" }, Backfill::Conservative, 0.0);
        let site = Site { queues, reservations: reservations.clone(), dependencies: dependencies(&jobs, &choices) };
        let machine = ReservedPlain::new(Plain::new(NODES), reservations.clone());
        for record in run(&jobs, machine, rules.clone(), &site).records() {
            prop_assert!(record.reserved.is_none_or(|reserved| record.start.unwrap() <= reserved), "{record:?}");
        }
        let (jobs, reservations) = in_room(jobs, &reservations);
        let mut site = site;
        site.queues.iter_mut().for_each(|queue| queue.limits.max_nodes_in_use = None);
        for record in run(&jobs, room(&reservations), rules, &site).records() {
            prop_assert!(record.reserved.is_none_or(|reserved| record.start.unwrap() <= reserved), "{record:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever jobs, outages and rules there are, each job runs, or there is a reason why it does not.
    #[test]
    fn every_job_runs_or_has_a_reason(
        jobs in jobs(),
        queues in queues(),
        reservations in reservations(),
        (rule, of_plain) in (select(Backfill::ALL), select(plain_rules())),
        policy in select(Policy::NAMES),
        (kill, restart) in any::<(bool, bool)>(),
        choices in proptest::collection::vec((0..100u8, 0..100i64), 1..60),
        outages in proptest::collection::vec((0..2_000i64, 1..600i64, 1..NODES), 0..3),
    ) {
        let site = Site { queues, reservations: reservations.clone(), dependencies: dependencies(&jobs, &choices) };
        let of_nodes = outages.iter().map(|&(from, seconds, nodes)| Outage {
            from,
            until: from + seconds,
            part: Part::Nodes(nodes),
        });
        let rules_of_plain = Rules { kill, restart, ..rules(policy, of_plain, 0.0) };
        let machine = ReservedPlain::new(Plain::new(NODES), reservations.clone());
        let queue = run_at_site(&jobs, machine, rules_of_plain, of_nodes.collect(), &site);
        for record in queue.records() {
            prop_assert!(record.end.is_some() || record.reason.is_some(), "{record:?}");
        }

        let (jobs, reservations) = in_room(jobs, &reservations);
        let part = Part::Midplane("R00-M1".to_owned());
        let of_room: Vec<Outage> = outages
            .iter()
            .take(1)
            .map(|&(from, seconds, _)| Outage { from, until: from + seconds, part: part.clone() })
            .collect();
        let rules_of_room = Rules { kill, restart, ..rules(policy, rule, 0.5) };
        let machine = room_with(&[part], &reservations);
        let queue = run_at_site(&jobs, machine, rules_of_room, of_room, &site);
        for record in queue.records() {
            prop_assert!(record.end.is_some() || record.reason.is_some(), "{record:?}");
        }
    }
}

/// A queue of one running job: its second job waits for the first, and blocks nobody.
#[test]
fn a_held_job_blocks_no_others() {
    let mut jobs =
        [job([1, 0, 100, 4, 100]), job([2, 1, 50, 4, 50]), job([3, 2, 10, 10, 10]), job([4, 3, 10, 4, 10])];
    jobs[0].queue = 1;
    jobs[1].queue = 1;
    let limits = Limits { max_running_jobs: Some(1), ..Limits::default() };
    let site = Site { queues: vec![JobQueue { limits, ..JobQueue::default() }], ..Site::default() };
    let cases = [
        // Job 3 needs all ten nodes, and blocks job 4.
        (Backfill::None, [0, 100, 150, 160]),
        (Backfill::Greedy, [0, 100, 150, 3]),
        // Job 2 is let in when job 1 ends, and comes first; until then job 3 is the head.
        (Backfill::Easy, [0, 100, 150, 3]),
        // Job 3 has the time after 100 for sure.
        (Backfill::Conservative, [0, 110, 100, 3]),
    ];
    for (backfill, expected) in cases {
        let queue = run(&jobs, Plain::new(10), rules("fcfs", backfill, 0.0), &site);
        assert_eq!(starts(&queue), expected.map(Some), "{backfill}");
    }
}

/// The reasons for which queues refuse jobs; the others run.
#[test]
fn queues_refuse_jobs() {
    let limits = Limits {
        min_nodes: Some(2),
        max_nodes: Some(8),
        max_walltime: Some(100),
        max_queued_jobs_per_user: Some(1),
        ..Limits::default()
    };
    let rows = [
        [1, 0, 50, 8, 100],
        [2, 0, 50, 1, 100],
        [3, 0, 50, 9, 100],
        [4, 0, 50, 8, 101],
        [5, 1, 50, 8, 100],
        [6, 2, 50, 8, 100],
        [7, 51, 50, 8, 100],
    ];
    let jobs = rows.map(|row| Job { queue: 1, user: 7, ..job(row) });
    let site = Site { queues: vec![JobQueue { limits, ..JobQueue::default() }], ..Site::default() };
    let queue = run(&jobs, Plain::new(10), rules("fcfs", Backfill::Easy, 0.0), &site);
    let reasons: Vec<Option<Reason>> = queue.records().iter().map(|record| record.reason).collect();
    let expected = [
        None,
        Some(Reason::SmallerThanQueueAllows),
        Some(Reason::LargerThanQueueAllows),
        Some(Reason::LongerThanQueueAllows),
        None,
        Some(Reason::TooManyQueued),
        None,
    ];
    assert_eq!(reasons, expected);
    assert_eq!(starts(&queue), [Some(0), None, None, None, Some(50), None, Some(100)]);
}

/// Higher priorities come first, whatever the policy says; within one priority the policy decides.
#[test]
fn priorities_come_before_scores() {
    let rows = [[1, 0, 100, 10, 100], [2, 1, 10, 10, 10], [3, 2, 10, 10, 50], [4, 3, 10, 10, 40]];
    let queues = [0, 0, 1, 1];
    let jobs: Vec<Job> = rows.into_iter().zip(queues).map(|(row, queue)| Job { queue, ..job(row) }).collect();
    let site = Site { queues: vec![JobQueue { priority: 5, ..JobQueue::default() }], ..Site::default() };
    let order = |policy| starts(&run(&jobs, Plain::new(10), rules(policy, Backfill::Easy, 0.0), &site));
    assert_eq!(order("fcfs"), [Some(0), Some(120), Some(100), Some(110)]);
    assert_eq!(order("sjf"), [Some(0), Some(120), Some(110), Some(100)]);
}

/// Six of ten nodes are reserved from 50 to 100, for job 5 alone.
#[test]
fn jobs_do_not_reach_into_reservations() {
    let mut jobs = vec![
        job([1, 0, 50, 10, 50]),
        job([2, 1, 60, 4, 60]),
        job([3, 2, 60, 5, 60]),
        job([4, 3, 10, 4, 30]),
        job([5, 4, 20, 6, 30]),
    ];
    jobs.iter_mut().for_each(|job| job.access = u16::from(job.id != 5));
    let reservation = AdvanceReservation { from: 50, until: 100, part: Part::Nodes(6) };
    let reservations = AdvanceReservations { list: vec![reservation], closed: vec![vec![], vec![0]] };
    let site = Site { reservations: reservations.clone(), ..Site::default() };
    let cases = [
        // Job 3 needs five nodes: it waits for the end of the reservation, and blocks the jobs behind it.
        (Backfill::None, [0, 50, 100, 110, 160]),
        // Job 2 has the four nodes that are not reserved until 110.
        (Backfill::Greedy, [0, 50, 100, 110, 50]),
        (Backfill::Easy, [0, 50, 100, 110, 50]),
        (Backfill::Conservative, [0, 50, 100, 110, 50]),
    ];
    for (backfill, expected) in cases {
        let machine = ReservedPlain::new(Plain::new(10), reservations.clone());
        let queue = run(&jobs, machine, rules("fcfs", backfill, 0.0), &site);
        assert_eq!(starts(&queue), expected.map(Some), "{backfill}");
    }
}

/// Maintenance of a midplane: the partitions with it, and those that take its cables, stay free of longer jobs.
#[test]
fn maintenance_of_a_midplane() {
    let jobs = [[1, 0, 100, 2048, 100], [2, 0, 100, 512, 100], [3, 0, 100, 512, 1000]].map(job);
    let jobs = jobs.map(|job| Job { access: 1, ..job });
    let reservation = |part| {
        let list = vec![AdvanceReservation { from: 90, until: 500, part }];
        AdvanceReservations { list, closed: vec![vec![], vec![0]] }
    };
    let reservations = reservation(Part::Midplanes(vec!["R00-M0".to_owned()]));
    let site = Site { reservations: reservations.clone(), ..Site::default() };
    for backfill in [Backfill::Easy, Backfill::Conservative, Backfill::CobaltMarch2009] {
        let queue = run(&jobs, room(&reservations), rules("fcfs", backfill, 0.0), &site);
        assert_eq!(starts(&queue)[0], Some(500), "{backfill}");
        assert_eq!(starts(&queue)[1], Some(0), "{backfill}");
    }
    // A reserved partition keeps its cables too. The whole machine: nobody runs.
    let whole = room(&AdvanceReservations::default());
    let name = whole.catalogue().partitions().iter().max_by_key(|it| it.nodes()).unwrap().name().to_owned();
    let reservations = reservation(Part::Partition(name));
    let site = Site { reservations: reservations.clone(), ..Site::default() };
    let queue = run(&jobs, room(&reservations), rules("fcfs", Backfill::Easy, 0.0), &site);
    assert_eq!(starts(&queue).iter().min(), Some(&Some(500)));
}

/// A reservation that never ends keeps jobs out for ever, and the record says why.
#[test]
fn jobs_that_a_reservation_keeps_out_for_ever_are_reported() {
    let jobs = [job([1, 0, 10, 8, 10]), job([2, 1, 10, 2, 10])].map(|job| Job { access: 1, ..job });
    let list = vec![AdvanceReservation { from: 0, until: i64::MAX, part: Part::Nodes(6) }];
    let reservations = AdvanceReservations { list, closed: vec![vec![], vec![0]] };
    let site = Site { reservations: reservations.clone(), ..Site::default() };
    for backfill in plain_rules() {
        let machine = ReservedPlain::new(Plain::new(10), reservations.clone());
        let queue = run(&jobs, machine, rules("fcfs", backfill, 0.0), &site);
        assert_eq!(starts(&queue), [None, Some(1)], "{backfill}");
        assert_eq!(queue.records()[0].reason, Some(Reason::Reserved));
    }
}

/// A chain with think times; a job that needs a failure, and all that needs the completion of what never ran.
#[test]
fn kinds_of_dependencies() {
    let jobs: Vec<Job> = (1..=6).map(|id| job([id, id, 10, 4, 10])).collect();
    let edge = |before, needs, think| vec![Edge { before, needs, think }];
    let edges = vec![
        vec![],
        edge(0, Needs::AnyEnd, 100),
        edge(0, Needs::Completion, 0),
        edge(2, Needs::Failure, 0),
        edge(3, Needs::Completion, 0),
        edge(4, Needs::AnyEnd, 7),
    ];
    let outcome = |failed: [bool; 6]| {
        let dependencies = Dependencies { edges: edges.clone(), failed: failed.to_vec() };
        let site = Site { dependencies, ..Site::default() };
        let queue = run(&jobs, Plain::new(10), rules("fcfs", Backfill::Easy, 0.0), &site);
        let reasons: Vec<Option<Reason>> = queue.records().iter().map(|record| record.reason).collect();
        (starts(&queue), reasons, queue.jobs()[1].submit)
    };
    let none = [false; 6];
    let (starts, reasons, submit) = outcome(none);
    // Job 3 completes, so that job 4 is not needed, nor job 5; job 6 follows the refusal of job 5 at second 21.
    assert_eq!(starts, [Some(1), Some(111), Some(11), None, None, Some(28)]);
    assert_eq!(reasons[3..5], [Some(Reason::DependencyNotMet); 2]);
    assert_eq!(submit, 111);
    let third_fails = [false, false, true, false, false, false];
    assert_eq!(outcome(third_fails).0, [Some(1), Some(111), Some(11), Some(21), Some(31), Some(48)]);
    let first_fails = [true, false, false, false, false, false];
    // Job 3 never runs: that is a failure, on which job 4 follows.
    assert_eq!(outcome(first_fails).0, [Some(1), Some(111), None, Some(11), Some(21), Some(38)]);
}
