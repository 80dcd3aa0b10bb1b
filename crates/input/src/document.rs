//! Input values and their origins.

use super::error::InputError;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

/// A tree of input values that records the place of every key: a line of a file, an option or a preset.
#[derive(Clone, Debug)]
pub struct Document {
    root: Value,
    /// The name of the document in error messages.
    origin: String,
    /// Places by the dotted path of a key or list item (`machine.shape[1]`). A path without an entry has the place of
    /// the enclosing table or list.
    places: BTreeMap<String, String>,
    /// Keys and values as the user wrote them, by the path that they have now.
    written: BTreeMap<String, Written>,
    /// The other names of keys.
    names: Names,
}

/// A key and its value as the user wrote them.
#[derive(Clone, Debug)]
struct Written {
    key: String,
    /// The value, if it has been converted since.
    value: Option<Converted>,
}

/// A value as the user wrote it, and what it is counted in now: `10 ps`.
#[derive(Clone, Debug)]
struct Converted {
    from: Value,
    step: Option<String>,
}

/// The names of keys without their unit, which errors show.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The other name of the key at a dotted path, if it has one.
    pub of_key: fn(&str) -> Option<String>,
    /// Whether errors show no other names of these keys.
    pub only: bool,
}

/// A value or table that overrides part of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// The dotted path of the key: `machine.shape`, or `machine` to merge a table.
    pub path: String,
    /// The new value; tables are merged key by key.
    pub value: Value,
    /// The place of the override in error messages: `--set machine.shape`, or `run(machine=…)`.
    pub origin: String,
}

impl Document {
    /// An empty document named `origin`.
    pub(super) fn new(origin: &str) -> Self {
        Document {
            root: Value::Object(Map::new()),
            origin: origin.to_owned(),
            places: BTreeMap::new(),
            written: BTreeMap::new(),
            names: Names { of_key: |_| None, only: false },
        }
    }

    /// Makes a document from a table that a program passes.
    ///
    /// # Errors
    /// When the value is not a table.
    pub fn from_plain(value: Value, origin: &str) -> Result<Self, InputError> {
        if !value.is_object() {
            let problem = "must be a table with the sections machine, workload and run";
            return Err(InputError::at(origin, problem).value(&value).key("scenario"));
        }
        Ok(Document { root: value, ..Document::new(origin) })
    }

    pub(super) fn with_root(self, table: Map<String, Value>) -> Self {
        Document { root: Value::Object(table), ..self }
    }

    pub(super) fn set_place(&mut self, path: &str, place: String) {
        self.places.insert(path.to_owned(), place);
    }

    /// Sets the value at a dotted path if none is set, in tables that are added if need be. Its place is that of the
    /// enclosing table.
    pub fn set_default(&mut self, path: &str, value: Value) {
        let mut slot = &mut self.root;
        for key in path.split('.') {
            if slot.is_null() {
                *slot = Value::Object(Map::new());
            }
            let Some(table) = slot.as_object_mut() else { return };
            slot = table.entry(key).or_insert(Value::Null);
        }
        if slot.is_null() {
            *slot = value;
        }
    }

    /// Replaces the value at a dotted path, if any.
    pub fn replace(&mut self, path: &str, value: Value) {
        let slot = path.split('.').try_fold(&mut self.root, slot_of);
        if let Some(slot) = slot {
            *slot = value;
        }
    }

    /// Gives a key of the table at `path` another name. Errors about it show the name that the user wrote.
    pub fn rename(&mut self, path: &str, key: &str, name: &str) {
        let table = match path {
            "" => Some(&mut self.root),
            path => path.split('.').try_fold(&mut self.root, slot_of),
        };
        let table = table.and_then(Value::as_object_mut);
        let Some((table, value)) = table.and_then(|table| table.remove(key).map(|value| (table, value)))
        else {
            return;
        };
        table.insert(name.to_owned(), value);
        let (from, to) = (join(path, key), join(path, name));
        let moved: Vec<String> =
            self.places.keys().filter(|place| is_at_or_in(place, &from)).cloned().collect();
        for place in moved {
            let value = self.places.remove(&place).expect("its key was found");
            self.places.insert(format!("{to}{}", &place[from.len()..]), value);
        }
        self.name_as_written(&to, &from);
    }

    /// Remembers the name that the user wrote for the key at `path`, for errors about it.
    pub fn name_as_written(&mut self, path: &str, key: &str) {
        self.written.insert(path.to_owned(), Written { key: key.to_owned(), value: None });
    }

    /// Makes errors show other names of keys.
    pub fn set_names(&mut self, names: Names) {
        self.names = names;
    }

    /// The other names of keys.
    pub(super) fn names(&self) -> Names {
        self.names
    }

    /// Replaces the value at a dotted path, if any. Errors about it show the value that the user wrote, and the quantity
    /// of which the new value is a multiple.
    pub fn convert(&mut self, path: &str, value: Value, step: Option<String>) {
        let Some(from) = self.get(path).cloned() else { return };
        self.replace(path, value);
        let written = self.written.entry(path.to_owned());
        written.or_insert_with(|| Written { key: path.to_owned(), value: None }).value =
            Some(Converted { from, step });
    }

    /// Whether a value is no longer as the user wrote it.
    pub(super) fn is_converted(&self, path: &str) -> bool {
        self.written.get(path).is_some_and(|written| written.value.is_some())
    }

    /// The path of a key as the user wrote it.
    pub fn written_key<'a>(&'a self, path: &'a str) -> Cow<'a, str> {
        match (self.written.get(path), path.rsplit_once('.')) {
            (Some(written), _) => Cow::Borrowed(&written.key),
            (None, Some((table, _))) if self.names.only => {
                (self.names.of_key)(path).map_or(Cow::Borrowed(path), |name| join(table, &name).into())
            }
            (None, _) => Cow::Borrowed(path),
        }
    }

    /// Removes a key of the table at a dotted path, "" for the root, if any.
    pub fn remove(&mut self, path: &str, key: &str) {
        let mut keys = path.split('.').filter(|key| !key.is_empty());
        let table = keys.try_fold(&mut self.root, |slot, key| slot.get_mut(key));
        if let Some(table) = table.and_then(Value::as_object_mut) {
            table.remove(key);
        }
    }

    /// The value at a dotted path, which may name a list item (`machine.shape[1]`).
    pub fn get(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.root, |value, segment| {
            let (key, mut items) = key_and_items(segment);
            items.try_fold(value.get(key)?, |list, index| list.get(index.parse::<usize>().ok()?))
        })
    }

    /// The root of the tree.
    pub fn root(&self) -> &Value {
        &self.root
    }

    /// Whether the document has no keys.
    pub fn is_empty(&self) -> bool {
        self.root.as_object().is_some_and(Map::is_empty)
    }

    /// The place of the value at `path`: its own, or that of the nearest enclosing table or list.
    pub fn place(&self, path: &str) -> &str {
        let mut path = path;
        loop {
            if let Some(place) = self.places.get(path) {
                return place;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return &self.origin,
            }
        }
    }

    /// An error about the value at `path`. It shows the value unless that is a table.
    pub fn error(&self, path: &str, problem: impl Into<String>) -> InputError {
        let error =
            InputError::at(self.place(path), self.in_words(problem.into())).key(self.written_key(path));
        let converted = self.written.get(path).and_then(|written| written.value.as_ref());
        match (self.get(path), converted) {
            (Some(value), Some(given)) => error.converted(&given.from, value, given.step.as_deref()),
            (Some(value), None) if !value.is_object() => error.value(value),
            _ => error,
        }
    }

    /// A sentence with the names of keys that errors show.
    fn in_words(&self, sentence: String) -> String {
        if !self.names.only {
            return sentence;
        }
        let is_of_key = |character: char| character.is_alphanumeric() || "._[]".contains(character);
        let shown = |word: &str| {
            let key = word.trim_matches(|character| !is_of_key(character)).trim_end_matches('.');
            let name = key.contains('.').then(|| self.written_key(key));
            name.map_or_else(|| word.to_owned(), |name| word.replace(key, &name))
        };
        sentence.split(' ').map(shown).collect::<Vec<_>>().join(" ")
    }

    /// Merges `over` into the document: its values take precedence, and tables are merged key by key.
    pub fn merge(&mut self, mut over: Document) {
        self.place_values(|_, _| {});
        over.place_values(|over, visit| collect_new_tables("", &self.root, over, visit));
        collect_paths("", &over.root, &mut |path| self.forget(path));
        merge_values(&mut self.root, over.root);
        self.origin = over.origin;
        self.places.extend(over.places);
        self.written.extend(over.written);
    }

    /// Applies an override.
    ///
    /// # Errors
    /// When its path leads through a value that is not a table.
    pub fn apply(&mut self, change: &Override) -> Result<(), InputError> {
        let mut slot = &mut self.root;
        let mut path = String::new();
        for key in change.path.split('.') {
            path = join(&path, key);
            if key.contains('[') {
                // Only an existing item of a list can be changed.
                slot = slot_of(slot, key).ok_or_else(|| {
                    InputError::at(&change.origin, format!("there is no {path}")).key(&change.path)
                })?;
                continue;
            }
            let table = slot.as_object_mut().ok_or_else(|| {
                InputError::at(&change.origin, format!("there is no table around {key}")).key(&change.path)
            })?;
            slot = table.entry(key).or_insert_with(|| {
                self.places.insert(path.clone(), change.origin.clone());
                Value::Object(Map::new())
            });
        }
        merge_values(slot, change.value.clone());
        collect_paths(&change.path, &change.value, &mut |path| {
            self.forget(path);
            self.places.insert(path.to_owned(), change.origin.clone());
        });
        Ok(())
    }

    /// Gives a place to every value, and to every path that `more` visits, so that it keeps the place in another
    /// document.
    fn place_values(&mut self, more: impl FnOnce(&Value, &mut dyn FnMut(&str))) {
        let mut unplaced = Vec::new();
        let mut visit = |path: &str| unplaced.push(path.to_owned());
        collect_paths("", &self.root, &mut visit);
        more(&self.root, &mut visit);
        unplaced.retain(|path| !self.places.contains_key(path));
        for path in unplaced {
            let place = self.place(&path).to_owned();
            self.places.insert(path, place);
        }
    }

    /// Removes what is known of a value that is being replaced: what the user wrote, and the places of its items.
    fn forget(&mut self, path: &str) {
        self.written.remove(path);
        let items = format!("{path}[");
        let following = self.places.range::<str, _>((Bound::Included(items.as_str()), Bound::Unbounded));
        let forgotten = following.map(|(place, _)| place).take_while(|place| place.starts_with(&items));
        for place in forgotten.cloned().collect::<Vec<_>>() {
            self.places.remove(&place);
        }
    }
}

/// The key of a segment of a path, and the indexes of list items behind it.
fn key_and_items(segment: &str) -> (&str, impl Iterator<Item = &str>) {
    let (key, items) = segment.split_once('[').unwrap_or((segment, ""));
    (key, items.split_terminator(['[', ']']).filter(|index| !index.is_empty()))
}

/// The value of a segment of a path, if any.
fn slot_of<'a>(slot: &'a mut Value, segment: &str) -> Option<&'a mut Value> {
    let (key, mut items) = key_and_items(segment);
    items.try_fold(slot.get_mut(key)?, |list, index| list.get_mut(index.parse::<usize>().ok()?))
}

/// The dotted path of `key` within `path`.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Whether a place is that of the value at `path`, or of something in it.
fn is_at_or_in(place: &str, path: &str) -> bool {
    place.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn merge_values(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                merge_values(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}

/// Visits the paths of all leaves.
fn collect_paths(path: &str, value: &Value, visit: &mut dyn FnMut(&str)) {
    match value.as_object().filter(|table| !table.is_empty()) {
        Some(table) => table.iter().for_each(|(key, value)| collect_paths(&join(path, key), value, visit)),
        None => visit(path),
    }
}

/// Visits the paths of tables that `base` does not have. A default within them is due to the document that has added
/// the table.
fn collect_new_tables(path: &str, base: &Value, over: &Value, visit: &mut dyn FnMut(&str)) {
    for (key, value) in over.as_object().into_iter().flatten() {
        let path = join(path, key);
        match base.get(key) {
            Some(known) => collect_new_tables(&path, known, value, visit),
            None if value.is_object() => visit(&path),
            None => {}
        }
    }
}
