//! The requests of the queues in the fullest quarter of their buffers first (S16).

use super::Request;

pub(super) fn keep_preferred(requests: &mut Vec<Request>) {
    let fullest = requests.iter().map(|request| request.fullness).max();
    requests.retain(|request| Some(request.fullness) == fullest);
}
