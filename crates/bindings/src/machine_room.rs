//! Machine rooms, their partitions and catalogues.

use crate::input_error;
use machine_room::{Room, Wiring};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// (midplane, dimension, "wrap", "join" or "pass through")
type LinkChip = (String, String, String);

/// A machine room, as its file describes it.
#[pyclass(frozen, module = "torusim._core")]
pub struct MachineRoom(Arc<Room>);

/// A partition of a room.
#[pyclass(frozen, module = "torusim._core")]
pub struct Partition {
    room: Arc<Room>,
    partition: machine_room::Partition,
}

/// The partitions of a profile, and which of them conflict.
#[pyclass(frozen, module = "torusim._core")]
pub struct Catalogue {
    room: Arc<Room>,
    catalogue: machine_room::Catalogue,
}

/// The names of the built-in rooms.
#[pyfunction]
pub fn known_rooms() -> Vec<&'static str> {
    Room::known().collect()
}

#[pymethods]
impl MachineRoom {
    /// A built-in room.
    #[staticmethod]
    fn named(name: &str) -> PyResult<Self> {
        Room::named(name).map(|room| Self(Arc::new(room))).map_err(input_error)
    }

    /// Parses a room from TOML text. `origin` names the text in error messages.
    #[staticmethod]
    fn parse(text: &str, origin: &str) -> PyResult<Self> {
        Room::parse(text, origin).map(|room| Self(Arc::new(room))).map_err(input_error)
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn description(&self) -> &str {
        self.0.description()
    }

    #[getter]
    fn machine(&self) -> Option<&str> {
        self.0.machine()
    }

    #[getter]
    fn nodes(&self) -> u32 {
        self.0.nodes()
    }

    #[getter]
    fn is_switched(&self) -> bool {
        self.0.is_switched()
    }

    #[getter]
    fn midplanes(&self) -> Vec<String> {
        self.0.midplanes().to_vec()
    }

    #[getter]
    fn midplane_shape(&self) -> Vec<u32> {
        self.0.midplane_shape().to_vec()
    }

    /// (name, length, loops) of each dimension.
    #[getter]
    fn dimensions(&self) -> Vec<(String, u32, Vec<Vec<u32>>)> {
        let dimensions = self.0.dimensions().iter();
        dimensions.map(|d| (d.name.clone(), d.length, d.loops.clone())).collect()
    }

    #[getter]
    fn cables(&self) -> Vec<String> {
        (0..self.0.cables().len()).map(|cable| self.0.cable_name(cable)).collect()
    }

    /// (name, description) of each profile.
    #[getter]
    fn profiles(&self) -> Vec<(String, String)> {
        self.0.profiles().map(|(name, meaning)| (name.to_owned(), meaning.to_owned())).collect()
    }

    #[getter]
    fn default_profile(&self) -> Option<&str> {
        self.0.default_profile()
    }

    /// The coordinates of a midplane.
    fn coordinates(&self, midplane: &str) -> PyResult<Vec<u32>> {
        let number = self.0.find_midplane(midplane).map_err(input_error)?;
        Ok(self.0.coordinates(number))
    }

    fn partition(
        &self,
        midplanes: Vec<String>,
        wiring: &str,
        spans: Option<Vec<u32>>,
    ) -> PyResult<Partition> {
        let names: Vec<&str> = midplanes.iter().map(String::as_str).collect();
        let partition = self.0.partition(&names, self::wiring(wiring)?, spans.as_deref());
        partition.map(|partition| self.wrap(partition)).map_err(input_error)
    }

    fn small_partition(&self, midplane: &str, nodes: u32, first_card: u32) -> PyResult<Partition> {
        let partition = self.0.small_partition(midplane, nodes, first_card);
        partition.map(|partition| self.wrap(partition)).map_err(input_error)
    }

    fn conflicts(&self, one: &Partition, other: &Partition) -> PyResult<bool> {
        if [one, other].iter().any(|partition| !Arc::ptr_eq(&partition.room, &self.0)) {
            return Err(input_error(format!(
                "conflicts: both partitions must be of this room, {}",
                self.0.name()
            )));
        }
        Ok(self.0.conflicts(&one.partition, &other.partition))
    }

    fn catalogue(&self, py: Python<'_>, profile: &str) -> PyResult<Catalogue> {
        let catalogue = py.detach(|| self.0.catalogue(profile)).map_err(input_error)?;
        Ok(Catalogue { room: self.0.clone(), catalogue })
    }
}

impl MachineRoom {
    fn wrap(&self, partition: machine_room::Partition) -> Partition {
        Partition { room: self.0.clone(), partition }
    }
}

#[pymethods]
impl Partition {
    #[getter]
    fn name(&self) -> &str {
        self.partition.name()
    }

    #[getter]
    fn wiring(&self) -> String {
        self.partition.wiring().to_string()
    }

    #[getter]
    fn nodes(&self) -> u32 {
        self.partition.nodes()
    }

    #[getter]
    fn shape(&self) -> Vec<u32> {
        self.partition.shape().lengths().to_vec()
    }

    #[getter]
    fn wrap(&self) -> Vec<bool> {
        let shape = self.partition.shape();
        (0..shape.dimensions()).map(|dimension| shape.wraps(dimension)).collect()
    }

    #[getter]
    fn midplane_count(&self) -> usize {
        self.partition.midplane_count()
    }

    #[getter]
    fn midplanes(&self) -> Vec<String> {
        self.partition.midplanes().ones().map(|midplane| self.room.midplanes()[midplane].clone()).collect()
    }

    #[getter]
    fn cables(&self) -> Vec<String> {
        self.partition.cables().ones().map(|cable| self.room.cable_name(cable)).collect()
    }

    /// (first, count) of the node cards of a partition below a midplane.
    #[getter]
    fn node_cards(&self) -> Option<(u32, u32)> {
        self.partition.cards().map(|cards| (cards.first, cards.count))
    }

    #[getter]
    fn machine(&self) -> Option<&str> {
        self.room.machine()
    }

    /// The setting of every link chip that the partition uses.
    fn link_chips(&self) -> Vec<LinkChip> {
        let dimensions = self.room.dimensions();
        let chips = self.room.midplanes().iter().enumerate().flat_map(|(midplane, name)| {
            dimensions.iter().enumerate().filter_map(move |(index, dimension)| {
                let chip = self.partition.link_chip(midplane, index)?;
                Some((name.clone(), dimension.name.clone(), chip.to_string()))
            })
        });
        chips.collect()
    }
}

#[pymethods]
impl Catalogue {
    #[getter]
    fn profile(&self) -> &str {
        self.catalogue.profile()
    }

    fn __len__(&self) -> usize {
        self.catalogue.partitions().len()
    }

    /// The partition with this index, from 0.
    fn partition(&self, index: usize) -> PyResult<Partition> {
        let found = self.catalogue.partitions().get(index).cloned();
        let found = found.ok_or_else(|| input_error(format!("catalogue: there is no partition {index}")))?;
        Ok(Partition { room: self.room.clone(), partition: found })
    }

    /// The index of the partition with this name.
    fn find(&self, name: &str) -> Option<usize> {
        self.catalogue.find(name)
    }

    /// The indices of the partitions that conflict with the one at `index`, itself included.
    fn conflicts<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyArray1<u32>>> {
        if index >= self.catalogue.partitions().len() {
            return Err(input_error(format!("catalogue: there is no partition {index}")));
        }
        let count = self.catalogue.partitions().len();
        let others = (0..count).filter(|&other| self.catalogue.conflict(index, other));
        Ok(PyArray1::from_vec(py, others.map(|other| other as u32).collect()))
    }

    /// Whether each pair of partitions conflicts, as a square matrix.
    fn conflict_matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let count = self.catalogue.partitions().len();
        let pairs = (0..count).flat_map(|one| (0..count).map(move |other| (one, other)));
        let flat: Vec<bool> = pairs.map(|(one, other)| self.catalogue.conflict(one, other)).collect();
        PyArray1::from_vec(py, flat).reshape([count, count])
    }
}

fn wiring(name: &str) -> PyResult<Wiring> {
    match name {
        "torus" => Ok(Wiring::Torus),
        "twisted-torus" => Ok(Wiring::TwistedTorus),
        "mesh" => Ok(Wiring::Mesh),
        _ => Err(input_error(format!(
            "wiring: {name:?} is not known; it can be \"torus\", \"twisted-torus\" or \"mesh\""
        ))),
    }
}
