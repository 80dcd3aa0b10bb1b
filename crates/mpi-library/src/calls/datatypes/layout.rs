//! Layouts: where the bytes of a datatype lie, as runs of bytes in the order in which they are sent.
//!
//! ```text
//!   run     ######                       bytes in one piece
//!   runs    ##--#-----####               runs of different lengths
//!   loop    ##--##--##--##--##           a layout again and again, a stride apart
//!   parts   ##--##--##-------#-#-#-#     layouts one after the other
//! ```
//!
//! A loop takes the same memory for a billion blocks as for two. A layout that is one run is always a `Run`: two runs of
//! which the second begins where the first ends are merged, and so is a loop over a run without gaps.

use std::rc::Rc;

/// A run of bytes: its place, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub at: i64,
    pub bytes: u64,
}

/// The most runs of a layout that is written out where it is part of another one.
const WRITTEN_OUT: u64 = 8;

/// Where bytes lie.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The place of the shape.
    at: i64,
    shape: Shape,
    pub bytes: u64,
    /// The runs, no two consecutive ones of them adjacent.
    pub blocks: u64,
    /// Where the first run begins, and where the last one ends.
    first: i64,
    end: i64,
    /// The lowest byte, and the byte after the highest one.
    pub low: i64,
    pub high: i64,
}

#[derive(Clone, Debug)]
enum Shape {
    Nothing,
    /// All bytes, in one run.
    Run,
    /// At least two runs.
    Runs(Rc<[Run]>),
    /// At least two copies.
    Loop {
        count: u64,
        stride: i64,
        child: Rc<Layout>,
    },
    Parts(Rc<[Layout]>),
}

/// A function of each run of a layout, in their order.
pub(crate) trait Mover {
    /// Moves the bytes of a run.
    fn run(&mut self, at: i64, bytes: u64);

    /// Moves the bytes of several runs, a stride apart.
    fn strided(&mut self, at: i64, bytes: u64, count: u64, stride: i64) {
        for place in (0..count as i64).map(|number| at.wrapping_add(number.wrapping_mul(stride))) {
            self.run(place, bytes);
        }
    }
}

impl<F: FnMut(i64, u64)> Mover for F {
    fn run(&mut self, at: i64, bytes: u64) {
        self(at, bytes);
    }
}

/// The bytes from the first of `count` places, a stride apart, to the last; none if there are too many.
pub(super) fn span(count: u64, stride: i64) -> Option<i64> {
    i64::try_from(count.checked_sub(1)?).ok()?.checked_mul(stride)
}

/// Where a run ends. It wraps around for one that is refused later, since it is too long.
fn end_of(run: &Run) -> i64 {
    run.at.wrapping_add_unsigned(run.bytes)
}

fn fits(bytes: u64) -> Option<u64> {
    i64::try_from(bytes).ok().map(|_| bytes)
}

impl Layout {
    /// No bytes.
    pub fn nothing() -> Self {
        Layout { at: 0, shape: Shape::Nothing, bytes: 0, blocks: 0, first: 0, end: 0, low: 0, high: 0 }
    }

    /// Bytes in one piece; none if they reach too far.
    pub fn run(at: i64, bytes: u64) -> Option<Self> {
        if bytes == 0 {
            return Some(Self::nothing());
        }
        let end = at.checked_add_unsigned(bytes)?;
        let (shape, bytes) = (Shape::Run, fits(bytes)?);
        Some(Layout { at, shape, bytes, blocks: 1, first: at, end, low: at, high: end })
    }

    /// The layout in another place; none if it is too far.
    pub fn shifted(&self, by: i64) -> Option<Self> {
        if self.bytes == 0 {
            return Some(self.clone());
        }
        let [at, first, end, low, high] = [self.at, self.first, self.end, self.low, self.high];
        let moved = |place: i64| place.checked_add(by);
        Some(Layout {
            at: moved(at)?,
            first: moved(first)?,
            end: moved(end)?,
            low: moved(low)?,
            high: moved(high)?,
            ..self.clone()
        })
    }

    /// The runs of `count` copies, a stride apart.
    pub fn blocks_of(&self, count: u64, stride: i64) -> u64 {
        let is_joined = self.first.checked_add(stride) == Some(self.end);
        let blocks = if is_joined { self.blocks - 1 } else { self.blocks };
        count.saturating_mul(blocks).saturating_add(is_joined.into())
    }

    /// Copies of a layout, a stride apart; none if they reach too far.
    pub fn copies(self: &Rc<Self>, count: u64, stride: i64) -> Option<Self> {
        if count == 0 || self.bytes == 0 {
            return Some(Self::nothing());
        }
        if count == 1 {
            return Some((**self).clone());
        }
        let span = span(count, stride)?;
        let bytes = fits(self.bytes.checked_mul(count)?)?;
        let (low, high) = (self.low.checked_add(span.min(0))?, self.high.checked_add(span.max(0))?);
        let (first, end) = (self.first, self.end.checked_add(span)?);
        let blocks = self.blocks_of(count, stride);
        let (at, shape) = match &self.shape {
            Shape::Run if blocks == 1 => (self.at, Shape::Run),
            Shape::Loop { count: of_child, stride: step, child }
                if i64::try_from(*of_child).ok().and_then(|of_child| step.checked_mul(of_child))
                    == Some(stride) =>
            {
                let count = of_child.checked_mul(count)?;
                (self.at, Shape::Loop { count, stride: *step, child: child.clone() })
            }
            Shape::Nothing | Shape::Run | Shape::Runs(_) | Shape::Loop { .. } | Shape::Parts(_) => {
                (0, Shape::Loop { count, stride, child: self.clone() })
            }
        };
        Some(Layout { at, shape, bytes, blocks, first, end, low, high })
    }

    /// Runs, no two consecutive ones of them adjacent.
    fn of_runs(runs: &[Run]) -> Option<Self> {
        let [first, others @ ..] = runs else { return Some(Self::nothing()) };
        let Some(last) = others.last() else { return Self::run(first.at, first.bytes) };
        let stride = others[0].at.checked_sub(first.at)?;
        let is_regular = runs.windows(2).all(|pair| pair[1].at.checked_sub(pair[0].at) == Some(stride))
            && others.iter().all(|run| run.bytes == first.bytes);
        if is_regular {
            return Rc::new(Self::run(first.at, first.bytes)?).copies(runs.len() as u64, stride);
        }
        let bytes = runs.iter().try_fold(0_u64, |sum, run| sum.checked_add(run.bytes))?;
        Some(Layout {
            at: 0,
            shape: Shape::Runs(runs.into()),
            bytes: fits(bytes)?,
            blocks: runs.len() as u64,
            first: first.at,
            end: end_of(last),
            low: runs.iter().map(|run| run.at).min()?,
            high: runs.iter().map(end_of).max()?,
        })
    }

    fn of_parts(parts: Vec<Layout>) -> Option<Self> {
        let [first, others @ ..] = &parts[..] else { return Some(Self::nothing()) };
        let Some(last) = others.last() else { return parts.into_iter().next() };
        let joints = parts.windows(2).filter(|pair| pair[0].end == pair[1].first).count() as u64;
        let (from, end) = (first.first, last.end);
        let bytes = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.bytes))?;
        let blocks = parts.iter().fold(0_u64, |sum, part| sum.saturating_add(part.blocks)) - joints;
        let low = parts.iter().map(|part| part.low).min()?;
        let high = parts.iter().map(|part| part.high).max()?;
        let shape = Shape::Parts(parts.into());
        Some(Layout { at: 0, shape, bytes: fits(bytes)?, blocks, first: from, end, low, high })
    }

    /// Moves all bytes of a layout in a buffer at `base`.
    pub fn walk(&self, base: i64, mover: &mut impl Mover) {
        let base = base.wrapping_add(self.at);
        match &self.shape {
            Shape::Nothing => {}
            Shape::Run => mover.run(base, self.bytes),
            Shape::Runs(runs) => runs.iter().for_each(|run| mover.run(base.wrapping_add(run.at), run.bytes)),
            Shape::Loop { count, stride, child } => child.walk_copies(base, *count, *stride, mover),
            Shape::Parts(parts) => parts.iter().for_each(|part| part.walk(base, mover)),
        }
    }

    /// Moves all bytes of copies, a stride apart.
    pub fn walk_copies(&self, base: i64, count: u64, stride: i64, mover: &mut impl Mover) {
        match &self.shape {
            Shape::Run if stride == self.bytes as i64 => {
                mover.run(base.wrapping_add(self.at), count.wrapping_mul(self.bytes));
            }
            Shape::Run => mover.strided(base.wrapping_add(self.at), self.bytes, count, stride),
            Shape::Nothing | Shape::Runs(_) | Shape::Loop { .. } | Shape::Parts(_) => {
                for number in 0..count as i64 {
                    self.walk(base.wrapping_add(number.wrapping_mul(stride)), mover);
                }
            }
        }
    }

    /// Moves the first bytes of copies, a stride apart.
    pub fn walk_first_of_copies(&self, base: i64, bytes: u64, stride: i64, mover: &mut impl Mover) {
        let Some(count) = bytes.checked_div(self.bytes) else { return };
        self.walk_copies(base, count, stride, mover);
        let left = bytes % self.bytes;
        if left > 0 {
            self.walk_first(base.wrapping_add((count as i64).wrapping_mul(stride)), left, mover);
        }
    }

    /// Moves the first bytes, fewer than all.
    fn walk_first(&self, base: i64, bytes: u64, mover: &mut impl Mover) {
        let base = base.wrapping_add(self.at);
        let mut left = bytes;
        match &self.shape {
            Shape::Nothing => {}
            Shape::Run => mover.run(base, bytes),
            Shape::Runs(runs) => {
                for run in runs.iter() {
                    let here = run.bytes.min(left);
                    if here == 0 {
                        break;
                    }
                    mover.run(base.wrapping_add(run.at), here);
                    left -= here;
                }
            }
            Shape::Loop { stride, child, .. } => child.walk_first_of_copies(base, bytes, *stride, mover),
            Shape::Parts(parts) => {
                for part in parts.iter() {
                    if left < part.bytes {
                        return if left > 0 {
                            part.walk_first(base, left, mover)
                        };
                    }
                    part.walk(base, mover);
                    left -= part.bytes;
                }
            }
        }
    }
}

/// Layouts that are put one after the other.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    parts: Vec<Layout>,
    /// Runs behind these parts.
    runs: Vec<Run>,
}

impl Sequence {
    /// Adds a layout; none if all together are too long.
    pub fn push(&mut self, layout: Layout) -> Option<()> {
        if layout.blocks <= WRITTEN_OUT {
            let runs = &mut self.runs;
            layout.walk(0, &mut |at: i64, bytes: u64| match runs.last_mut() {
                Some(last) if end_of(last) == at => last.bytes += bytes,
                _ => runs.push(Run { at, bytes }),
            });
            return Some(());
        }
        self.end_runs()?;
        self.parts.push(layout);
        Some(())
    }

    fn end_runs(&mut self) -> Option<()> {
        if !self.runs.is_empty() {
            self.parts.push(Layout::of_runs(&std::mem::take(&mut self.runs))?);
        }
        Some(())
    }

    /// The layout of all; none if it is too long.
    pub fn layout(mut self) -> Option<Layout> {
        self.end_runs()?;
        Layout::of_parts(self.parts)
    }
}
