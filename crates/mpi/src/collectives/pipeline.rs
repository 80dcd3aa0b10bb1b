//! The segments of a color on their way through the stages of an algorithm, and the parts that process them.
//!
//! ```text
//!   stage 0   lane 0   s0 s1 s2 s3 ..      one segment at a time
//!   stage 1   lane 0      s0    s2 ..      two, so that what a stage makes of a segment waits less for
//!             lane 1         s1    s3      the longer messages of other colors on the same links
//! ```
//!
//! A reduce-scatter begins, and an allgather ends, with the stages of the longest messages: the outer ones. All
//! other stages are inner. With one lane, the inner stages fall behind: in a queue in which messages of both take
//! turns, the short messages of a segment take as long as the long ones of another, and the outer stages of an
//! allgather wait for them.

/// Segments that an inner stage has under way at a time. With one, links of an allgather are idle before its last
/// segment, and stages of all-reduces on meshes stay out of step. With three, the ends of lines wait for one
/// another.
const INNER_LANES: u32 = 2;

/// The parts of a color, stage by stage and lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// Stages of the reduce-scatter, and of the allgather after it; 0 for a half that the operation does not have.
    pub halves: [u32; 2],
    /// Outer stages of each half.
    pub outer: u32,
    pub segments: u32,
}

impl Pipeline {
    pub fn stages(&self) -> u32 {
        self.halves.iter().sum()
    }

    /// Segments that a stage has under way at a time.
    pub fn lanes(&self, stage: u32) -> u32 {
        let [scattering, gathering] = self.halves;
        let is_outer = match stage.checked_sub(scattering) {
            None => stage < self.outer,
            Some(stage) => gathering - stage <= self.outer,
        };
        if is_outer { 1 } else { self.inner_lanes() }
    }

    fn inner_lanes(&self) -> u32 {
        INNER_LANES.min(self.segments)
    }

    /// The number of parts.
    pub fn parts(&self) -> u32 {
        let inner: u32 = self.halves.iter().map(|stages| stages.saturating_sub(self.outer)).sum();
        self.stages() - inner + inner * self.inner_lanes()
    }

    /// The part that processes a segment in a stage.
    pub fn part(&self, stage: u32, segment: u32) -> u32 {
        (0..stage).map(|stage| self.lanes(stage)).sum::<u32>() + segment % self.lanes(stage)
    }

    /// The stage of a part, and its lane there.
    fn place(&self, part: u32) -> (u32, u32) {
        let (mut stage, mut lane) = (0, part);
        while lane >= self.lanes(stage) {
            lane -= self.lanes(stage);
            stage += 1;
        }
        (stage, lane)
    }

    /// The stage of a part.
    pub fn stage(&self, part: u32) -> u32 {
        self.place(part).0
    }

    /// The segment that a part processes in its `turn`-th turn.
    pub fn segment(&self, part: u32, turn: u32) -> u32 {
        let (stage, lane) = self.place(part);
        lane + turn * self.lanes(stage)
    }

    /// Turns that the parts of a stage have before the one of a segment.
    pub fn turn(&self, stage: u32, segment: u32) -> u32 {
        segment / self.lanes(stage)
    }

    /// The number of segments that a part processes.
    pub fn turns(&self, part: u32) -> u32 {
        let (stage, lane) = self.place(part);
        (self.segments - lane).div_ceil(self.lanes(stage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_deals_with_every_segment_once() {
        for (halves, outer, segments) in
            [([2, 0], 1, 5), ([0, 3], 1, 4), ([3, 3], 1, 7), ([3, 3], 2, 1), ([1, 1], 1, 3), ([0, 1], 2, 2)]
        {
            let pipeline = Pipeline { halves, outer, segments };
            let lanes = (0..pipeline.stages()).map(|stage| pipeline.lanes(stage));
            assert_eq!(pipeline.parts(), lanes.sum::<u32>());
            let mut dealt: Vec<(u32, u32)> = (0..pipeline.parts())
                .flat_map(|part| {
                    (0..pipeline.turns(part))
                        .map(move |turn| (pipeline.stage(part), pipeline.segment(part, turn)))
                })
                .collect();
            dealt.sort_unstable();
            let all =
                (0..pipeline.stages()).flat_map(|stage| (0..segments).map(move |segment| (stage, segment)));
            assert!(dealt.into_iter().eq(all), "{pipeline:?}");
            for (stage, segment) in
                (0..pipeline.stages()).flat_map(|stage| [(stage, 0), (stage, segments - 1)])
            {
                let part = pipeline.part(stage, segment);
                assert_eq!(pipeline.segment(part, pipeline.turn(stage, segment)), segment);
            }
        }
    }

    /// A half begins or ends with its outer stages.
    #[test]
    fn inner_stages_have_two_lanes() {
        let lanes = |halves, outer| {
            let pipeline = Pipeline { halves, outer, segments: 9 };
            (0..pipeline.stages()).map(|stage| pipeline.lanes(stage)).collect::<Vec<_>>()
        };
        assert_eq!(lanes([3, 0], 1), [1, 2, 2]);
        assert_eq!(lanes([0, 3], 1), [2, 2, 1]);
        assert_eq!(lanes([3, 3], 1), [1, 2, 2, 2, 2, 1]);
        assert_eq!(lanes([3, 3], 2), [1, 1, 2, 2, 1, 1]);
    }
}
