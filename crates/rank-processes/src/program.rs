//! What is known of a program from its file: whether the host can run it, and which MPI library it needs.

use object::elf::{DT_NEEDED, ET_DYN, ET_EXEC, FileHeader64, PT_INTERP};
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, FileKind};
use std::path::Path;

/// The kind of a program's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// No ELF file: a script, whose first line names what runs it.
    Script,
    /// An ELF file that the host cannot run: for another architecture, or of 32 bits.
    Foreign,
    /// An ELF file without dynamic libraries.
    Static,
    /// An ELF file, and the names of the dynamic libraries that it needs.
    Dynamic(Vec<String>),
}

#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = object::elf::EM_X86_64;
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = object::elf::EM_AARCH64;

/// Reads the file of a program.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> std::io::Result<Program> {
    let content = std::fs::read(path)?;
    Ok(match FileKind::parse(&*content) {
        Ok(FileKind::Elf64) => of_elf(&content).unwrap_or(Program::Foreign),
        Ok(FileKind::Elf32) => Program::Foreign,
        Ok(_) | Err(_) => Program::Script,
    })
}

fn of_elf(content: &[u8]) -> Option<Program> {
    let header = FileHeader64::<Endianness>::parse(content).ok()?;
    let endian = header.endian().ok()?;
    if header.e_machine(endian) != MACHINE || ![ET_DYN, ET_EXEC].contains(&header.e_type(endian)) {
        return None;
    }
    let segments = header.program_headers(endian, content).ok()?;
    if !segments.iter().any(|segment| segment.p_type(endian) == PT_INTERP) {
        return Some(Program::Static);
    }
    let sections = header.sections(endian, content).ok()?;
    let Ok(Some((entries, link))) = sections.dynamic(endian, content) else { return Some(Program::Static) };
    let strings = sections.strings(endian, content, link).ok()?;
    let needed = entries.iter().filter(|entry| entry.tag32(endian) == Some(DT_NEEDED));
    let name = |entry: &_| {
        let entry: &object::elf::Dyn64<Endianness> = entry;
        let name = entry.string(endian, strings).ok()?;
        Some(String::from_utf8_lossy(name).into_owned())
    };
    Some(Program::Dynamic(needed.filter_map(name).collect()))
}
