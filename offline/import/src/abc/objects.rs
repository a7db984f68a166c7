//! The tree of objects, with instances resolved.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::archive::Archive;
use super::ogawa::{Read, ReadError};
use super::property::{Compound, Samples};
use crate::Warning;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::{ALEMBIC_READ_WORK, MAX_NODES};
use crate::warning::count;

/// Largest length of the path of an instance's source, in bytes.
const MAX_PATH_BYTES: u64 = 1 << 16;

/// Largest number of instances of instances. A longer chain is taken for a cycle.
const MAX_LINKS: usize = 16;

/// Largest number of names of a label, and of characters in them.
const MAX_LABEL_NAMES: usize = 16;
const MAX_LABEL_CHARS: usize = 256;

/// Largest number of ignored schemas that a warning names.
const MAX_NAMED_SCHEMAS: usize = 8;

/// Schema of an object that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    /// A transform.
    Xform,
    /// A polygon mesh.
    PolyMesh,
    /// A subdivision surface.
    SubD,
    /// A group without a meaning of its own, or something that is left out.
    Other,
}

/// Visibility that an object states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// Same as its parent.
    Inherited,
    Shown,
    /// Hidden, or changing over time.
    Hidden,
}

/// An object of the file.
#[derive(Debug)]
pub(super) struct Object {
    pub name: String,
    pub parent: Option<usize>,
    pub schema: Schema,
    /// Group of the object.
    group: u64,
    children: Vec<usize>,
    /// Path of the object that an instance stands for.
    source: Option<String>,
    visibility: Visibility,
}

/// All objects of a file, parents before children. The first is the archive itself.
#[derive(Debug)]
pub(super) struct Objects {
    pub list: Vec<Object>,
}

/// An object where it is used: once, and once more per instance.
#[derive(Debug)]
pub(super) struct Use {
    /// Index of the object.
    pub object: usize,
    /// Index of the use of its parent.
    pub parent: Option<usize>,
    /// Name of the object, or of its instance.
    pub name: String,
    /// True if the object is hidden, always or at times.
    pub is_hidden: bool,
}

impl Objects {
    /// Reads the headers of all objects. Reports those of schemas that are not read.
    pub(super) fn read(archive: &Archive, warnings: &mut Vec<Warning>) -> Outcome<Self> {
        let mut objects = Self {
            list: vec![Object {
                name: String::new(),
                parent: None,
                schema: Schema::Other,
                group: archive.top,
                children: Vec::new(),
                source: None,
                visibility: Visibility::Shown,
            }],
        };
        let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
        let mut seen = HashSet::from([archive.top]);
        let mut next = 0;
        while next < objects.list.len() {
            let added = objects
                .read_object(archive, next, &mut seen, &mut left_out)
                .map_err(|error| error.of(objects.label(next)))?;
            if objects.list.len() + added.len() > MAX_NODES {
                let problem = format!("has more than {MAX_NODES} objects");
                return Err(Fault::limit("", problem, "MAX_NODES", MAX_NODES));
            }
            let first = objects.list.len();
            objects.list[next].children = (first..first + added.len()).collect();
            objects.list.extend(added);
            next += 1;
        }
        if !left_out.is_empty() {
            let kinds = left_out.iter().map(|(kind, n)| format!("{n} {kind}"));
            let mut kinds: Vec<String> = kinds.take(MAX_NAMED_SCHEMAS).collect();
            if left_out.len() > kinds.len() {
                let others: usize = left_out.values().skip(kinds.len()).sum();
                kinds.push(format!("{others} of other schemas"));
            }
            warnings.push(Warning::Unused {
                what: format!(
                    "ignored objects that are neither transforms nor meshes: {}",
                    kinds.join(", ")
                ),
            });
        }
        Ok(objects)
    }

    /// Reads the children of an object, and whether they are instances.
    fn read_object(
        &self,
        archive: &Archive,
        index: usize,
        seen: &mut HashSet<u64>,
        left_out: &mut BTreeMap<String, usize>,
    ) -> Read<Vec<Object>> {
        let group = archive.container.group(self.list[index].group)?;
        let mut added = Vec::new();
        for header in archive.children(&group)? {
            // An empty group may be shared; nothing is below it.
            if header.group != 0 && !seen.insert(header.group) {
                return Err(ReadError::new(
                    ErrorKind::Hierarchy,
                    format_args!("its child '{}' is in the file twice", header.name),
                ));
            }
            let schema = match header.metadata.get("schema").unwrap_or_default() {
                "AbcGeom_Xform_v3" => Schema::Xform,
                "AbcGeom_PolyMesh_v1" => Schema::PolyMesh,
                "AbcGeom_SubD_v1" => Schema::SubD,
                "" => Schema::Other,
                old if old.starts_with("AbcGeom_Xform_") => {
                    let problem = format!("its child '{}' has schema '{old}'", header.name);
                    return Err(ReadError::new(ErrorKind::Unsupported, problem));
                }
                other => {
                    *left_out.entry(kind_of(other)).or_default() += 1;
                    Schema::Other
                }
            };
            let properties = archive.properties(&archive.container.group(header.group)?)?;
            added.push(Object {
                name: header.name,
                parent: Some(index),
                schema,
                group: header.group,
                children: Vec::new(),
                source: instance_source(archive, &properties)?,
                visibility: visibility(archive, &properties)?,
            });
        }
        Ok(added)
    }

    /// Lists objects where they are used, parents before children. An instance stands for its source and all below it.
    pub(super) fn uses(&self, archive: &Archive, warnings: &mut Vec<Warning>) -> Outcome<Vec<Use>> {
        let by_name: HashMap<(usize, &str), usize> = {
            let objects = self.list.iter().enumerate();
            let children =
                objects.filter_map(|(index, object)| Some((index, object, object.parent?)));
            // The first child of a name counts, as children of one name are invalid.
            let children = children.map(|(i, object, parent)| ((parent, object.name.as_str()), i));
            children.rev().collect()
        };
        let targets = self.link_targets(archive, &by_name)?;
        let mut uses: Vec<Use> = Vec::new();
        let mut missing = Vec::new();
        let mut stack: Vec<(usize, Option<usize>)> = vec![(0, None)];
        while let Some((index, parent)) = stack.pop() {
            let Some(object) = self.resolve(index, &targets) else {
                missing.push(index);
                continue;
            };
            if uses.len() + stack.len() >= MAX_NODES {
                let problem = format!("has more than {MAX_NODES} objects, instances included");
                return Err(Fault::limit("", problem, "MAX_NODES", MAX_NODES));
            }
            // The name is copied to a part, a joint and its skin, too.
            let name_bytes = self.list[index].name.len() as u64;
            archive
                .charge(name_bytes, 4)
                .map_err(|error| error.of(self.label(index)))?;
            uses.push(Use {
                object,
                parent,
                name: self.list[index].name.clone(),
                is_hidden: match self.list[object].visibility {
                    Visibility::Inherited => parent.is_some_and(|parent| uses[parent].is_hidden),
                    Visibility::Shown => false,
                    Visibility::Hidden => true,
                },
            });
            let used = Some(uses.len() - 1);
            let children = self.list[object].children.iter().rev();
            stack.extend(children.map(|&child| (child, used)));
        }
        if let Some(&first) = missing.first() {
            warnings.push(Warning::Unused {
                what: format!(
                    "ignored {} of each other or of objects that are not in the file, such as {}",
                    count(missing.len(), "instance", "instances"),
                    self.label(first)
                ),
            });
        }
        Ok(uses)
    }

    /// Finds the object that each instance names, which may be an instance, too; `None` for other objects and where there
    /// is none. Paths are long and their names many, so that each is followed once and counted as work.
    fn link_targets(
        &self,
        archive: &Archive,
        by_name: &HashMap<(usize, &str), usize>,
    ) -> Outcome<Vec<Option<usize>>> {
        let mut targets = Vec::with_capacity(self.list.len());
        for (index, object) in self.list.iter().enumerate() {
            let Some(path) = &object.source else {
                targets.push(None);
                continue;
            };
            let (mut target, mut steps) = (Some(0), 0);
            for name in path.split('/').filter(|name| !name.is_empty()) {
                target = target.and_then(|parent| by_name.get(&(parent, name)).copied());
                steps += 1;
            }
            archive
                .container
                .count_work(ALEMBIC_READ_WORK.saturating_mul(steps))
                .map_err(|error| error.of(self.label(index)))?;
            targets.push(target);
        }
        Ok(targets)
    }

    /// Returns the object that an instance stands for, or the object itself.
    fn resolve(&self, index: usize, targets: &[Option<usize>]) -> Option<usize> {
        let mut object = index;
        for _ in 0..=MAX_LINKS {
            if self.list[object].source.is_none() {
                return Some(object);
            }
            object = targets[object]?;
        }
        None
    }

    /// Reads the properties of the compound that a schema keeps its data in; empty if there is none.
    pub(super) fn compound(&self, archive: &Archive, index: usize, name: &str) -> Read<Compound> {
        let group = archive.container.group(self.list[index].group)?;
        let properties = archive.properties(&group)?;
        match properties.find(name) {
            Some(found) if found.is_compound() => archive.compound(found.group),
            _ => Ok(Compound::default()),
        }
    }

    /// Formats the path of an object for errors and warnings: `object '/root/body'`. Long names and paths of deep trees
    /// are shortened.
    pub(super) fn label(&self, index: usize) -> String {
        if index == 0 {
            return String::new();
        }
        let mut names: Vec<String> = Vec::new();
        let (mut at, mut left) = (Some(index), MAX_LABEL_CHARS);
        while let Some(object) = at.map(|at| &self.list[at]) {
            if names.len() == MAX_LABEL_NAMES || left == 0 {
                names.push("…".to_owned());
                break;
            }
            let mut characters = object.name.escape_debug();
            let mut name: String = characters.by_ref().take(left).collect();
            left -= name.chars().count();
            if characters.next().is_some() {
                name.push('…');
            }
            names.push(name);
            at = object.parent;
        }
        names.reverse();
        format!("object '{}'", names.join("/"))
    }
}

/// Reads the path of the object that an instance stands for; `None` for other objects.
fn instance_source(archive: &Archive, properties: &Compound) -> Read<Option<String>> {
    let Some(samples) = archive.samples(properties, ".instanceSource")? else {
        return Ok(None);
    };
    let path = samples.text(0, MAX_PATH_BYTES)?;
    archive.charge(path.len() as u64, 1)?;
    Ok(Some(path))
}

/// Reads the visibility that an object states. One that is not a number is ignored.
fn visibility(archive: &Archive, properties: &Compound) -> Read<Visibility> {
    let property = properties.find("visible");
    let Some(property) = property.filter(|property| !property.is_compound()) else {
        return Ok(Visibility::Inherited);
    };
    let samples = Samples::new(&archive.container, property)?;
    if samples.len() == 0 || !samples.is_number() {
        return Ok(Visibility::Inherited);
    }
    if !samples.is_constant() {
        return Ok(Visibility::Hidden);
    }
    let mut found = Visibility::Inherited;
    samples.numbers(0, |number| {
        found = match number {
            0.0 => Visibility::Hidden,
            number if number > 0.0 => Visibility::Shown,
            _ => Visibility::Inherited,
        };
    })?;
    Ok(found)
}

/// Shortens a schema: `AbcGeom_Camera_v1` is `Camera`.
fn kind_of(schema: &str) -> String {
    let name = schema.split_once('_').map_or(schema, |(_, name)| name);
    let name = name.rsplit_once("_v").map_or(name, |(name, _)| name);
    name.chars()
        .take(64)
        .collect::<String>()
        .escape_debug()
        .to_string()
}
