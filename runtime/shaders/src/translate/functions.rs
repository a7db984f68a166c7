//! Functions for engines: no entry point, names that clash with no engine's, and bindings in a block of their own.

mod comment;
pub(super) mod items;
mod local_names;
pub(super) mod words;

use naga::back::{hlsl, msl, wgsl};
use naga::valid::ModuleInfo;
use naga::{GlobalVariable, Module, Type, TypeInner};

use super::glsl::write_plain;
use super::hlsl::{options as hlsl_options, plain_arrays};
use super::{Entry, Language, TranslateError, validated};
use crate::constants::{ConstantsError, set_info};
use crate::functions::{EngineFunctions, KEEP};
use crate::{EngineOptions, SetInfo, Shader};
use items::{split, used};
use local_names::renumber;

/// Prefix of every global name.
const PREFIX: &str = "throng_";

/// Variable that describes the set.
const SET_INFO: &str = "throng_set_info";

/// Variable of the options.
const OPTIONS: &str = "throng_options";

/// Functions in a language that are written item by item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Printed {
    /// Declarations of textures.
    pub bindings: Vec<String>,
    /// Structs, constants and functions, each after those that it uses.
    pub items: Vec<String>,
}

/// Prints functions, below a comment that lists them, their arguments and bindings.
///
/// In GLSL and WGSL, textures are declared between `throng:begin bindings` and `throng:end bindings`, and the description
/// of the set is a constant of zeros between `throng:begin set_info` and `throng:end set_info`: callers replace it
/// ([`set_info_declaration`]). Callers may also replace the options ([`options_declaration`]). In HLSL and MSL, the description
/// is the uniform block at binding 0 of group 1, and the options fit every set.
pub fn translate_functions(
    functions: &EngineFunctions,
    language: Language,
) -> Result<String, TranslateError> {
    // Other languages have no constant that callers replace.
    let with_options;
    let functions = match language {
        Language::Glsl | Language::Wgsl => functions,
        Language::Hlsl | Language::Msl => {
            with_options = functions.with_default_options();
            &with_options
        }
    };
    let mut entry = renamed(&functions.shader)?;
    let comment = comment::comment(functions, &entry, language);
    let unwritable = |message| unwritable(functions, language, message);
    let text = match language {
        Language::Glsl | Language::Wgsl => {
            let Printed { bindings, items } =
                printed(&mut entry, functions, language).map_err(unwritable)?;
            joined(&bindings, &items)
        }
        Language::Hlsl => hlsl_of(&entry, &functions.shader).map_err(unwritable)?,
        Language::Msl => msl_of(&entry, &functions.shader).map_err(unwritable)?,
    };
    Ok(comment + &text)
}

/// Joins the items of a source.
pub(super) fn joined<T: AsRef<str>>(bindings: &[T], items: &[T]) -> String {
    let join = |texts: &[T], between| {
        let texts: Vec<_> = texts.iter().map(AsRef::as_ref).collect();
        texts.join(between)
    };
    format!(
        "// throng:begin bindings\n{}\n// throng:end bindings\n\n{}\n",
        join(bindings, "\n"),
        join(items, "\n\n")
    )
}

/// Prints the items of functions, in GLSL or WGSL.
pub(super) fn function_items(
    functions: &EngineFunctions,
    language: Language,
) -> Result<Printed, TranslateError> {
    let mut entry = renamed(&functions.shader)?;
    printed(&mut entry, functions, language)
        .map_err(|message| unwritable(functions, language, message))
}

fn unwritable(functions: &EngineFunctions, language: Language, message: String) -> TranslateError {
    TranslateError::Unwritable {
        entry_point: functions.functions[0].name.to_owned(),
        language,
        message,
    }
}

/// Parses the functions and prefixes every global name.
fn renamed(shader: &Shader) -> Result<Entry, TranslateError> {
    let mut entry = Entry::parse(shader, KEEP)?;
    let module = &mut entry.module;
    for (_, function) in module.functions.iter_mut() {
        prefix(&mut function.name);
    }
    for (_, constant) in module.constants.iter_mut() {
        prefix(&mut constant.name);
    }
    for (_, variable) in module.global_variables.iter_mut() {
        // Compressed curves take the place of texels.
        if variable.name.as_deref() == Some("words") {
            variable.name = Some("texels".to_owned());
        }
        prefix(&mut variable.name);
    }
    let structs: Vec<_> = module
        .types
        .iter()
        .filter(|(_, known)| matches!(known.inner, TypeInner::Struct { .. }))
        .map(|(handle, known)| (handle, known.clone()))
        .collect();
    for (handle, Type { mut name, inner }) in structs {
        let before = name.clone();
        prefix(&mut name);
        if name != before {
            module.types.replace(handle, Type { name, inner });
        }
    }
    Ok(entry)
}

fn prefix(name: &mut Option<String>) {
    if let Some(name) = name
        && !name.to_lowercase().starts_with("throng")
    {
        *name = format!("{PREFIX}{name}");
    }
}

/// Prints functions item by item, in GLSL or WGSL.
fn printed(
    entry: &mut Entry,
    functions: &EngineFunctions,
    language: Language,
) -> Result<Printed, String> {
    local_names::mark(&mut entry.module);
    let text = match language {
        Language::Glsl => glsl_of(entry)?,
        _ => wgsl_of(entry, &functions.shader)?,
    };
    let is_dropped = |item: &String| {
        let starts = ["#version", "precision ", "void main("];
        starts.iter().any(|start| item.starts_with(start))
    };
    let mut bindings = Vec::new();
    let mut items = Vec::new();
    for item in split(&text).into_iter().filter(|item| !is_dropped(item)) {
        let is_binding = item.starts_with("uniform ") || item.starts_with("@group(");
        let is_block = item.starts_with("layout(std140) uniform")
            || (is_binding && item.contains("var<uniform>"));
        match () {
            () if is_block && item.contains(OPTIONS) => items.push(options_block(language)),
            () if is_block => items.push(set_info_block(language)?),
            () if is_binding => bindings.push(item),
            () => items.push(renumber(&item)),
        }
    }
    let roots: Vec<_> = functions
        .functions
        .iter()
        .map(|function| function.name)
        .collect();
    Ok(Printed {
        bindings,
        items: used(items, &roots),
    })
}

/// Declares the description of a set as a constant of GLSL or WGSL. Packages write this text in place of the zeros between
/// `throng:begin set_info` and `throng:end set_info`.
pub fn set_info_declaration(info: &SetInfo, language: Language) -> Result<String, ConstantsError> {
    let text = set_info(info)?;
    let start = text.find('(').unwrap_or(0);
    let value = ["Grid(", "Codec(", "JointCurves("]
        .iter()
        .fold(text[start..].trim_end().to_owned(), |text, name| {
            text.replace(name, &format!("{PREFIX}{name}"))
        });
    // GLSL has no comma after the last argument.
    let value = value.replace(",\n);", "\n);");
    Ok(constant("SetInfo", SET_INFO, &value, language))
}

/// Declares options as a constant of GLSL or WGSL. Packages write this text in place of the default options between
/// `throng:begin options` and `throng:end options`.
pub fn options_declaration(options: &EngineOptions, language: Language) -> String {
    let value = format!("({});", options.arguments());
    constant("Options", OPTIONS, &value, language)
}

/// Declares a constant; `value` is the arguments of its constructor in parentheses, with a semicolon.
fn constant(kind: &str, name: &str, value: &str, language: Language) -> String {
    let declared = match language {
        Language::Glsl => format!("const {PREFIX}{kind} {name}"),
        _ => format!("const {name}: {PREFIX}{kind}"),
    };
    format!("{declared} = {PREFIX}{kind}{value}")
}

/// Declares options that fit every set.
fn options_block(language: Language) -> String {
    let options = options_declaration(&EngineOptions::default(), language);
    format!("// throng:begin options\n{options}\n// throng:end options")
}

/// Declares the description of a set as zeros, which callers replace. Functions read it as a variable, so that nothing is
/// computed from the zeros.
fn set_info_block(language: Language) -> Result<String, String> {
    let zeros = set_info_declaration(&SetInfo::default(), language);
    let zeros = zeros.map_err(|error| error.to_string())?;
    Ok(format!(
        "// throng:begin set_info\n{zeros}\n// throng:end set_info"
    ))
}

fn glsl_of(entry: &Entry) -> Result<String, String> {
    let (mut text, _) = write_plain(entry)?;
    for (_, variable) in entry.module.global_variables.iter() {
        if let GlobalVariable {
            name: Some(name),
            binding: Some(at),
            ..
        } = variable
        {
            text = text.replace(
                &format!("_group_{}_binding_{}_vs", at.group, at.binding),
                name,
            );
        }
    }
    Ok(text)
}

/// The module without its entry point.
fn without_entry(entry: &Entry, shader: &Shader) -> Result<(Module, ModuleInfo), String> {
    let mut module = entry.module.clone();
    module.entry_points.clear();
    let info = validated(&module, shader).map_err(|error| error.to_string())?;
    Ok((module, info))
}

fn wgsl_of(entry: &Entry, shader: &Shader) -> Result<String, String> {
    let (module, info) = without_entry(entry, shader)?;
    wgsl::write_string(&module, &info, wgsl::WriterFlags::empty())
        .map_err(|error| error.to_string())
}

fn hlsl_of(entry: &Entry, shader: &Shader) -> Result<String, String> {
    let (module, info) = without_entry(entry, shader)?;
    let options = hlsl_options();
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &hlsl::PipelineOptions::default())
        .write(&module, &info, None)
        .map_err(|error| error.to_string())?;
    Ok(plain_arrays(&text))
}

fn msl_of(entry: &Entry, shader: &Shader) -> Result<String, String> {
    let (module, info) = without_entry(entry, shader)?;
    let options = msl::Options {
        lang_version: (2, 0),
        // Every loop terminates.
        force_loop_bounding: false,
        ..msl::Options::default()
    };
    let (text, _) = msl::write_string(&module, &info, &options, &msl::PipelineOptions::default())
        .map_err(|error| error.to_string())?;
    Ok(text)
}
