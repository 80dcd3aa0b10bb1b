//! Exchange with the neighbors in a periodic three-dimensional grid of ranks, as in codes with stencils.

use mpi::{Call, Needed, Outcome, Program, Requests};
use serde::{Deserialize, Serialize};

/// Directions of a grid of three dimensions.
const DIRECTIONS: u32 = 6;

/// The exchange of all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halo3dPlan {
    /// Ranks along each dimension; rank numbers count the first dimension fastest.
    pub grid: [u32; 3],
    /// Length of each message in bytes.
    pub bytes: u64,
    /// Number of exchanges.
    pub iterations: u32,
}

impl Halo3dPlan {
    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.grid.iter().product()
    }

    /// The neighbor of a rank in a direction: 2 x dimension, plus one toward minus. None in a dimension of length 1.
    pub fn neighbor(&self, rank: u32, direction: u32) -> Option<u32> {
        let dimension = (direction / 2) as usize;
        let length = self.grid[dimension];
        let stride: u32 = self.grid[..dimension].iter().product();
        let coordinate = rank / stride % length;
        let next =
            if direction.is_multiple_of(2) { coordinate + 1 } else { coordinate + length - 1 } % length;
        (length > 1).then(|| rank - coordinate * stride + next * stride)
    }
}

/// The program of one rank: in each exchange it posts a receive from each neighbor, sends to each, and waits for all.
#[derive(Clone, Debug)]
pub struct Halo3d {
    plan: Halo3dPlan,
    rank: u32,
    position: Position,
}

/// The position in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    iteration: u32,
    /// Receives, then sends, then the wait.
    step: u32,
}

impl Halo3d {
    /// The program of a rank.
    pub fn new(plan: Halo3dPlan, rank: u32) -> Self {
        Halo3d { plan, rank, position: Position::default() }
    }

    /// A receive or a send; none in a dimension without neighbors. The tag is the direction of the message.
    fn message(&self, step: u32) -> Option<Call> {
        let (direction, request) = (step % DIRECTIONS, step);
        let peer = self.plan.neighbor(self.rank, direction)?;
        Some(match step / DIRECTIONS {
            0 => Call::ReceiveNonBlocking { source: Some(peer), tag: Some(direction ^ 1), request },
            _ => Call::SendNonBlocking { target: peer, tag: direction, bytes: self.plan.bytes, request },
        })
    }
}

impl Program for Halo3d {
    type State = Position;

    fn next(&mut self, _time: u64, _outcome: &Outcome) -> Option<Call> {
        while self.position.iteration < self.plan.iterations {
            let step = self.position.step;
            self.position.step += 1;
            if step == 2 * DIRECTIONS {
                self.position = Position { iteration: self.position.iteration + 1, step: 0 };
                let requests = Requests { first: 0, count: 2 * DIRECTIONS };
                return Some(Call::Wait { requests, needed: Needed::All });
            }
            if let Some(call) = self.message(step) {
                return Some(call);
            }
        }
        None
    }

    fn state(&self) -> Position {
        self.position
    }

    fn restore(&mut self, position: Position, _now: u64) -> bool {
        self.position = position;
        position.iteration <= self.plan.iterations && position.step <= 2 * DIRECTIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_mutual_and_calls_are_13_an_exchange() {
        let plan = Halo3dPlan { grid: [4, 3, 2], bytes: 8, iterations: 2 };
        for rank in 0..plan.ranks() {
            for direction in 0..DIRECTIONS {
                let neighbor = plan.neighbor(rank, direction).expect("no dimension has length 1");
                assert_eq!(plan.neighbor(neighbor, direction ^ 1), Some(rank));
            }
            let mut program = Halo3d::new(plan, rank);
            let calls = std::iter::from_fn(|| program.next(0, &Outcome::default()));
            assert_eq!(calls.count(), 26);
        }
        assert_eq!(Halo3dPlan { grid: [4, 1, 1], ..plan }.neighbor(0, 2), None);
    }
}
