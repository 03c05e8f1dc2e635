//! JSON Schemas of texts that have a form, and of values that are written by hand.

use std::borrow::Cow;

use robotspec_reference::Edition;
use robotspec_reference::grammar::{Expected, Production};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// Declares the schema of each text: of a type that is written as a text, or of a name that is a [`String`] in the code.
macro_rules! texts {
    ($($Name:ident: $about:literal = $pattern:expr,)+) => {$(
        impl schemars::JsonSchema for $Name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "description": $about, "type": "string", "pattern": $pattern })
            }
        }
    )+};
}
pub(crate) use texts;

/// The name of a clause.
pub struct ClauseId;

/// What a check is reported under: a clause, or its case.
pub struct ClauseOrCase;

/// The name of a question.
pub struct QuestionId;

/// The name of a suite, a case or a row.
pub struct Id;

texts! {
    ClauseOrCase: "The permanent name of a clause, such as `M-star`, or of a case that cites none, such as `my-suite/shop`."
        = "^([LGAMOSHCXN]-[a-z0-9-]+|[a-z0-9-]+/[a-z0-9-]+)$",
    ClauseId: "The permanent name of a clause, such as `M-star`." = "^[LGAMOSHCXN]-[a-z0-9-]+$",
    Id: "A permanent name, which is unique in its table." = "^[a-z0-9-]+$",
    QuestionId: "The permanent name of a question: see `robotspec editions`." = "^[A-Z][A-Za-z0-9]*$",
}

/// The word for what a crawler may fetch.
pub(crate) struct AccessOutcome;

impl JsonSchema for AccessOutcome {
    fn schema_name() -> Cow<'static, str> {
        "AccessOutcome".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What a crawler may fetch.",
            "oneOf": [
                { "const": "full-allow", "description": "Every path." },
                { "const": "full-disallow", "description": "No path." },
                { "const": "conditional", "description": "Every path but `/private`." },
                { "const": "unspecified", "description": "The edition does not specify the answer." },
                { "type": "string", "pattern": "^/", "description": "Every path but this one." },
            ],
        })
    }
}

/// Returns the schema of a case with a file, as `robots` or `robots-file`, and these keys.
pub(crate) fn with_file(keys: &[&str]) -> Schema {
    json_schema!({ "required": keys, "oneOf": [{ "required": ["robots"] }, { "required": ["robots-file"] }] })
}

/// Returns the schema of values by edition.
pub(crate) fn by_edition<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let editions: Vec<&str> = Edition::ALL.into_iter().map(Edition::id).chain(["otherwise"]).collect();
    json_schema!({
        "type": "object",
        "propertyNames": { "enum": editions },
        "additionalProperties": generator.subschema_for::<T>(),
        "minProperties": 1,
    })
}

/// Returns the schema of the name of a production.
pub(crate) fn production(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": Production::ALL.map(Production::id) })
}

/// Returns the schema of the name of a symbol of the grammar.
pub(crate) fn symbol(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": Expected::ALL.map(Expected::id) })
}
