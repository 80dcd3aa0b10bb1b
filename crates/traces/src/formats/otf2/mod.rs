//! Reader of OTF2 archives (Eschweiler et al.: Open Trace Format 2, 2012), through OTF2's own library: the MPI records of
//! the locations that are ranks, and the time outside MPI's regions.

#![allow(unsafe_code, reason = "OTF2's library is written in C")]

mod definitions;
mod library;
mod rank;

pub use library::set_locator;

use super::Format;
use crate::error::TraceError;
use crate::error::{Place, Problem, problem};
use crate::files::only_file;
use crate::join::join;
use crate::rank::Part;
use crate::recorder::Recorder;
use definitions::Definitions;
use library::{Api, Code, Handle};
use rank::{RankReader, combine};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub const FORMAT: Format = Format { is_file, read, parse: None, place: Place::Record };

fn is_file(_name: &str, beginning: &[u8]) -> bool {
    // Behind the number of its kind and the order of its bytes.
    beginning.get(2..6) == Some(b"OTF2".as_slice())
}

/// Reads an archive, named by its anchor file or the directory that it is in.
fn read(path: &Path) -> Result<Vec<Part>, TraceError> {
    let anchor = match path.extension().is_some_and(|extension| extension == "otf2") || path.is_dir() {
        true => only_file(path, "otf2", is_file)?,
        // Another file of the archive: the anchor is next to it, or next to the folder that it is in.
        false => {
            let parents = [path.parent(), path.parent().and_then(Path::parent)];
            let found =
                parents.into_iter().flatten().find_map(|folder| only_file(folder, "otf2", is_file).ok());
            found.ok_or_else(|| {
                problem("is in no OTF2 archive", "its file NAME.otf2 is needed").at(path, None)
            })?
        }
    };
    let archive = Archive::open(&anchor)?;
    let definitions = archive.definitions()?;
    let ranks = definitions.ranks.len();
    let readers =
        (0..ranks).map(|rank| archive.events(&definitions, rank as u32)).collect::<Result<Vec<_>, _>>()?;
    let recorders: Vec<Recorder> = combine(readers, &definitions)?;
    join(recorders, Place::Record)
}

/// An open archive.
struct Archive {
    api: &'static Api,
    reader: Handle,
    anchor: PathBuf,
}

impl Drop for Archive {
    fn drop(&mut self) {
        // SAFETY: it was opened, and is not used after this.
        unsafe { (self.api.close)(self.reader) };
    }
}

impl Archive {
    fn open(anchor: &Path) -> Result<Self, TraceError> {
        let api = Api::get().map_err(|problem| problem.at(anchor, None))?;
        let name = CString::new(anchor.as_os_str().as_bytes());
        let name =
            name.map_err(|_| problem("a path with a zero byte", "the path of an archive").at(anchor, None))?;
        // SAFETY: the name is a string, which the library copies.
        let reader = unsafe { (api.open)(name.as_ptr()) };
        if reader.is_null() {
            return Err(problem("OTF2's library cannot open it", "the anchor file of a complete archive")
                .at(anchor, None));
        }
        let archive = Archive { api, reader, anchor: anchor.to_path_buf() };
        // SAFETY: the reader is open.
        archive.check(unsafe { (api.set_serial)(reader) }, anchor)?;
        Ok(archive)
    }

    /// Returns an error if a code denotes one.
    fn check(&self, code: Code, file: &Path) -> Result<(), TraceError> {
        match code {
            0 => Ok(()),
            code => Err(self.damaged(code).at(file, None)),
        }
    }

    fn damaged(&self, code: Code) -> Problem {
        let found = format!("OTF2's library cannot read it ({})", self.api.description(code));
        problem(found, "a complete archive; this one may be damaged or truncated")
    }

    fn definitions(&self) -> Result<Definitions, TraceError> {
        let mut definitions = Definitions::default();
        let file = self.anchor.with_extension("def");
        // SAFETY: the handles are the library's own, and `definitions` outlives the call that fills it.
        let code = unsafe {
            let reader = (self.api.global_definitions)(self.reader);
            if reader.is_null() {
                return Err(
                    problem("OTF2's library cannot open it", "the archive's definitions").at(&file, None)
                );
            }
            let callbacks = definitions::callbacks(self.api);
            let user = (&raw mut definitions).cast();
            (self.api.register_definitions)(self.reader, reader, callbacks, user);
            (self.api.delete_definition_callbacks)(callbacks);
            (self.api.read_definitions)(self.reader, reader, &mut 0)
        };
        self.check(code, &file)?;
        definitions.finish().map_err(|problem| problem.at(&file, None))?;
        // SAFETY: the reader is open.
        unsafe {
            for &(location, _) in &definitions.ranks {
                (self.api.select_location)(self.reader, location);
            }
            let has_local_definitions = (self.api.open_definitions)(self.reader) == 0;
            self.check((self.api.open_events)(self.reader), &self.anchor)?;
            for &(location, _) in definitions.ranks.iter().filter(|_| has_local_definitions) {
                let local = (self.api.local_definitions)(self.reader, location);
                if !local.is_null() {
                    let code = (self.api.read_local_definitions)(self.reader, local, &mut 0);
                    (self.api.close_local_definitions)(self.reader, local);
                    self.check(code, &self.file_of(location, "def"))?;
                }
            }
        }
        Ok(definitions)
    }

    fn file_of(&self, location: u64, extension: &str) -> PathBuf {
        self.anchor.with_extension("").join(format!("{location}.{extension}"))
    }

    /// The records of a rank.
    fn events<'a>(&self, definitions: &'a Definitions, rank: u32) -> Result<RankReader<'a>, TraceError> {
        let (location, count) = definitions.ranks[rank as usize];
        let file = self.file_of(location, "evt");
        let mut reader = RankReader::new(file.clone(), rank, definitions);
        let mut read = 0;
        // SAFETY: the handles are the library's own, and `reader` outlives the call that fills it.
        let code = unsafe {
            let events = (self.api.events)(self.reader, location);
            if events.is_null() {
                return Err(problem("OTF2's library cannot open it", "the events of a rank").at(&file, None));
            }
            let callbacks = rank::callbacks(self.api);
            (self.api.register_events)(self.reader, events, callbacks, (&raw mut reader).cast());
            (self.api.delete_event_callbacks)(callbacks);
            let code = (self.api.read_events)(self.reader, events, &mut read);
            (self.api.close_events)(self.reader, events);
            code
        };
        if let Some((place, problem)) = reader.problem.take() {
            return Err(problem.at(&file, Some(Place::Record(place))));
        }
        if code != 0 {
            return Err(self.damaged(code).at(&file, Some(Place::Record(reader.place))));
        }
        if read != count {
            let found = problem(format!("{read} events"), format!("{count}, as the definitions say"));
            return Err(found.at(&file, Some(Place::Record(reader.place))));
        }
        reader.finish_reading();
        Ok(reader)
    }
}
