//! What users have used: node-seconds of the nodes that their jobs held, of which half is forgotten in each half-life.

use crate::job::Job;
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::LN_2;

/// The usage of all users. Jobs without a user are those of one user.
#[derive(Clone, Debug, PartialEq)]
pub struct UserUsage {
    half_life_seconds: f64,
    users: HashMap<i32, User>,
    all: Account,
}

/// A user: its part of all shares, and what it has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct User {
    share: f64,
    account: Account,
}

/// The usage until a time, and the nodes that are in use from then.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Account {
    since: i64,
    node_seconds: f64,
    nodes: i64,
}

impl Account {
    /// The usage at a time: what was there decays, and what is used meanwhile does from when it is used.
    fn node_seconds_at(&self, now: i64, half_life_seconds: f64) -> f64 {
        let half_lives = (now - self.since).max(0) as f64 / half_life_seconds;
        let forgotten = -(-half_lives * LN_2).exp_m1();
        self.node_seconds * (1.0 - forgotten) + self.nodes as f64 * half_life_seconds / LN_2 * forgotten
    }

    /// Nodes begin to be used, or end if negative.
    fn add_nodes(&mut self, nodes: i64, now: i64, half_life_seconds: f64) {
        self.node_seconds = self.node_seconds_at(now, half_life_seconds);
        self.nodes += nodes;
        self.since = now;
    }
}

impl UserUsage {
    /// No usage, of the users of some jobs; users without an entry in `shares` have one share.
    pub fn new(half_life_seconds: f64, shares: &BTreeMap<i32, f64>, jobs: &[Job]) -> Self {
        let share = |user: i32| shares.get(&user).copied().unwrap_or(1.0);
        let users: BTreeMap<i32, f64> =
            jobs.iter().map(|job| number_of(job.user)).map(|user| (user, share(user))).collect();
        let all: f64 = users.values().sum();
        let user = |(number, share): (i32, f64)| (number, User { share: share / all, ..User::default() });
        let users = users.into_iter().map(user).collect();
        UserUsage { half_life_seconds, users, all: Account::default() }
    }

    /// A job of a user has started on some nodes.
    pub fn start(&mut self, user: i32, nodes: u32, now: i64) {
        self.add_nodes(user, nodes.into(), now);
    }

    /// A job of a user has ended on some nodes.
    pub fn end(&mut self, user: i32, nodes: u32, now: i64) {
        self.add_nodes(user, -i64::from(nodes), now);
    }

    fn add_nodes(&mut self, user: i32, nodes: i64, now: i64) {
        let user = self.users.entry(number_of(user)).or_default();
        user.account.add_nodes(nodes, now, self.half_life_seconds);
        self.all.add_nodes(nodes, now, self.half_life_seconds);
    }

    /// The user's part of all usage over its part of all shares. It is 1 if the user has used just its share.
    pub fn over_share(&self, user: i32, now: i64) -> f64 {
        let all = self.all.node_seconds_at(now, self.half_life_seconds);
        let Some(user) = self.users.get(&number_of(user)).filter(|_| all > 0.0) else { return 0.0 };
        user.account.node_seconds_at(now, self.half_life_seconds) / all / user.share
    }

    /// The usage of a user in node-seconds, of which half is forgotten in each half-life.
    pub fn node_seconds(&self, user: i32, now: i64) -> f64 {
        let user = self.users.get(&number_of(user));
        user.map_or(0.0, |user| user.account.node_seconds_at(now, self.half_life_seconds))
    }
}

/// The number of a user, or -1 where it is unknown.
fn number_of(user: i32) -> i32 {
    user.max(-1)
}
