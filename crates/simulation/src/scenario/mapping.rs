//! The section `[mapping]`: the number of ranks, and their places.

use ::messaging::{ListError, Listed, Mapping, Order};
use input::{Document, InputError, Override, read};
use network::Parameters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workloads::{Placement, Workload};

/// The keys of which a scenario has at most one, as each gives the places of ranks.
const WAYS: [&str; 3] = ["order", "file", "places"];

/// The places of ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MappingSettings {
    /// Order in which ranks are placed: the machine's letters and T for the cores, the fastest first, such as "XYZT" (one on
    /// each node, x first, then on the second cores) or "TXYZ" (all cores of a node first); "fold" (neighbors in the grid
    /// of ranks are neighbors on the machine) or "random". Default: the machine's dimensions in their order, then T.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// File with a text line for each rank, in their order: the coordinates of its node and its core, such as "0 3
    /// 1 0".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Places as a list, as results have them: for each rank the coordinates of its node and its core, such as [[0,
    /// 3, 1, 0]].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<Vec<u32>>>,
    /// Number of ranks. Default: that of the trace, or of the kernel's grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub ranks: Option<u32>,
}

impl MappingSettings {
    /// Reads the section at a path for a workload, with its defaults and the content of its file. None if no
    /// mapping places ranks.
    ///
    /// # Errors
    /// The first unknown key or value that does not fit, with its place; the text line of a file; a section that
    /// has no effect.
    pub(super) fn read(
        (document, path): (&Document, &str),
        workload: &Workload,
        parameters: &Parameters,
    ) -> Result<(Option<Self>, Placement), InputError> {
        let given = document.get(path).is_some();
        if !workload.senders().is_mapped {
            return if given {
                Err(no_effect(document, path, workload))
            } else {
                Ok((None, Placement::default()))
            };
        }
        let mut settings: MappingSettings =
            if given { read(document, path)? } else { MappingSettings::default() };
        check_ways(document, path)?;
        settings.check_ranks((document, path), parameters)?;
        let mapping = settings.mapping((document, path), parameters)?;
        match &mapping {
            Mapping::Order(order) => settings.order = Some(order.name()),
            Mapping::Listed(listed) => {
                (settings.file, settings.places) = (None, Some(listed.numbers(&parameters.shape)));
            }
            Mapping::Fold | Mapping::Random => {}
        }
        let placement = Placement { mapping: Some(mapping), ranks: settings.ranks, nodes: None };
        Ok((Some(settings), placement))
    }

    fn check_ranks(
        &self,
        (document, path): (&Document, &str),
        parameters: &Parameters,
    ) -> Result<(), InputError> {
        let Parameters { shape, node, .. } = parameters;
        let max = u64::from(parameters.live_nodes()) * u64::from(node.cores);
        if self.ranks.is_none_or(|ranks| (1..=max).contains(&ranks.into())) {
            return Ok(());
        }
        let problem = format!("a machine {shape} has from 1 to {max} ranks, one for each core");
        Err(document.error(&format!("{path}.ranks"), problem))
    }

    fn mapping(
        &self,
        (document, path): (&Document, &str),
        parameters: &Parameters,
    ) -> Result<Mapping, InputError> {
        if let Some(file) = &self.file {
            return read_file((document, path), file, parameters).map(Mapping::Listed);
        }
        if let Some(places) = &self.places {
            let at_item =
                |error: ListError| document.error(&format!("{path}.places[{}]", error.item), error.problem);
            return Listed::of_numbers(places, parameters).map(Mapping::Listed).map_err(at_item);
        }
        let dimensions = parameters.shape.dimensions();
        match self.order.as_deref() {
            None => Ok(Mapping::Order(Order::cores_last(dimensions))),
            Some(name) => Mapping::named(name, dimensions).ok_or_else(|| {
                let example = Order::cores_last(dimensions).name();
                let problem = format!(
                    "must be the letters of the machine's dimensions and T for the cores, each once, such as {example:?}; \
                     \"fold\"; or \"random\""
                );
                document.error(&format!("{path}.order"), problem)
            }),
        }
    }
}

/// The key of a document that gives the places of ranks.
pub(super) fn key(document: &Document) -> String {
    let given = WAYS.iter().map(|way| format!("mapping.{way}")).find(|key| document.get(key).is_some());
    given.unwrap_or_else(|| "mapping".into())
}

/// Removes the keys that overrides replace: an order replaces a file, and vice versa.
pub(super) fn forget_replaced(document: &mut Document, overrides: &[Override]) {
    let is_changed_by = |change: &Override, way: &str| match change.path.as_str() {
        "mapping" => change.value.get(way).is_some(),
        path => path.strip_prefix("mapping.") == Some(way),
    };
    let is_changed = |way: &str| overrides.iter().any(|change| is_changed_by(change, way));
    if WAYS.into_iter().any(is_changed) {
        let replaced = WAYS.into_iter().filter(|way| !is_changed(way));
        replaced.for_each(|way| document.remove("mapping", way));
    }
}

fn check_ways(document: &Document, path: &str) -> Result<(), InputError> {
    let is_given = |way: &&str| document.get(&format!("{path}.{way}")).is_some();
    let mut given = WAYS.into_iter().filter(is_given);
    match (given.next(), given.next()) {
        (Some(first), Some(second)) => {
            let problem =
                format!("{path}.{first} says already where ranks run: only one of both can be given");
            Err(InputError::at(document.place(&format!("{path}.{second}")), problem)
                .key(format!("{path}.{second}")))
        }
        _ => Ok(()),
    }
}

fn no_effect(document: &Document, path: &str, workload: &Workload) -> InputError {
    let name = if let Workload::Kernel(kernel) = workload {
        format!("the kernel {}", kernel.name())
    } else {
        format!("the workload {}", workload.kind())
    };
    let reason = match workload.senders().has_ranks {
        _ if matches!(workload, Workload::Jobs(_)) => "has a mapping in each job",
        true => "places its ranks itself",
        false => "has no ranks: its nodes send to nodes",
    };
    let problem = format!(
        "{name} {reason}, so that a mapping has no effect; those of kernels with a grid, traces and programs do"
    );
    InputError::at(document.place(path), problem).key(path)
}

fn read_file(
    (document, path): (&Document, &str),
    file: &str,
    parameters: &Parameters,
) -> Result<Listed, InputError> {
    let unreadable = |problem: String| {
        let problem = format!("{file}: {problem}");
        let key = format!("{path}.file");
        InputError::at(document.place(&key), problem).key(key)
    };
    // A pipe may block forever, and a device may never end.
    let is_special = std::fs::metadata(file).is_ok_and(|data| !data.is_file() && !data.is_dir());
    if is_special {
        return Err(unreadable("is a pipe or a device, not a file".into()));
    }
    let bytes = std::fs::read(file).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    Listed::parse(&String::from_utf8_lossy(&bytes), parameters)
        .map_err(|error| InputError::at(format!("{file}:{}", error.item + 1), error.problem))
}
