//! Several jobs on one machine, each with its own nodes, traffic and mapping.

use crate::context::{Context, Placement};
use crate::error::{WorkloadError, require};
use crate::job_nodes::JobNodes;
use crate::kind::{CallOrigin, Kind, Senders};
use crate::plan::{JobPlan, Plan, PlannedTraffic};
use crate::traffic::jobs::JobPlaces;
use crate::workload::Workload;
use network::Parameters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A job.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The name of the job.
    pub name: String,
    /// The cycle at which the job starts.
    pub start_cycles: u64,
    /// The workload of the job.
    pub workload: Workload,
    /// The nodes of the job, and the places of its ranks on them.
    pub placement: Placement,
}

/// Several jobs, each on its own nodes; a scenario has them as tables next to the workload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// The jobs.
    #[serde(skip)]
    pub jobs: Vec<Job>,
}

impl Job {
    /// The nodes of the job.
    ///
    /// # Panics
    /// When its placement has none.
    pub fn nodes(&self) -> &Arc<JobNodes> {
        self.placement.nodes.as_ref().expect("a job has nodes")
    }

    /// The machine that the job sees.
    pub fn parameters(&self, parameters: &Parameters) -> Parameters {
        let nodes = self.nodes();
        Parameters {
            shape: nodes.shape().clone(),
            seed: nodes.seed(parameters.seed),
            faults: nodes.own_faults(&parameters.faults),
            // Their only class route is that of all ranks of the machine.
            tree: None,
            interrupts: None,
            ..parameters.clone()
        }
    }

    fn plan(&self, context: &Context, number: usize) -> Result<Plan, WorkloadError> {
        let parameters = self.parameters(context.parameters);
        let nodes = Some(Arc::new(self.nodes().with_faults(&context.parameters.faults)));
        let placement = Placement { nodes, ..self.placement.clone() };
        let own = Context { parameters: &parameters, placement: &placement, ..*context };
        let at_job = |error: WorkloadError| {
            let key = match error.key.as_str() {
                "shape" | "dead_nodes" => format!("jobs[{number}]"),
                key if key.starts_with("mapping") => format!("jobs[{number}].{key}"),
                key => format!("jobs[{number}].workload.{key}"),
            };
            let message = match error.key.as_str() {
                "dead_nodes" => {
                    format!("the job {:?}, nodes counted within it: {}", self.name, error.message)
                }
                _ => error.message,
            };
            WorkloadError { key, message }
        };
        let plan = self.workload.plan(&own).map_err(at_job)?;
        if let PlannedTraffic::Generated(source) = &plan.traffic {
            require(
                !source.forwards() && !source.deposits(),
                &format!("jobs[{number}].workload.kind"),
                || "a broadcast with copies at the nodes it passes needs a machine of its own".into(),
            )?;
        }
        Ok(plan)
    }
}

impl Jobs {
    /// The job of each node.
    ///
    /// # Errors
    /// When two jobs have a node in common.
    pub fn places(&self, nodes: u32) -> Result<JobPlaces, WorkloadError> {
        JobPlaces::new(nodes, self.jobs.iter().map(|job| &**job.nodes())).map_err(|(node, first, second)| {
            let problem = format!("node {node} belongs to the job {:?} already", self.jobs[first].name);
            WorkloadError::new(&format!("jobs[{second}]"), problem)
        })
    }
}

impl Kind for Jobs {
    fn senders(&self) -> Senders {
        let all = || self.jobs.iter().map(|job| job.workload.senders());
        Senders {
            has_ranks: all().any(|senders| senders.has_ranks),
            is_mapped: false, // each job has its own mapping
            has_detours: all().any(|senders| senders.has_detours),
            has_starts: all().any(|senders| senders.has_starts),
            calls: all().map(|senders| senders.calls).max().unwrap_or(CallOrigin::Recorded),
            names_algorithms: false,
        }
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        require(!self.jobs.is_empty(), "kind", || "there are no jobs: each is a table [[jobs]]".into())?;
        self.places(context.shape().nodes())?;
        let plans = self.jobs.iter().enumerate().map(|(number, job)| job.plan(context, number));
        let plans = plans.collect::<Result<Vec<Plan>, _>>()?;
        let job_plan = |(job, plan): (&Job, &Plan)| JobPlan {
            name: job.name.clone(),
            kind: job.workload.kind(),
            has_ranks: matches!(plan.traffic, PlannedTraffic::Ranks(_)),
            nodes: job.nodes().clone(),
            start_cycles: job.start_cycles,
            total_packets: plan.total_packets,
            bound: plan.bound.filter(|_| job.nodes().is_closed()),
        };
        let jobs: Vec<JobPlan> = self.jobs.iter().zip(&plans).map(job_plan).collect();
        let sum = |of: fn(&Plan) -> Option<f64>| plans.iter().map(of).sum::<Option<f64>>();
        let total_packets = plans.iter().map(|plan| plan.total_packets).sum::<Option<u64>>();
        // Packets between live nodes go around nodes and links that are dead elsewhere.
        let is_whole = context.parameters.faults.is_empty();
        let hops = sum(|plan| Some(plan.total_packets? as f64 * plan.mean_hops?)).filter(|_| is_whole);
        let offered_bytes = sum(Plan::offered_bytes_per_cycle);
        let offered_packets = sum(|plan| plan.offered_packets_per_cycle);
        let ends = plans.iter().all(|plan| plan.ends);
        let traffic = plans.into_iter().map(|plan| plan.traffic).collect();
        Ok(Plan {
            total_packets,
            mean_hops: hops.zip(total_packets).map(|(hops, packets)| hops / packets as f64),
            offered_packets_per_cycle: offered_packets,
            mean_packet_bytes: offered_bytes.zip(offered_packets).map(|(bytes, packets)| bytes / packets),
            ends,
            jobs,
            ..Plan::of(PlannedTraffic::Jobs(traffic))
        })
    }
}
