//! The tables `[[jobs]]`: several jobs on one machine, each with its own nodes, workload and mapping.

use super::mapping::MappingSettings;
use super::own_traffic::{self, Limits};
use super::workload;
use ::workloads::patterns::Jobs;
use ::workloads::{Job, JobNodes, Workload, WorkloadError};
use base::time::LATEST_CYCLE;
use input::{Document, InputError, read_with, schema};
use network::Parameters;
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The section.
pub(super) const SECTION: &str = "jobs";

/// More jobs than a result could show.
const MAX_JOBS: usize = 1000;

/// A box of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoxSettings {
    /// Lowest coordinates of the box, one for each dimension. Default: 0 in each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origin: Vec<u32>,
    /// Length of the box in nodes along each dimension. Required.
    pub shape: Vec<u32>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobSettings {
    /// Name in results. Default: "job-1" and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The job's nodes as a box, which it sees as its own machine: { origin = [0, 0, 0], shape = [4, 4, 8] }. It
    /// wraps where it fills a dimension that does. Default: the nodes are listed.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub nodes_in_box: Option<BoxSettings>,
    /// The job's nodes as a list of their numbers, which it sees as a machine of one dimension. Default: they are a
    /// box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<u32>>,
    /// The cycle at which the job starts. Default 0.
    #[serde(default)]
    pub start_cycles: u64,
    /// The workload of the job, as in the section workload. Required.
    #[schemars(with = "Value")]
    pub workload: Value,
    /// The places of the job's ranks on its nodes, as in the section mapping. Default: in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    pub mapping: Option<Value>,
}

/// Lets only nodes of a job relay its packets past dead nodes and links. Software of another job does not know the
/// packets.
pub(super) fn restrict_relays(workload: &Workload, parameters: &mut Parameters) {
    let Workload::Jobs(jobs) = workload else { return };
    // Jobs that have nodes in common are refused with the plan.
    let places = jobs.places(parameters.shape.nodes()).ok().filter(|_| !parameters.faults.is_empty());
    if let Some(places) = places {
        let faults = std::mem::take(&mut parameters.faults);
        parameters.faults = faults.within_groups(places.groups().to_vec());
    }
}

/// The name of a job of a workload, if it has several.
pub(crate) fn name(workload: &Workload, job: usize) -> Option<&str> {
    let Workload::Jobs(jobs) = workload else { return None };
    jobs.jobs.get(job).map(|job| job.name.as_str())
}

/// The name of the job to which a node belongs, if one of several does.
pub(crate) fn name_at(workload: &Workload, node: u32) -> Option<&str> {
    let Workload::Jobs(jobs) = workload else { return None };
    let job = jobs.jobs.iter().find(|job| job.nodes().nodes().contains(&node));
    job.map(|job| job.name.as_str())
}

/// The path of a job.
pub(super) fn path_of(number: usize) -> String {
    format!("{SECTION}[{number}]")
}

/// The number of jobs of a document; none if it has one workload.
pub(super) fn count(document: &Document) -> usize {
    document.get(SECTION).and_then(Value::as_array).map_or(0, Vec::len)
}

/// Reads the jobs of a document, which are also its workload, and their resolved settings.
///
/// # Errors
/// The first key that is wrong, with its place.
pub(super) fn read(
    document: &Document,
    parameters: &Parameters,
    cycles_per_ns: f64,
) -> Result<(Jobs, Vec<JobSettings>), InputError> {
    let jobs = count(document);
    if !document.get(SECTION).is_some_and(Value::is_array) || jobs == 0 {
        return Err(document.error(SECTION, "must be a list of tables, each as in [[jobs]]"));
    }
    if jobs > MAX_JOBS {
        let problem = format!("{jobs} jobs: at most {MAX_JOBS}");
        return Err(InputError::at(document.place(SECTION), problem).key(SECTION));
    }
    let is_of_result = document.get("workload.kind").and_then(Value::as_str) == Some("jobs");
    if document.get("workload").is_some() && !is_of_result {
        let problem = "each job has its own workload, as in [jobs.workload]: this one would never run";
        return Err(InputError::at(document.place("workload"), problem).key("workload"));
    }
    let read = (0..jobs).map(|number| read_job(document, number, parameters, cycles_per_ns));
    let (jobs, settings): (Vec<Job>, Vec<JobSettings>) =
        read.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let twice =
        (1..jobs.len()).find(|&second| jobs[..second].iter().any(|job| job.name == jobs[second].name));
    match twice {
        Some(second) => {
            let key = format!("{}.name", path_of(second));
            Err(document.error(&key, format!("two jobs are called {:?}", jobs[second].name)))
        }
        None => Ok((Jobs { jobs }, settings)),
    }
}

fn read_job(
    document: &Document,
    number: usize,
    parameters: &Parameters,
    cycles_per_ns: f64,
) -> Result<(Job, JobSettings), InputError> {
    let path = path_of(number);
    let table = document.get(&path).expect("the job is counted");
    let form = schema::inline(schema_for!(JobSettings));
    let mut settings: JobSettings =
        read_with(document, &path, table, &form, |deserializer| JobSettings::deserialize(deserializer))?;
    if settings.start_cycles >= LATEST_CYCLE {
        return Err(
            document.error(&format!("{path}.start_cycles"), "must be below 2^46, where every run ends")
        );
    }
    let name = settings.name.get_or_insert_with(|| format!("job-{}", number + 1)).clone();
    let nodes = Arc::new(nodes_of(document, &path, &settings, parameters)?);
    check_alive(&nodes, &name, parameters).map_err(|problem| {
        let key = if settings.nodes.is_some() { "nodes" } else { "box" };
        document.error(&format!("{path}.{key}"), problem)
    })?;
    let workload_path = format!("{path}.workload");
    let mut job = Job {
        name,
        start_cycles: settings.start_cycles,
        workload: workload::read(document, &workload_path)?,
        placement: ::workloads::Placement { nodes: Some(nodes.clone()), ..Default::default() },
    };
    if !job.workload.can_be_stated() {
        return Err(document.error(&format!("{workload_path}.kind"), "cannot be that of a job"));
    }
    let own = job.parameters(parameters);
    let limits = Limits {
        nodes: own.shape.nodes(),
        max_ranks: own.live_nodes().saturating_mul(own.node.cores.into()),
        cycles_per_ns,
    };
    own_traffic::load(&mut job.workload, (document, &workload_path), limits)?;
    let mapping_path = format!("{path}.mapping");
    let (mapping, placement) = MappingSettings::read((document, &mapping_path), &job.workload, &own)?;
    job.placement = ::workloads::Placement { nodes: Some(nodes), ..placement };
    settings.workload = serde_json::to_value(&job.workload).expect("workloads are plain data");
    settings.mapping = mapping.map(|mapping| serde_json::to_value(mapping).expect("mappings are plain data"));
    Ok((job, settings))
}

/// Checks that no dead node or link separates the nodes of a job.
///
/// # Errors
/// The reason why they cannot run it.
fn check_alive(nodes: &JobNodes, name: &str, parameters: &Parameters) -> Result<(), String> {
    let Parameters { shape, faults, .. } = parameters;
    let at = |node: u32| format!("{node} ({:?})", &shape.coordinates(node)[..shape.dimensions()]);
    if let Some(&dead) = nodes.nodes().iter().find(|&&node| faults.is_dead(node)) {
        return Err(format!(
            "node {} of the job {name:?} is dead: all nodes of a job have to be alive",
            at(dead)
        ));
    }
    let mut ascending = nodes.nodes().to_vec();
    ascending.sort_unstable();
    match faults.unconnected_pair(shape, &ascending) {
        None => Ok(()),
        Some((source, target)) => Err(format!(
            "packets of the job {name:?} from node {} to node {} need a relay past what is dead, and only nodes of the \
             job forward them, none of which can",
            at(source),
            at(target)
        )),
    }
}

fn nodes_of(
    document: &Document,
    path: &str,
    settings: &JobSettings,
    parameters: &Parameters,
) -> Result<JobNodes, InputError> {
    let at = |within: &str| {
        let within = within.to_owned();
        move |error: WorkloadError| {
            let key = if within.is_empty() { error.key } else { format!("{within}.{}", error.key) };
            document.error(&format!("{path}.{key}"), error.message)
        }
    };
    match (&settings.nodes_in_box, &settings.nodes) {
        (Some(BoxSettings { origin, shape }), None) => {
            JobNodes::of_box(&parameters.shape, origin, shape).map_err(at("box"))
        }
        (None, Some(nodes)) => JobNodes::of_list(&parameters.shape, nodes).map_err(at("")),
        (Some(_), Some(_)) => {
            let problem = "box says already which nodes the job has: only one of both can be given";
            Err(document.error(&format!("{path}.nodes"), problem))
        }
        (None, None) => {
            let problem = "is missing: the job's nodes, as a box = { origin = [..], shape = [..] } or a list nodes = [..]";
            Err(document.error(&format!("{path}.box"), problem))
        }
    }
}
