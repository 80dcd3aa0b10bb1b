//! The calls that all ranks of a communicator make together, in the same order: whether they agree.
//!
//! Ranks that disagree usually wait for one another for ever. On a collective network they would mix up packets of
//! different operations, which the network takes for a bug of its own.

use crate::collectives::Collective;
use crate::communicators::Members;
use std::collections::HashMap;

/// A communicator: its id, and its first rank as a rank of the machine. Groups with the same id have no rank in common.
pub(crate) type Name = (u32, u32);

/// The place of a call among those that the ranks of a communicator make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub communicator: Name,
    /// The rank in the communicator that makes the call, and the number of those that do.
    pub rank: u32,
    pub size: u32,
    /// The number of such calls before it.
    pub number: u32,
}

/// A call that ranks make together, as one of them makes it.
#[derive(Clone, Debug)]
pub(crate) enum JointCall {
    Collective(Collective),
    /// A new communicator with these members, if the rank is one.
    Creation(Option<Members>),
}

/// A call that not all ranks have made.
#[derive(Debug)]
struct Entered {
    /// The first rank of the machine that has made it, and its call.
    by: u32,
    call: JointCall,
    /// The number of ranks that have made it.
    ranks: u32,
    /// The groups of new communicators, and the place of each member's among them.
    groups: Vec<Members>,
    group_of: HashMap<u32, usize>,
}

/// The calls that not all ranks have made.
#[derive(Debug, Default)]
pub(crate) struct JointCalls(HashMap<(Name, u32), Entered>);

impl JointCalls {
    /// A rank of the machine makes a call.
    ///
    /// # Errors
    /// If another rank has made another call there.
    pub fn enter(&mut self, by: u32, place: Place, call: JointCall) -> Result<(), String> {
        let Place { communicator, rank, size, number } = place;
        let key = (communicator, number);
        let entered = self.0.entry(key).or_insert_with(|| Entered {
            by,
            call: call.clone(),
            ranks: 0,
            groups: Vec::new(),
            group_of: HashMap::new(),
        });
        entered.compare(number, &call)?;
        if let JointCall::Creation(Some(members)) = call {
            entered.join(rank, size, members)?;
        }
        entered.ranks += 1;
        if entered.ranks == size {
            self.0.remove(&key);
        }
        Ok(())
    }
}

impl Entered {
    fn compare(&self, number: u32, call: &JointCall) -> Result<(), String> {
        let agrees = match (call, &self.call) {
            (JointCall::Collective(own), JointCall::Collective(other)) => own.agrees_with(other),
            (JointCall::Creation(_), JointCall::Creation(_)) => true,
            (JointCall::Collective(_), JointCall::Creation(_))
            | (JointCall::Creation(_), JointCall::Collective(_)) => false,
        };
        if agrees {
            return Ok(());
        }
        let name = |call: &JointCall| match call {
            JointCall::Collective(collective) => collective.to_string(),
            JointCall::Creation(_) => "a new communicator".into(),
        };
        let (number, by) = (number + 1, self.by);
        Err(format!(
            "collective call {number} of the communicator is {}, and that of rank {by} is {}",
            name(call),
            name(&self.call)
        ))
    }

    /// A rank of `size` gets a new communicator, whose members all name the same.
    fn join(&mut self, rank: u32, size: u32, members: Members) -> Result<(), String> {
        let differ = || Err(String::from("the members of the new communicator do not all name the same"));
        if let Some(&group) = self.group_of.get(&rank) {
            return if self.groups[group] == members { Ok(()) } else { differ() };
        }
        if members.of(size).any(|member| self.group_of.contains_key(&member)) {
            return differ();
        }
        let group = self.groups.len();
        self.group_of.extend(members.of(size).map(|member| (member, group)));
        self.groups.push(members);
        Ok(())
    }
}
