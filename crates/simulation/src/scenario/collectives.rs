//! The key `messaging.collectives`: the choice of algorithms for collective calls.

use input::{Document, InputError, nearest};
use mpi::{Algorithm, Choice, Choices, Operation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workloads::Workload;

const KEY: &str = "messaging.collectives";

/// The choices that name no algorithm.
const RULES: [(&str, Choice); 2] = [("mpich2", Choice::Mpich2), ("by-shape", Choice::ByShape)];

/// One choice for all operations, or one for each that is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "collectives is \"mpich2\", \"by-shape\", or a table such as { all-reduce = \"bucket\" }"
)]
pub(crate) enum Collectives {
    /// "mpich2" or "by-shape".
    All(String),
    /// A table by operation: "mpich2", "by-shape" or an algorithm.
    Each(BTreeMap<String, String>),
}

impl Collectives {
    /// Refuses invalid choices, and choices where none is to be made.
    pub fn check(&self, document: &Document, workload: &Workload) -> Result<(), InputError> {
        if workload.senders().names_algorithms {
            let problem = "has no effect: the workload collective names its algorithm (workload.algorithm)";
            return Err(document.error(KEY, problem));
        }
        let checked = self.read();
        checked.map(drop).map_err(|(operation, problem)| {
            let key = if operation.is_empty() { KEY.to_owned() } else { format!("{KEY}.{operation}") };
            document.error(&key, problem)
        })
    }

    /// The choices, once they have been checked.
    pub fn choices(&self) -> Choices {
        self.read().expect("it has been checked")
    }

    /// The choices, or the operation without a valid one, and the reason.
    fn read(&self) -> Result<Choices, (&str, String)> {
        match self {
            Collectives::All(name) => rule(name).map(Choices::all).ok_or_else(|| {
                let rules = RULES.map(|(name, _)| name);
                let table = "or a table such as { all-reduce = \"bucket\" }";
                (
                    "",
                    format!("is no choice for all operations; {}, {table}", nearest(name, rules.into_iter())),
                )
            }),
            Collectives::Each(table) => table.iter().try_fold(Choices::default(), |choices, (key, name)| {
                let with = |(operation, choice)| choices.with(operation, choice);
                choice(key, name).map(with).map_err(|problem| (key.as_str(), problem))
            }),
        }
    }
}

fn rule(name: &str) -> Option<Choice> {
    RULES.iter().find(|(known, _)| *known == name).map(|(_, choice)| *choice)
}

/// The operation of a key and the choice that is named for it, or the fault.
fn choice(key: &str, name: &str) -> Result<(Operation, Choice), String> {
    let operation = Operation::NAMES.iter().find(|(known, _)| *known == key);
    let (_, operation) = operation.ok_or_else(|| {
        format!("is no operation; {}", nearest(key, Operation::NAMES.iter().map(|(name, _)| *name)))
    })?;
    let named = operation.selectable().find(|algorithm| algorithm.name() == name);
    let choice = rule(name).or(named.map(Choice::Named));
    choice.map(|choice| (*operation, choice)).ok_or_else(|| misnamed(*operation, name))
}

fn misnamed(operation: Operation, name: &str) -> String {
    let known = operation.algorithms().find(|algorithm| algorithm.name() == name);
    match known {
        Some(Algorithm::Deposit) => {
            "is for the workload collective alone: it needs ranks whose lines are known before the run".into()
        }
        Some(_) => {
            "is no algorithm on the torus: messaging.world_collectives = \"all-networks\" takes the other networks"
                .into()
        }
        None => {
            let names = operation.selectable().map(Algorithm::name);
            let names = RULES.iter().map(|(name, _)| *name).chain(names);
            format!("is no algorithm for it; {}", nearest(name, names))
        }
    }
}
