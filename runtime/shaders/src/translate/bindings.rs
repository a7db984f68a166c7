//! Bindings and attributes of an entry point, for the comment above a translation.

use naga::{
    AddressSpace, Binding, GlobalVariable, Handle, ImageClass, ShaderStage, StorageAccess,
    TypeInner,
};

use super::Entry;

/// A variable with a binding.
pub(super) struct Bound<'a> {
    pub variable: Handle<GlobalVariable>,
    /// Name in WGSL.
    pub name: &'a str,
    /// Format in which a texture of a set is uploaded.
    pub upload: Option<&'static str>,
    pub group: u32,
    pub binding: u32,
    pub kind: BoundKind,
}

impl Bound<'_> {
    /// Text for the comment above a translation.
    pub fn description(&self) -> String {
        match self.upload {
            Some(upload) => format!("{}: {upload}", self.name),
            None => self.name.to_owned(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundKind {
    Uniform,
    ReadStorage,
    WrittenStorage,
    Texture,
    WrittenTexture,
    Sampler,
}

impl Entry {
    /// All bindings, in the order of groups and bindings.
    pub fn bound(&self) -> Vec<Bound<'_>> {
        let mut bound: Vec<_> = self
            .module
            .global_variables
            .iter()
            .filter_map(|(handle, variable)| {
                let at = variable.binding?;
                let kind = match variable.space {
                    AddressSpace::Uniform => BoundKind::Uniform,
                    AddressSpace::Storage { access } => {
                        match access.contains(StorageAccess::STORE) {
                            true => BoundKind::WrittenStorage,
                            false => BoundKind::ReadStorage,
                        }
                    }
                    _ => match self.module.types[variable.ty].inner {
                        TypeInner::Sampler { .. } => BoundKind::Sampler,
                        TypeInner::Image {
                            class: ImageClass::Storage { .. },
                            ..
                        } => BoundKind::WrittenTexture,
                        _ => BoundKind::Texture,
                    },
                };
                Some(Bound {
                    variable: handle,
                    name: variable.name.as_deref().unwrap_or_default(),
                    upload: self.upload(at.group, at.binding),
                    group: at.group,
                    binding: at.binding,
                    kind,
                })
            })
            .collect();
        bound.sort_by_key(|bound| (bound.group, bound.binding));
        bound
    }

    fn upload(&self, group: u32, binding: u32) -> Option<&'static str> {
        let found = self.textures.iter().find(|(known, _)| *known == binding);
        found.filter(|_| group == 1).map(|(_, upload)| *upload)
    }

    /// Locations and names of the vertex attributes.
    pub fn attributes(&self) -> Vec<(u32, &str)> {
        if self.stage() != ShaderStage::Vertex {
            return Vec::new();
        }
        let arguments = self.point().function.arguments.iter();
        arguments
            .flat_map(|argument| match &self.module.types[argument.ty].inner {
                TypeInner::Struct { members, .. } => members
                    .iter()
                    .filter_map(|member| located(&member.name, &member.binding))
                    .collect(),
                _ => Vec::from_iter(located(&argument.name, &argument.binding)),
            })
            .collect()
    }
}

fn located<'a>(name: &'a Option<String>, binding: &Option<Binding>) -> Option<(u32, &'a str)> {
    match binding {
        Some(Binding::Location { location, .. }) => Some((*location, name.as_deref()?)),
        _ => None,
    }
}

/// The comment above a translation: its origin, then bindings and attributes. `slots` are pairs of a slot in the language
/// and its description.
pub(super) fn header(
    entry: &Entry,
    entry_name: &str,
    slots: &[(String, String)],
    attribute: impl Fn(u32) -> String,
) -> String {
    let name = &entry.point().name;
    let mut text = format!("// Entry point {name}, generated from WGSL by naga: do not edit.");
    if entry_name != name {
        text += &format!(" The function is named '{entry_name}'.");
    }
    text.push('\n');
    let attributes = entry.attributes();
    let attributes = attributes
        .iter()
        .map(|(location, name)| (attribute(*location), (*name).to_owned()));
    let all: Vec<_> = slots.iter().cloned().chain(attributes).collect();
    let width = all.iter().map(|(slot, _)| slot.len()).max().unwrap_or(0);
    for (slot, description) in all {
        text += &format!("//   {slot:width$}  {description}\n");
    }
    text.push('\n');
    text
}
