//! Forms partitions from named midplanes and from boxes of positions.

use super::{BoxSpans, Room};
use crate::dimension::{LineUse, sorted};
use crate::file::NodeCardsFile;
use crate::{CardRange, Dimension, Partition, PassThrough, Wiring};
use fixedbitset::FixedBitSet;
use geometry::{Shape, Twist};
use input::InputError;

impl Room {
    /// The partition of a box of midplanes, given by name in any order. In a switched room any midplanes can form a
    /// box; `spans` gives the number of midplanes along each dimension.
    ///
    /// # Errors
    /// If a name is unknown or repeated, if the midplanes are not a box, or if the cabling does not allow it.
    pub fn partition(
        &self,
        midplanes: &[&str],
        wiring: Wiring,
        spans: Option<&[u32]>,
    ) -> Result<Partition, InputError> {
        let numbers = self.numbers_of(midplanes)?;
        if self.switched {
            return self.switched_partition(&numbers, wiring, spans);
        }
        if wiring == Wiring::TwistedTorus {
            return Err(InputError::at("partition", "cables cannot twist a torus, only switches can"));
        }
        let spans = self.box_around(&numbers)?;
        self.partition_of_box(&spans, wiring).map_err(|problem| InputError::at("partition", problem))
    }

    /// The partition of `nodes` nodes of a midplane, starting at node card `first_card`. It is always a mesh.
    ///
    /// # Errors
    /// If the midplane is unknown, or if there is no such partition.
    pub fn small_partition(
        &self,
        midplane: &str,
        nodes: u32,
        first_card: u32,
    ) -> Result<Partition, InputError> {
        let number = self.numbers_of(&[midplane])?[0];
        let small = self.small_partitions(number, nodes);
        let found =
            small.into_iter().find(|partition| partition.cards.is_some_and(|c| c.first == first_card));
        found.ok_or_else(|| {
            let sizes: Vec<String> = self.small_sizes().iter().map(u32::to_string).collect();
            let problem = format!(
                "there is no partition of {nodes} nodes at node card {first_card}: below a midplane partitions have {} \
                 nodes, and begin at multiples of their size",
                sizes.join(", ")
            );
            InputError::at("partition", problem)
        })
    }

    /// The partition of the box at these positions, or why the cabling does not allow it.
    pub(super) fn partition_of_box(&self, spans: &[Vec<u32>], wiring: Wiring) -> Result<Partition, String> {
        let taken: Vec<LineUse> = self
            .dimensions
            .iter()
            .zip(spans)
            .map(|(dimension, span)| dimension.take(span, wiring))
            .collect::<Result<_, _>>()?;
        let owned = self.midplanes_at(spans);
        let midplanes = owned.iter().copied().collect();
        let mut cables = Vec::new();
        let mut passed_through = Vec::new();
        for (dimension, taken) in taken.iter().enumerate() {
            for line in self.lines_through(spans, dimension) {
                let first = self.first_cables[dimension]
                    + self.line_number(line, dimension) * self.cables_of_line(dimension);
                cables.extend(taken.cables.iter().map(|cable| first + cable));
                let at =
                    |&place: &u32| PassThrough { midplane: self.moved(line, dimension, place), dimension };
                passed_through.extend(taken.passed.iter().map(at));
            }
        }
        let wraps: Vec<bool> = taken.iter().map(|taken| taken.closes).collect();
        let lengths: Vec<u32> = spans.iter().map(|span| span.len() as u32).collect();
        let shape = self.shape_of(&lengths, &wraps);
        let place: Vec<String> =
            self.dimensions.iter().zip(spans).map(|(d, span)| d.place_name(span)).collect();
        let place = if owned.len() == 1 { self.midplanes[owned[0]].clone() } else { place.join("-") };
        Ok(Partition {
            name: named(&shape, &place),
            wiring: wiring_of(&shape),
            shape,
            midplane_count: owned.len(),
            midplanes,
            cables: FixedBitSet::from_iter(cables),
            passed_through,
            cards: None,
            spans: lengths,
        })
    }

    /// A partition of a switched room: a size without midplanes. None if it has no such twist.
    pub(super) fn sized_partition(&self, spans: &[Vec<u32>], wiring: Wiring) -> Option<Partition> {
        let lengths: Vec<u32> = spans.iter().map(|span| span.len() as u32).collect();
        let shape = self.shape_of(&lengths, &vec![wiring.closes_all(); lengths.len()]);
        let shape = match wiring {
            Wiring::TwistedTorus => shape.clone().with_twist(Twist::automatic(shape.lengths())?).ok()?,
            Wiring::Torus | Wiring::Mesh => shape,
        };
        let place: Vec<String> = shape.lengths().iter().map(u32::to_string).collect();
        Some(Partition {
            name: named(&shape, &place.join("x")),
            wiring: wiring_of(&shape),
            shape,
            midplane_count: spans.iter().map(Vec::len).product(),
            midplanes: FixedBitSet::new(),
            cables: FixedBitSet::new(),
            passed_through: vec![],
            cards: None,
            spans: lengths,
        })
    }

    fn switched_partition(
        &self,
        numbers: &[usize],
        wiring: Wiring,
        spans: Option<&[u32]>,
    ) -> Result<Partition, InputError> {
        let count = numbers.len();
        let fits = |spans: &&[u32]| {
            let product = spans.iter().try_fold(1u64, |product, &span| product.checked_mul(span.into()));
            spans.len() == self.dimensions.len() && product == Some(count as u64)
        };
        let spans = spans.filter(fits).ok_or_else(|| {
            let problem = format!(
                "in a switched room, spans must say how many midplanes lie along each of the {} dimensions, {count} in \
                 all",
                self.dimensions.len()
            );
            InputError::at("partition", problem)
        })?;
        let spans: BoxSpans = spans.iter().map(|&span| (0..span).collect()).collect();
        let sized = self.sized_partition(&spans, wiring).ok_or_else(|| {
            InputError::at(
                "partition",
                "only n x n x 2n and n x 2n x 2n nodes have a usual twist, from n = 2",
            )
        })?;
        Ok(Partition { midplanes: numbers.iter().copied().collect(), ..sized })
    }

    /// The sizes in nodes of the partitions smaller than a midplane.
    pub(super) fn small_sizes(&self) -> Vec<u32> {
        let shapes = self.node_cards.iter().flat_map(|cards| &cards.shapes);
        shapes.map(|shape| shape.iter().product()).collect()
    }

    pub(super) fn small_partitions(&self, midplane: usize, nodes: u32) -> Vec<Partition> {
        let Some(cards) = &self.node_cards else { return vec![] };
        let Some(index) = self.small_sizes().iter().position(|&size| size == nodes) else { return vec![] };
        let lengths = &cards.shapes[index];
        let shape =
            Shape::new(lengths, &vec![false; lengths.len()]).expect("shapes of node cards are checked");
        let count = nodes * cards.per_midplane / self.nodes_of_midplane();
        let at = |first: u32| Partition {
            name: format!("{}-{}", named(&shape, &self.midplanes[midplane]), cards.card_name(first)),
            wiring: wiring_of(&shape),
            shape: shape.clone(),
            midplane_count: 1,
            midplanes: FixedBitSet::from_iter([midplane]),
            cables: FixedBitSet::new(),
            passed_through: vec![],
            cards: Some(CardRange { first, count }),
            spans: vec![1; self.dimensions.len()],
        };
        (0..cards.per_midplane).step_by(count as usize).map(at).collect()
    }

    /// The partition of one node card, such as R00-M0-N04.
    pub(super) fn node_card(&self, name: &str) -> Option<Partition> {
        let nodes = self.nodes_of_midplane() / self.node_cards.as_ref()?.per_midplane;
        let is_its = |midplane: &usize| {
            name.strip_prefix(self.midplanes[*midplane].as_str()).is_some_and(|rest| rest.starts_with('-'))
        };
        let midplane = (0..self.midplanes.len()).find(is_its)?;
        let has_name = |partition: &Partition| partition.name.ends_with(&format!("-{name}"));
        self.small_partitions(midplane, nodes).into_iter().find(has_name)
    }

    fn shape_of(&self, spans: &[u32], wraps: &[bool]) -> Shape {
        let lengths: Vec<u32> =
            spans.iter().zip(&self.midplane_shape).map(|(span, nodes)| span * nodes).collect();
        Shape::new(&lengths, wraps).expect("a part of a room whose size is checked")
    }

    /// The positions of the box that consists of exactly these midplanes.
    fn box_around(&self, numbers: &[usize]) -> Result<BoxSpans, InputError> {
        let coordinates: Vec<Vec<u32>> = numbers.iter().map(|&number| self.coordinates(number)).collect();
        let span = |dimension: usize| {
            let mut places = sorted(coordinates.iter().map(|place| place[dimension]));
            places.dedup();
            places
        };
        let spans: BoxSpans = (0..self.dimensions.len()).map(span).collect();
        let missing = self.midplanes_at(&spans).into_iter().find(|number| !numbers.contains(number));
        match missing {
            None => Ok(spans),
            Some(missing) => {
                let problem =
                    format!("these midplanes are not a box: {} is missing from one", self.midplanes[missing]);
                Err(InputError::at("partition", problem))
            }
        }
    }

    fn numbers_of(&self, names: &[&str]) -> Result<Vec<usize>, InputError> {
        let wrong = |problem: String| Err(InputError::at("partition", problem));
        let mut numbers = Vec::new();
        for name in names {
            let number = self.find_midplane(name)?;
            if numbers.contains(&number) {
                return wrong(format!("{name} is named twice"));
            }
            numbers.push(number);
        }
        if numbers.is_empty() { wrong("needs at least one midplane".to_owned()) } else { Ok(numbers) }
    }
}

impl NodeCardsFile {
    fn card_name(&self, number: u32) -> String {
        self.name.replace("{}", &format!("{number:02}"))
    }
}

impl Dimension {
    /// `Y01`: the dimension and its positions, separated by periods if they can have several digits.
    fn place_name(&self, span: &[u32]) -> String {
        let places: Vec<String> = span.iter().map(u32::to_string).collect();
        format!("{}{}", self.name, places.join(if self.length > 10 { "." } else { "" }))
    }
}

fn wiring_of(shape: &Shape) -> Wiring {
    let is_open = |dimension: usize| shape.length(dimension) > 1 && !shape.wraps(dimension);
    match (0..shape.dimensions()).any(is_open) {
        true => Wiring::Mesh,
        false if shape.is_twisted() => Wiring::TwistedTorus,
        false => Wiring::Torus,
    }
}

fn named(shape: &Shape, place: &str) -> String {
    format!("{}-{}-{place}", wiring_of(shape), shape.nodes())
}
