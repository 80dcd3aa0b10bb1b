//! The queues in the fullest quarter of their buffers first (S16).

use crate::windowed::sets::prefer;
use crate::windowed::specialization::Specialization;
use crate::windowed::visit::Visit;

#[inline(always)]
pub(super) fn preferred<F: Specialization>(visit: &Visit<'_, F>, inputs: F::Inputs) -> F::Inputs {
    let reaches = |quarter: usize| {
        F::at_least(inputs, &visit.node.queues.occupied, &visit.store.layout.quarter_thresholds[quarter])
    };
    let (second, third, last) = (reaches(0), reaches(1), reaches(2));
    prefer(prefer(inputs, third), last | (second & !third))
}
