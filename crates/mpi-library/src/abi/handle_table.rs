//! The handles of an interface that are constants, in both directions. Handles of objects that a program makes are the
//! same in all interfaces: no constant of any is above 0xc000_0000.

use crate::constants::HandleKind;

/// The table.
#[derive(Debug)]
pub struct HandleTable {
    /// Kinds and handles of the interface, in order, with those of the standard.
    to_standard: Vec<((HandleKind, usize), usize)>,
    /// Handles of the standard, in order, with those of the interface.
    to_raw: Vec<(usize, usize)>,
}

impl HandleTable {
    /// The table of handles: kind, value of the standard, value of the interface.
    pub fn new(handles: impl Iterator<Item = (HandleKind, usize, usize)> + Clone) -> Self {
        let mut to_standard: Vec<_> =
            handles.clone().map(|(kind, standard, raw)| ((kind, raw), standard)).collect();
        let mut to_raw: Vec<_> = handles.map(|(_, standard, raw)| (standard, raw)).collect();
        to_standard.sort_unstable();
        to_raw.sort_unstable();
        HandleTable { to_standard, to_raw }
    }

    /// The handle of the standard.
    pub fn standard(&self, raw: usize, kind: HandleKind) -> usize {
        let place = self.to_standard.binary_search_by_key(&(kind, raw), |entry| entry.0);
        place.map_or(raw, |place| self.to_standard[place].1)
    }

    /// The handle of the interface.
    pub fn raw(&self, standard: usize) -> usize {
        let place = self.to_raw.binary_search_by_key(&standard, |entry| entry.0);
        place.map_or(standard, |place| self.to_raw[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::{self as c, HANDLES};

    fn mpich() -> HandleTable {
        HandleTable::new(HANDLES.iter().filter_map(|it| Some((it.kind, it.standard, it.mpich?))))
    }

    #[test]
    fn handles_come_back() {
        let table = mpich();
        for handle in HANDLES {
            let raw = table.raw(handle.standard);
            assert_eq!(Some(raw), handle.mpich.or(Some(handle.standard)), "{}", handle.name);
            assert_eq!(table.standard(raw, handle.kind), handle.standard, "{}", handle.name);
        }
    }

    #[test]
    fn one_integer_is_different_handles_of_different_kinds() {
        let table = mpich();
        assert_eq!(table.standard(0x2c00_0000, HandleKind::Request), c::REQUEST_NULL);
        assert_eq!(table.standard(0x2c00_0000, HandleKind::Message), c::MESSAGE_NULL);
        assert_eq!(table.standard(0, HandleKind::File), c::FILE_NULL);
        assert_eq!(table.standard(0, HandleKind::Comm), 0);
    }

    #[test]
    fn handles_of_objects_stay() {
        let table = mpich();
        assert_eq!(table.raw(0xcc00_0000), 0xcc00_0000);
        assert_eq!(table.standard(0xcc00_0000, HandleKind::Datatype), 0xcc00_0000);
        assert!(HANDLES.iter().all(|handle| handle.mpich < Some(0xc000_0000) && handle.standard < 4096));
    }
}
