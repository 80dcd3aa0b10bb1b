//! A room: its midplanes and cables, and the partitions that can be formed of them.

use crate::dimension::{Taken, sorted};
use crate::file::{
    self, DimensionFile, MidplaneFile, NodeCardsFile, ProfileFile, ROOMS, RoomFile, Spans, Word,
};
use crate::{Bits, CardRange, Catalogue, Dimension, Partition, PassThrough, Wiring};
use geometry::{MAX_DIMENSIONS, Shape};
use input::{Document, InputError, nearest, parse_toml, read};
use std::collections::{BTreeMap, BTreeSet};

/// The most midplanes of a room: coordinates, cables and names of more would only be a mistyped length.
const MAX_MIDPLANES: u64 = 1 << 16;

/// The most partitions of a catalogue: the matrix of their conflicts takes a bit for each pair.
const MAX_PARTITIONS: usize = 1 << 15;

/// A machine room, as its file describes it.
#[derive(Clone, Debug)]
pub struct Room {
    name: String,
    description: String,
    machine: Option<String>,
    dimensions: Vec<Dimension>,
    switched: bool,
    midplane_shape: Vec<u32>,
    midplanes: Vec<String>,
    numbers: BTreeMap<String, usize>,
    cables: Vec<Cable>,
    /// The number of the first cable of each dimension.
    first_cables: Vec<usize>,
    node_cards: Option<NodeCardsFile>,
    boxes: BTreeMap<String, Vec<Spans>>,
    profiles: BTreeMap<String, ProfileFile>,
    /// Where each value came from, for errors that are found late.
    document: Document,
}

/// A cable from one midplane to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cable {
    /// The number of its dimension.
    pub dimension: usize,
    /// The number of the midplane that it leaves.
    pub from: usize,
    /// The number of the midplane that it enters.
    pub to: usize,
}

/// The coordinates of a box: for each dimension its places, in ascending order.
type BoxSpans = Vec<Vec<u32>>;

impl Room {
    /// The names of the rooms that are compiled in.
    pub fn known() -> impl Iterator<Item = &'static str> {
        ROOMS.iter().map(|(name, _)| *name)
    }

    /// The text of the file of a room that is compiled in.
    pub fn text_of(name: &str) -> Option<&'static str> {
        ROOMS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// The room of this name that is compiled in, or of the file with this path, which ends in `.toml`.
    ///
    /// # Errors
    /// When there is no such room or file, or what is wrong in it, with its line and key.
    pub fn load(name_or_path: &str) -> Result<Self, InputError> {
        if Room::text_of(name_or_path).is_some() || !name_or_path.ends_with(".toml") {
            return Room::named(name_or_path);
        }
        let text = std::fs::read_to_string(name_or_path)
            .map_err(|error| InputError::at(name_or_path, format!("cannot be read: {error}")))?;
        Room::parse(&text, name_or_path)
    }

    /// A room that is compiled in.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn named(name: &str) -> Result<Self, InputError> {
        let text = Room::text_of(name).ok_or_else(|| {
            let known = nearest(name, Room::known());
            InputError::at(
                "room",
                format!("there is no room {name:?}; {known}; or the path of a file, ending in .toml"),
            )
        })?;
        Room::parse(text, &format!("machine-rooms/{name}.toml"))
    }

    /// The room of a TOML text, which messages call `origin`; the room is called as that file.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line and key.
    pub fn parse(text: &str, origin: &str) -> Result<Self, InputError> {
        let document = parse_toml(text, origin)?;
        file::check_sections(&document)?;
        let room: RoomFile = read(&document, "room")?;
        let midplane: MidplaneFile = read(&document, "midplane")?;
        let dimensions = read_dimensions(&document, &room)?;
        check_grid(&document, &room, &midplane, &dimensions)?;
        let names: Vec<String> = dimensions.iter().map(|dimension| dimension.name.clone()).collect();
        let boxes =
            file::read_tables(&document, "boxes", |_, path| file::read_boxes(&document, path, &names))?;
        let profiles =
            file::read_tables(&document, "profile", |_, path| file::read_profile(&document, path))?;
        let mut built = Room {
            name: std::path::Path::new(origin)
                .file_stem()
                .map_or(String::new(), |stem| stem.to_string_lossy().into_owned()),
            description: room.description,
            machine: room.machine,
            dimensions,
            switched: room.switched,
            midplane_shape: midplane.shape,
            numbers: numbers(&document, &midplane.names)?,
            midplanes: midplane.names,
            cables: vec![],
            first_cables: vec![],
            node_cards: document.get("node_cards").map(|_| read(&document, "node_cards")).transpose()?,
            boxes: boxes.into_iter().collect(),
            profiles: profiles.into_iter().collect(),
            document,
        };
        built.lay_cables();
        built.check_node_cards()?;
        built.check_boxes()?;
        built.check_profiles()?;
        Ok(built)
    }

    /// What the room is called: the name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a sentence.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The machine preset whose numbers hold for its nodes and links, if it names one.
    pub fn machine(&self) -> Option<&str> {
        self.machine.as_deref()
    }

    /// Its dimensions.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Whether switches join any midplanes to any others, so that partitions have no place of their own.
    pub fn is_switched(&self) -> bool {
        self.switched
    }

    /// Nodes along each dimension of a midplane.
    pub fn midplane_shape(&self) -> &[u32] {
        &self.midplane_shape
    }

    /// The names of the midplanes, by their number.
    pub fn midplanes(&self) -> &[String] {
        &self.midplanes
    }

    /// The number of the midplane with this name.
    pub fn midplane(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The number of the midplane with this name.
    ///
    /// # Errors
    /// When there is none, with the nearest name.
    pub fn find_midplane(&self, name: &str) -> Result<usize, InputError> {
        let problem = || format!("{} has no midplane {name:?}; {}", self.name, self.nearest_midplane(name));
        self.midplane(name).ok_or_else(|| InputError::at("midplane", problem()))
    }

    /// How many nodes a midplane has.
    pub fn nodes_of_midplane(&self) -> u32 {
        self.midplane_shape.iter().product()
    }

    /// How many nodes the room has.
    pub fn nodes(&self) -> u32 {
        self.nodes_of_midplane() * self.midplanes.len() as u32
    }

    /// Its cables, by their number; a switched room has none.
    pub fn cables(&self) -> &[Cable] {
        &self.cables
    }

    /// What a cable is called: `Z R00-M0 R00-M1`, dimension, from, to.
    pub fn cable_name(&self, number: usize) -> String {
        let Cable { dimension, from, to } = self.cables[number];
        format!("{} {} {}", self.dimensions[dimension].name, self.midplanes[from], self.midplanes[to])
    }

    /// Where a midplane sits, a place for each dimension, of which the last varies fastest. In a switched room it sits
    /// nowhere: there are no places.
    pub fn coordinates(&self, midplane: usize) -> Vec<u32> {
        if self.switched {
            return vec![];
        }
        let mut rest = midplane as u32;
        let mut coordinates: Vec<u32> = self
            .dimensions
            .iter()
            .rev()
            .map(|dimension| {
                let place = rest % dimension.length;
                rest /= dimension.length;
                place
            })
            .collect();
        coordinates.reverse();
        coordinates
    }

    /// The profiles of the room, with what each stands for.
    pub fn profiles(&self) -> impl Iterator<Item = (&str, &str)> {
        self.profiles.iter().map(|(name, profile)| (name.as_str(), profile.description.as_str()))
    }

    /// The partition of a box of midplanes, given by their names in any order. In a switched room, where any midplanes
    /// can make any box, as many midplanes along each dimension as `spans` says.
    ///
    /// # Errors
    /// When a name is not known or named twice, when they are not a box, or when the cables can not wire it so.
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
        let spans = self.box_around(&numbers)?;
        self.partition_of_box(&spans, wiring).map_err(|problem| InputError::at("partition", problem))
    }

    /// The partition of so many node cards of a midplane, which is below a midplane and always a mesh.
    ///
    /// # Errors
    /// When the midplane is not known, or when there is no such partition.
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
                "there is no partition of {nodes} nodes from node card {first_card} on: below a midplane there are {} \
                 nodes, from multiples of their size on",
                sizes.join(", ")
            );
            InputError::at("partition", problem)
        })
    }

    /// Whether two partitions of this room share a midplane, a node card or a cable, so that only one of them can run.
    /// In a switched room, where no midplanes are named, whether both together are larger than the room.
    pub fn conflicts(&self, one: &Partition, other: &Partition) -> bool {
        one.shares_with(other)
            || self.switched && one.midplane_count() + other.midplane_count() > self.midplanes.len()
    }

    /// The partitions of a profile.
    ///
    /// # Errors
    /// When there is no such profile, or a family of boxes in it can not be wired so.
    pub fn catalogue(&self, profile: &str) -> Result<Catalogue, InputError> {
        let rules = self.profiles.get(profile).ok_or_else(|| {
            let known = nearest(profile, self.profiles.keys().map(String::as_str));
            InputError::at(&self.name, format!("the room has no profile {profile:?}; {known}"))
        })?;
        let mut partitions = Vec::new();
        let mut known = BTreeSet::new();
        for (families, wiring) in [(&rules.torus, Wiring::Torus), (&rules.mesh, Wiring::Mesh)] {
            for family in families {
                self.add_family(family, wiring, &mut known, &mut partitions)?;
                self.check_count(profile, partitions.len())?;
            }
        }
        for &nodes in &rules.below_midplane {
            (0..self.midplanes.len())
                .for_each(|midplane| partitions.extend(self.small_partitions(midplane, nodes)));
            self.check_count(profile, partitions.len())?;
        }
        Ok(Catalogue::new(profile, partitions, self))
    }

    fn check_count(&self, profile: &str, count: usize) -> Result<(), InputError> {
        let problem = format!("makes more than {MAX_PARTITIONS} partitions: name fewer boxes");
        let key = format!("profile.{profile}");
        (count <= MAX_PARTITIONS).then_some(()).ok_or_else(|| self.document.error(&key, problem))
    }

    /// Adds the partitions of a family of boxes, but for those that take just what an earlier one does.
    fn add_family(
        &self,
        family: &str,
        wiring: Wiring,
        known: &mut BTreeSet<(String, Bits, Bits)>,
        partitions: &mut Vec<Partition>,
    ) -> Result<(), InputError> {
        for spans in self.boxes_of(&self.boxes[family]) {
            let made = match self.switched {
                true => Ok(self.sized_partition(&spans, wiring)),
                false => self.partition_of_box(&spans, wiring),
            };
            let partition =
                made.map_err(|problem| self.document.error(&format!("boxes.{family}"), problem))?;
            let takes = (partition.shape.to_string(), partition.midplanes.clone(), partition.cables.clone());
            if known.insert(takes) {
                partitions.push(partition);
            }
        }
        Ok(())
    }

    /// The boxes of a family: every choice of places along each dimension. In a switched room only those that fit, with
    /// lengths in ascending order: turning a box round makes no other partition of it.
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
            boxes = boxes.iter().flat_map(extend).filter(|spans| self.fits(spans)).collect();
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

    /// The partition of the box with these places, or why it can not be wired so.
    fn partition_of_box(&self, spans: &[Vec<u32>], wiring: Wiring) -> Result<Partition, String> {
        let taken: Vec<Taken> = self
            .dimensions
            .iter()
            .zip(spans)
            .map(|(dimension, span)| dimension.take(span, wiring))
            .collect::<Result<_, _>>()?;
        let owned = self.midplanes_at(spans);
        let midplanes = Bits::of(self.midplanes.len(), owned.iter().copied());
        let mut cables = Bits::new(self.cables.len());
        let mut passed_through = Vec::new();
        for (dimension, taken) in taken.iter().enumerate() {
            for line in self.lines_through(spans, dimension) {
                let first = self.first_cables[dimension]
                    + self.line_number(line, dimension) * self.cables_of_line(dimension);
                taken.cables.iter().for_each(|cable| cables.insert(first + cable));
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
            cables,
            passed_through,
            cards: None,
            spans: lengths,
        })
    }

    /// A partition of a switched room, as a size without a place.
    fn sized_partition(&self, spans: &[Vec<u32>], wiring: Wiring) -> Partition {
        let lengths: Vec<u32> = spans.iter().map(|span| span.len() as u32).collect();
        let shape = self.shape_of(&lengths, &vec![wiring == Wiring::Torus; lengths.len()]);
        let place: Vec<String> = shape.lengths().iter().map(u32::to_string).collect();
        Partition {
            name: named(&shape, &place.join("x")),
            wiring: wiring_of(&shape),
            shape,
            midplane_count: spans.iter().map(Vec::len).product(),
            midplanes: Bits::new(self.midplanes.len()),
            cables: Bits::new(0),
            passed_through: vec![],
            cards: None,
            spans: lengths,
        }
    }

    fn switched_partition(
        &self,
        numbers: &[usize],
        wiring: Wiring,
        spans: Option<&[u32]>,
    ) -> Result<Partition, InputError> {
        let count = numbers.len();
        let fits = |spans: &&[u32]| {
            spans.len() == self.dimensions.len()
                && spans.iter().map(|&span| u64::from(span)).product::<u64>() == count as u64
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
        let midplanes = Bits::of(self.midplanes.len(), numbers.iter().copied());
        Ok(Partition { midplanes, ..self.sized_partition(&spans, wiring) })
    }

    /// The sizes of partitions below a midplane, in nodes.
    fn small_sizes(&self) -> Vec<u32> {
        let shapes = self.node_cards.iter().flat_map(|cards| &cards.shapes);
        shapes.map(|shape| shape.iter().product()).collect()
    }

    fn small_partitions(&self, midplane: usize, nodes: u32) -> Vec<Partition> {
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
            midplanes: Bits::of(self.midplanes.len(), [midplane]),
            cables: Bits::new(self.cables.len()),
            passed_through: vec![],
            cards: Some(CardRange { first, count }),
            spans: vec![1; self.dimensions.len()],
        };
        (0..cards.per_midplane).step_by(count as usize).map(at).collect()
    }

    fn shape_of(&self, spans: &[u32], wraps: &[bool]) -> Shape {
        let lengths: Vec<u32> =
            spans.iter().zip(&self.midplane_shape).map(|(span, nodes)| span * nodes).collect();
        Shape::new(&lengths, wraps).expect("a part of a room whose size is checked")
    }
}

/// Grid, lines and cables.
impl Room {
    fn lay_cables(&mut self) {
        for dimension in 0..self.dimensions.len() {
            self.first_cables.push(self.cables.len());
            if self.switched {
                continue;
            }
            let steps = self.dimensions[dimension].cables();
            for line in 0..self.midplanes.len() {
                if self.coordinates(line)[dimension] == 0 {
                    let at = |place| self.moved(line, dimension, place);
                    let laid: Vec<Cable> = steps
                        .iter()
                        .map(|&(from, to)| Cable { dimension, from: at(from), to: at(to) })
                        .collect();
                    self.cables.extend(laid);
                }
            }
        }
    }

    /// How far apart in number two midplanes are that are neighbours along a dimension.
    fn stride(&self, dimension: usize) -> usize {
        self.dimensions[dimension + 1..].iter().map(|dimension| dimension.length as usize).product()
    }

    /// The midplane at another place of the same line.
    fn moved(&self, midplane: usize, dimension: usize, place: u32) -> usize {
        let stride = self.stride(dimension);
        let own = midplane / stride % self.dimensions[dimension].length as usize;
        midplane - own * stride + place as usize * stride
    }

    /// The number of the line of a dimension that passes a midplane: how many begin before it.
    fn line_number(&self, midplane: usize, dimension: usize) -> usize {
        let stride = self.stride(dimension);
        let length = self.dimensions[dimension].length as usize;
        midplane / (stride * length) * stride + midplane % stride
    }

    fn cables_of_line(&self, dimension: usize) -> usize {
        self.dimensions[dimension].cables().len()
    }

    /// A midplane on each line of a dimension that a box touches.
    fn lines_through(&self, spans: &[Vec<u32>], dimension: usize) -> Vec<usize> {
        let mut across = spans.to_vec();
        across[dimension] = vec![0];
        self.midplanes_at(&across)
    }

    fn midplanes_at(&self, spans: &[Vec<u32>]) -> Vec<usize> {
        let mut numbers = vec![0];
        for (dimension, span) in self.dimensions.iter().zip(spans) {
            let extend = |number: &usize| {
                let start = number * dimension.length as usize;
                span.iter().map(move |&place| start + place as usize)
            };
            numbers = numbers.iter().flat_map(extend).collect();
        }
        numbers
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

    /// A hint for a mistyped name; all names of a room would be too many.
    fn nearest_midplane(&self, name: &str) -> String {
        let hint = nearest(name, self.midplanes.iter().map(String::as_str));
        let hint = hint.split("Known: ").next().unwrap_or_default().trim();
        let range = format!(
            "its midplanes are {} to {}",
            self.midplanes[0],
            self.midplanes[self.midplanes.len() - 1]
        );
        [hint, &range].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The places of the box that has just these midplanes.
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
}

/// What is checked at the door.
impl Room {
    fn check_node_cards(&self) -> Result<(), InputError> {
        let Some(cards) = &self.node_cards else { return Ok(()) };
        if self.nodes_of_midplane() % cards.per_midplane != 0 {
            let problem = format!("must divide the {} nodes of a midplane", self.nodes_of_midplane());
            return Err(self.document.error("node_cards.per_midplane", problem));
        }
        let card = self.nodes_of_midplane() / cards.per_midplane;
        for (index, shape) in cards.shapes.iter().enumerate() {
            let nodes = Shape::torus(shape).map_or(0, |shape| shape.nodes());
            let fits = shape.len() == self.dimensions.len()
                && shape.iter().zip(&self.midplane_shape).all(|(part, whole)| part <= whole)
                && nodes < self.nodes_of_midplane()
                && nodes % card == 0
                && cards.per_midplane % (nodes / card).max(1) == 0
                && nodes > 0;
            if !fits {
                let problem = format!(
                    "must be part of a midplane of {:?}, and of a whole number of node cards ({card} nodes each) that \
                     divides {}",
                    self.midplane_shape, cards.per_midplane
                );
                return Err(self.document.error(&format!("node_cards.shapes[{index}]"), problem));
            }
        }
        Ok(())
    }

    fn check_boxes(&self) -> Result<(), InputError> {
        for (family, spans) in &self.boxes {
            for (dimension, spans) in self.dimensions.iter().zip(spans) {
                let path = format!("boxes.{family}.{}", dimension.name);
                check_spans(dimension, spans, self.switched)
                    .map_err(|(index, problem)| self.document.error(&format!("{path}{index}"), problem))?;
            }
        }
        Ok(())
    }

    fn check_profiles(&self) -> Result<(), InputError> {
        for (name, profile) in &self.profiles {
            for (key, families) in [("torus", &profile.torus), ("mesh", &profile.mesh)] {
                if let Some((index, family)) =
                    families.iter().enumerate().find(|(_, f)| !self.boxes.contains_key(*f))
                {
                    let known = nearest(family, self.boxes.keys().map(String::as_str));
                    let path = format!("profile.{name}.{key}[{index}]");
                    return Err(self
                        .document
                        .error(&path, format!("there is no table [boxes.{family}]; {known}")));
                }
            }
            let sizes = self.small_sizes();
            if let Some(index) = profile.below_midplane.iter().position(|size| !sizes.contains(size)) {
                let problem = format!("must be the nodes of one of node_cards.shapes: {sizes:?}");
                return Err(self.document.error(&format!("profile.{name}.below_midplane[{index}]"), problem));
            }
        }
        Ok(())
    }
}

fn read_dimensions(document: &Document, room: &RoomFile) -> Result<Vec<Dimension>, InputError> {
    let count = room.dimensions.len();
    if count == 0 || count > MAX_DIMENSIONS {
        return Err(document.error("room.dimensions", format!("must be 1 to {MAX_DIMENSIONS} names")));
    }
    let read_one = |name: &str, path: &str| match room.dimensions.iter().any(|known| known == name) {
        true => read_dimension(document, name, path, room.switched),
        false => {
            let known = nearest(name, room.dimensions.iter().map(String::as_str));
            Err(document.error(path, format!("room.dimensions has no such name; {known}")))
        }
    };
    let tables = file::read_tables(document, "dimension", read_one)?;
    let of_name = |(index, name): (usize, &String)| {
        let found = tables.iter().find(|(known, _)| known == name).map(|(_, dimension)| dimension.clone());
        let is_first = !room.dimensions[..index].contains(name);
        found.filter(|_| is_first).ok_or_else(|| {
            let problem = format!("{name} needs a table [dimension.{name}], and each name stands once");
            document.error(&format!("room.dimensions[{index}]"), problem)
        })
    };
    room.dimensions.iter().enumerate().map(of_name).collect()
}

fn read_dimension(
    document: &Document,
    name: &str,
    path: &str,
    switched: bool,
) -> Result<Dimension, InputError> {
    let DimensionFile { length, loops, opens } = read(document, path)?;
    if length == 0 {
        return Err(document.error(&format!("{path}.length"), "must be at least 1"));
    }
    if switched && !loops.is_empty() {
        return Err(document.error(&format!("{path}.loops"), "a switched room has no loops of cables"));
    }
    for (index, places) in loops.iter().enumerate() {
        check_loop(name, length, places)
            .map_err(|problem| document.error(&format!("{path}.loops[{index}]"), problem))?;
    }
    Ok(Dimension { name: name.to_owned(), length, loops, opens })
}

fn check_loop(name: &str, length: u32, places: &[u32]) -> Result<(), String> {
    if let Some(place) = places.iter().find(|place| **place >= length) {
        return Err(format!("a cable to nowhere: {name} has the places 0 to {}, not {place}", length - 1));
    }
    let twice = places.iter().enumerate().find(|(index, place)| places[..*index].contains(place));
    match (twice, places.len()) {
        (Some((_, place)), _) => {
            Err(format!("a loop passes each place once, but this one has {place} twice"))
        }
        (None, 0 | 1) => Err("a loop of cables has at least two places".to_owned()),
        _ => Ok(()),
    }
}

fn check_spans(dimension: &Dimension, spans: &Spans, switched: bool) -> Result<(), (String, String)> {
    let at = |index: usize, problem: String| Err((format!("[{index}]"), problem));
    match spans {
        Spans::Word(_) => Ok(()),
        Spans::Lengths(lengths) => {
            match lengths.iter().position(|length| *length == 0 || *length > dimension.length) {
                Some(index) => at(index, format!("must be a length from 1 to {}", dimension.length)),
                None => Ok(()),
            }
        }
        Spans::Sets(_) if switched => {
            Err((String::new(), "in a switched room boxes have lengths, not places".to_owned()))
        }
        Spans::Sets(sets) => {
            let wrong = |set: &Vec<u32>| {
                let places: BTreeSet<&u32> = set.iter().collect();
                set.is_empty()
                    || places.len() < set.len()
                    || set.iter().any(|place| *place >= dimension.length)
            };
            match sets.iter().position(wrong) {
                Some(index) => {
                    at(index, format!("must be different places from 0 to {}", dimension.length - 1))
                }
                None => Ok(()),
            }
        }
    }
}

/// Checks that names and lengths make a grid.
fn check_grid(
    document: &Document,
    room: &RoomFile,
    midplane: &MidplaneFile,
    dimensions: &[Dimension],
) -> Result<(), InputError> {
    if midplane.shape.len() != dimensions.len() {
        let problem = format!("must be {} lengths, one for each of room.dimensions", dimensions.len());
        return Err(document.error("midplane.shape", problem));
    }
    let nodes =
        Shape::torus(&midplane.shape).map_err(|error| document.error("midplane.shape", error.to_string()))?;
    let names = midplane.names.len() as u64;
    let places = dimensions.iter().try_fold(1u64, |product, d| product.checked_mul(d.length.into()));
    let is_grid = room.switched && names > 0 || places == Some(names);
    if !is_grid || names > MAX_MIDPLANES {
        let lengths: Vec<String> = dimensions.iter().map(|dimension| dimension.length.to_string()).collect();
        let wanted = if room.switched { "1".to_owned() } else { lengths.join(" x ") };
        let problem = format!("there are {names} names, and must be {wanted}, at most {MAX_MIDPLANES}");
        return Err(InputError::at(document.place("midplane.names"), problem).key("midplane.names"));
    }
    if u64::from(nodes.nodes()) * names > geometry::MAX_NODES {
        return Err(
            document.error("midplane.shape", format!("the room has more than {} nodes", geometry::MAX_NODES))
        );
    }
    Ok(())
}

fn numbers(document: &Document, names: &[String]) -> Result<BTreeMap<String, usize>, InputError> {
    let mut numbers = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        let path = format!("midplane.names[{index}]");
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(document.error(&path, "must be a name without spaces"));
        }
        if numbers.insert(name.clone(), index).is_some() {
            return Err(document.error(&path, "is named twice"));
        }
    }
    Ok(numbers)
}

impl NodeCardsFile {
    fn card_name(&self, number: u32) -> String {
        self.name.replace("{}", &format!("{number:02}"))
    }
}

impl Dimension {
    /// `Y01`: the dimension and its places, with points between them where they have several digits.
    fn place_name(&self, span: &[u32]) -> String {
        let places: Vec<String> = span.iter().map(u32::to_string).collect();
        format!("{}{}", self.name, places.join(if self.length > 10 { "." } else { "" }))
    }
}

fn wiring_of(shape: &Shape) -> Wiring {
    let is_open = |dimension: usize| shape.length(dimension) > 1 && !shape.wraps(dimension);
    if (0..shape.dimensions()).any(is_open) { Wiring::Mesh } else { Wiring::Torus }
}

fn named(shape: &Shape, place: &str) -> String {
    format!("{}-{}-{place}", wiring_of(shape), shape.nodes())
}
