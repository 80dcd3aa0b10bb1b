//! Scenario in, result out: where machine, workload and engine meet.
