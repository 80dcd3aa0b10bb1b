//! Resampling of a log in blocks of consecutive jobs (the moving-block bootstrap: Künsch, Annals of Statistics 17(3),
//! 1989).
//!
//! Users submit jobs in campaigns: many jobs of one size, one after another. Jobs that are drawn one by one lose that;
//! blocks keep it, with the times between the jobs of a block. Each block begins at a job of the log that is drawn
//! uniformly, and comes after the block before it by the time that passed in the log before its first job.

use crate::draws::uniform;
use crate::job::Job;

const BLOCK_PURPOSE: u64 = 3;

/// How a log is resampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resampling {
    /// The number of jobs of a block, at least 1.
    pub jobs_per_block: usize,
    /// The number of jobs drawn in all; the last block is cut.
    pub jobs: usize,
    /// Seed of the draws.
    pub seed: u64,
}

impl Resampling {
    /// Jobs drawn from `jobs`, which are sorted, and at least as many as those of a block. The first is submitted when
    /// the first job of the log is; the drawn jobs are numbered from 1.
    pub fn of(&self, jobs: &[Job]) -> Vec<Job> {
        let mut drawn: Vec<Job> = Vec::with_capacity(self.jobs);
        let mut submit = jobs[0].submit;
        for block in 0..self.jobs.div_ceil(self.jobs_per_block) {
            let first = self.first_of(block, jobs.len());
            for index in first..(first + self.jobs_per_block).min(first + self.jobs - drawn.len()) {
                let gap = jobs[index].submit - jobs[index.saturating_sub(1)].submit;
                submit += if drawn.is_empty() { 0 } else { gap };
                drawn.push(Job { submit, id: drawn.len() as i64 + 1, ..jobs[index] });
            }
        }
        drawn
    }

    /// The index of the first job of a block.
    fn first_of(&self, block: usize, jobs: usize) -> usize {
        let choices = jobs - self.jobs_per_block + 1;
        (uniform(self.seed, block as u64, BLOCK_PURPOSE) * choices as f64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Resampling;
    use crate::job::Job;
    use proptest::prelude::*;

    /// Jobs of distinct sizes, so that a drawn job shows which one it was.
    fn log(gaps: &[i64]) -> Vec<Job> {
        let mut submit = 1_000_000;
        let job = |(index, gap): (usize, &i64)| {
            submit += gap;
            Job { submit, id: index as i64, nodes: index as u32, run: 10, walltime: 20, ..Job::default() }
        };
        gaps.iter().enumerate().map(job).collect()
    }

    proptest! {
        /// Blocks are consecutive jobs with the times between them; the counts are as requested.
        #[test]
        fn blocks_keep_their_jobs_and_gaps(
            gaps in proptest::collection::vec(0..1000i64, 1..80),
            share in 0.0..1.0f64,
            jobs in 1..300usize,
            seed: u64,
        ) {
            let log = log(&gaps);
            let jobs_per_block = 1 + (share * log.len() as f64) as usize;
            let resampling = Resampling { jobs_per_block, jobs, seed };
            let drawn = resampling.of(&log);
            prop_assert_eq!(drawn.len(), jobs);
            prop_assert_eq!(&drawn, &resampling.of(&log));
            prop_assert!(drawn.is_sorted());
            for block in drawn.chunks(jobs_per_block) {
                for pair in block.windows(2) {
                    prop_assert_eq!(pair[1].nodes, pair[0].nodes + 1);
                    let source = [pair[0].nodes as usize, pair[1].nodes as usize].map(|index| log[index]);
                    prop_assert_eq!(pair[1].submit - pair[0].submit, source[1].submit - source[0].submit);
                }
            }
        }
    }

    /// The seed selects the blocks, and all blocks of the log are drawn about equally often.
    #[test]
    fn seeds_select_blocks() {
        let log = log(&[7; 14]);
        let firsts = |seed| -> Vec<u32> {
            let drawn = Resampling { jobs_per_block: 5, jobs: 5000, seed }.of(&log);
            drawn.chunks(5).map(|block| block[0].nodes).collect()
        };
        assert_ne!(firsts(1), firsts(2));
        let drawn = firsts(1);
        for first in 0..10 {
            let count = drawn.iter().filter(|&&other| other == first).count();
            assert!((60..=140).contains(&count), "block {first} was drawn {count} times of 1000");
        }
        assert!(drawn.iter().all(|&first| first < 10));
    }
}
