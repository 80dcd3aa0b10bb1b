//! The definitions of an archive: clock, locations, regions, and the members of communicators.

use super::library::{Api, Code, Handle};
use crate::error::{Problem, problem};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

/// `OTF2_PARADIGM_MPI`.
const MPI: u8 = 4;

/// `OTF2_GroupType`.
const COMM_LOCATIONS: u8 = 4;
const COMM_SELF: u8 = 6;
const COMM_LOCATION_GROUPS: u8 = 7;

/// `OTF2_GROUP_FLAG_GLOBAL_MEMBERS`.
const GLOBAL_MEMBERS: u32 = 1;

/// The most bytes that are read of a function's name: more than the longest of MPI that matters.
const MAX_NAME_BYTES: usize = 32;

struct Group {
    kind: u8,
    flags: u32,
    members: Vec<u64>,
}

/// The members of a communicator.
#[derive(Clone, Debug)]
pub(super) enum Comm {
    /// The rank alone.
    Own,
    /// All ranks, if this is the first communicator of them.
    World,
    /// These ranks.
    Ranks(Arc<[u32]>),
}

/// A function of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// `MPI_Init`, `MPI_Init_thread`.
    Init,
    /// `MPI_Finalize`.
    Finalize,
    /// Any other function.
    Other,
}

impl Region {
    fn of(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "mpi_init" | "mpi_init_thread" => Region::Init,
            "mpi_finalize" => Region::Finalize,
            _ => Region::Other,
        }
    }
}

/// The definitions that are needed.
#[derive(Default)]
pub(super) struct Definitions {
    /// Ticks in a second.
    pub ticks_per_second: u64,
    /// The location of each rank, and its number of events, by rank.
    pub ranks: Vec<(u64, u64)>,
    /// Regions that are MPI's functions.
    pub mpi_regions: HashMap<u32, Region>,
    /// The communicators, by number.
    pub comms: BTreeMap<u32, Comm>,
    /// Location, events, location group, in order.
    locations: Vec<(u64, u64, u32)>,
    groups: HashMap<u32, Group>,
    group_of_comm: BTreeMap<u32, u32>,
    /// The names of MPI's regions, and all strings.
    names: HashMap<u32, u32>,
    strings: HashMap<u32, String>,
}

impl Definitions {
    /// Finds the ranks, and the members of communicators.
    pub fn finish(&mut self) -> Result<(), Problem> {
        if self.ticks_per_second == 0 {
            return Err(problem("no clock", "the definition of a clock"));
        }
        let ranks =
            self.groups.values().find(|group| matches!(group.kind, COMM_LOCATIONS | COMM_LOCATION_GROUPS));
        let ranks = ranks.filter(|group| !group.members.is_empty());
        let Some(ranks) = ranks else {
            return Err(problem("no MPI ranks", "the trace of an MPI program"));
        };
        let by_location = ranks.kind == COMM_LOCATIONS;
        let location_of = |member: &u64| {
            let is_it = |(location, _, group): &&(u64, u64, u32)| match by_location {
                true => location == member,
                false => u64::from(*group) == *member,
            };
            self.locations.iter().find(is_it).map(|&(location, events, _)| (location, events))
        };
        let found: Option<Vec<(u64, u64)>> = ranks.members.iter().map(location_of).collect();
        let found = found.ok_or_else(|| problem("a rank without a location", "complete definitions"))?;
        let members = ranks.members.clone();
        self.ranks = found;
        let mut has_world = false;
        for (&comm, group) in &self.group_of_comm {
            let Some(group) = self.groups.get(group) else { continue };
            let own = match group.kind {
                COMM_SELF => Comm::Own,
                _ => {
                    let rank_of = |member: &u64| match group.flags & GLOBAL_MEMBERS {
                        0 => (*member < members.len() as u64).then_some(*member as u32),
                        _ => members.iter().position(|own| own == member).map(|rank| rank as u32),
                    };
                    let all = group.kind == COMM_LOCATIONS || group.kind == COMM_LOCATION_GROUPS;
                    let ranks: Option<Vec<u32>> = match all {
                        true => Some((0..members.len() as u32).collect()),
                        false => group.members.iter().map(rank_of).collect(),
                    };
                    let Some(ranks) = ranks.filter(|ranks| !ranks.is_empty()) else { continue };
                    let is_world = !has_world && ranks.iter().copied().eq(0..members.len() as u32);
                    has_world |= is_world;
                    if is_world { Comm::World } else { Comm::Ranks(ranks.into()) }
                }
            };
            self.comms.insert(comm, own);
        }
        let region = |name| Region::of(self.strings.get(name).map_or("", String::as_str));
        self.mpi_regions = self.names.iter().map(|(&number, name)| (number, region(name))).collect();
        self.strings.clear();
        Ok(())
    }
}

/// The callbacks, which fill [`Definitions`].
///
/// # Safety
/// The user data of the reader with these callbacks is `Definitions`.
pub(super) unsafe fn callbacks(api: &Api) -> Handle {
    // SAFETY: the callbacks have the parameters that the library passes.
    unsafe {
        let callbacks = (api.new_definition_callbacks)();
        (api.on_clock)(callbacks, on_clock as *const c_void);
        (api.on_location)(callbacks, on_location as *const c_void);
        (api.on_string)(callbacks, on_string as *const c_void);
        (api.on_region)(callbacks, on_region as *const c_void);
        (api.on_group)(callbacks, on_group as *const c_void);
        (api.on_comm)(callbacks, on_comm as *const c_void);
        callbacks
    }
}

unsafe fn of<'a>(user: *mut c_void) -> &'a mut Definitions {
    // SAFETY: the user data are definitions, which no other code uses meanwhile.
    unsafe { &mut *user.cast() }
}

unsafe extern "C" fn on_clock(
    user: *mut c_void,
    resolution: u64,
    _offset: u64,
    _length: u64,
    _real: u64,
) -> Code {
    // SAFETY: the reader passes its user data.
    unsafe { of(user) }.ticks_per_second = resolution;
    0
}

unsafe extern "C" fn on_string(user: *mut c_void, string: u32, text: *const c_char) -> Code {
    if text.is_null() {
        return 0;
    }
    // SAFETY: the library passes a string with a zero at its end.
    let text = unsafe { CStr::from_ptr(text) };
    // Names of MPI's functions are short.
    if let Ok(text) = text.to_str()
        && text.len() <= MAX_NAME_BYTES
    {
        // SAFETY: the reader passes its user data.
        unsafe { of(user) }.strings.insert(string, text.to_owned());
    }
    0
}

unsafe extern "C" fn on_location(
    user: *mut c_void,
    location: u64,
    _name: u32,
    _kind: u8,
    events: u64,
    group: u32,
) -> Code {
    // SAFETY: the reader passes its user data.
    unsafe { of(user) }.locations.push((location, events, group));
    0
}

#[allow(clippy::too_many_arguments)] // the library's
unsafe extern "C" fn on_region(
    user: *mut c_void,
    region: u32,
    name: u32,
    _canonical: u32,
    _description: u32,
    _role: u8,
    paradigm: u8,
    _flags: u32,
    _file: u32,
    _begin: u32,
    _end: u32,
) -> Code {
    if paradigm == MPI {
        // SAFETY: the reader passes its user data.
        unsafe { of(user) }.names.insert(region, name);
    }
    0
}

#[allow(clippy::too_many_arguments)] // the library's
unsafe extern "C" fn on_group(
    user: *mut c_void,
    group: u32,
    _name: u32,
    kind: u8,
    paradigm: u8,
    flags: u32,
    count: u32,
    members: *const u64,
) -> Code {
    if paradigm == MPI && kind >= COMM_LOCATIONS {
        let members = match members.is_null() {
            true => Vec::new(),
            // SAFETY: the library passes `count` members.
            false => unsafe { std::slice::from_raw_parts(members, count as usize) }.to_vec(),
        };
        // SAFETY: the reader passes its user data.
        unsafe { of(user) }.groups.insert(group, Group { kind, flags, members });
    }
    0
}

unsafe extern "C" fn on_comm(
    user: *mut c_void,
    comm: u32,
    _name: u32,
    group: u32,
    _parent: u32,
    _flags: u32,
) -> Code {
    // SAFETY: the reader passes its user data.
    unsafe { of(user) }.group_of_comm.insert(comm, group);
    0
}
