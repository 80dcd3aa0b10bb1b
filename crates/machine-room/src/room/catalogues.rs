//! Builds catalogues: a partition from each box of a profile's families.

use super::{BoxSpans, Room};
use crate::dimension::sorted;
use crate::file::{Spans, Word};
use crate::{Catalogue, Dimension, Partition, Wiring};
use fixedbitset::FixedBitSet;
use input::{InputError, nearest};
use std::collections::BTreeSet;

/// Maximum number of partitions in a catalogue: the conflict matrix takes a bit for each pair.
const MAX_PARTITIONS: usize = 1 << 15;

impl Room {
    /// The partitions of a profile.
    ///
    /// # Errors
    /// If there is no such profile, or if the cabling does not allow one of its boxes.
    pub fn catalogue(&self, profile: &str) -> Result<Catalogue, InputError> {
        let rules = self.profiles.get(profile).ok_or_else(|| {
            let known = nearest(profile, self.profiles.keys().map(String::as_str));
            InputError::at(&self.name, format!("the room has no profile {profile:?}; {known}"))
        })?;
        let key = format!("profile.{profile}");
        let mut partitions = Vec::new();
        let mut known = BTreeSet::new();
        for (_, families, wiring) in rules.families() {
            for family in families {
                self.add_family(family, wiring, &mut known, &mut partitions)?;
                self.check_count(&key, partitions.len())?;
            }
        }
        for nodes in BTreeSet::from_iter(rules.below_midplane.iter().copied()) {
            let parts = |midplane| self.small_partitions(midplane, nodes);
            partitions.extend((0..self.midplanes.len()).flat_map(parts));
            self.check_count(&key, partitions.len())?;
        }
        let cards: BTreeSet<&str> = rules.node_cards.iter().map(String::as_str).collect();
        partitions.extend(cards.into_iter().filter_map(|card| self.node_card(card)));
        self.check_count(&key, partitions.len())?;
        partitions.retain(|partition| rules.most_nodes.is_none_or(|most| partition.nodes() <= most));
        Ok(Catalogue::new(profile, partitions, self))
    }

    fn check_count(&self, key: &str, count: usize) -> Result<(), InputError> {
        let problem = format!("makes more than {MAX_PARTITIONS} partitions: name fewer boxes");
        (count <= MAX_PARTITIONS).then_some(()).ok_or_else(|| self.document.error(key, problem))
    }

    /// Adds the partitions of a family of boxes, except those with the wiring, shape, midplanes and cables of an earlier one.
    /// A box that is to be twisted and cannot be is left out.
    fn add_family(
        &self,
        family: &str,
        wiring: Wiring,
        known: &mut BTreeSet<(String, FixedBitSet, FixedBitSet)>,
        partitions: &mut Vec<Partition>,
    ) -> Result<(), InputError> {
        let key = format!("boxes.{family}");
        let boxes = self.boxes_of(&self.boxes[family]);
        self.check_count(&key, boxes.len())?;
        for spans in boxes {
            let made = match self.switched {
                true => Ok(self.sized_partition(&spans, wiring)),
                false => self.partition_of_box(&spans, wiring).map(Some),
            };
            let made = made.map_err(|problem| self.document.error(&key, problem))?;
            let takes = |made: &Partition| {
                let wired = format!("{} {}", made.wiring, made.shape);
                (wired, made.midplanes.clone(), made.cables.clone())
            };
            partitions.extend(made.filter(|made| known.insert(takes(made))));
        }
        Ok(())
    }

    /// The boxes of a family: every combination of positions along the dimensions. In a switched room these are only
    /// boxes that fit. Their lengths are in ascending order, because a rotated box is the same partition. Stops at one
    /// more than the maximum.
    fn boxes_of(&self, family: &[Spans]) -> Vec<BoxSpans> {
        let mut boxes: Vec<BoxSpans> = vec![vec![]];
        for (dimension, spans) in self.dimensions.iter().zip(family) {
            let choices = self.choices(dimension, spans);
            let extend = |start: &BoxSpans| {
                let start = start.clone();
                choices
                    .iter()
                    .map(move |choice| [start.clone(), vec![choice.clone()]].concat())
                    .collect::<Vec<_>>()
            };
            boxes = boxes
                .iter()
                .flat_map(extend)
                .filter(|spans| self.fits(spans))
                .take(MAX_PARTITIONS + 1)
                .collect();
        }
        boxes
    }

    fn fits(&self, spans: &BoxSpans) -> bool {
        let midplanes: usize = spans.iter().map(Vec::len).product();
        !self.switched || spans.is_sorted_by_key(Vec::len) && midplanes <= self.midplanes.len()
    }

    fn choices(&self, dimension: &Dimension, spans: &Spans) -> BoxSpans {
        let runs = || match self.switched {
            true => (1..=dimension.length).map(|length| (0..length).collect()).collect(),
            false => dimension.runs(),
        };
        match spans {
            Spans::Word(Word::Each) => (0..dimension.length).map(|place| vec![place]).collect(),
            Spans::Word(Word::Whole) => vec![(0..dimension.length).collect()],
            Spans::Word(Word::Runs) => runs(),
            Spans::Lengths(lengths) => {
                runs().into_iter().filter(|run| lengths.contains(&(run.len() as u32))).collect()
            }
            Spans::Sets(sets) => sets.iter().map(|set| sorted(set.iter().copied())).collect(),
        }
    }
}
