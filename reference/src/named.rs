//! The one declaration of an enum whose values have permanent names.

/// Declares an enum whose values have names: on the command line, in files and in reports.
///
/// The macro derives `ALL`, `id`, `Display`, `FromStr`, `Serialize`, `Deserialize` and the JSON Schema from the one list,
/// so that no second table of names exists.
#[macro_export]
macro_rules! named_enum {
    (
        $(#[doc = $about:literal])*
        pub enum $Name:ident: $noun:literal $(, default $Default:ident)? {
            $($Value:ident = $id:literal $(: $doc:literal)?,)+
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $($(#[doc = $doc])? $Value,)+
        }

        $crate::named_schema! {
            $Name, [$($about),*], $($id: [$($doc)?],)+
        }

        impl $Name {
            /// Every value, in the order of its declaration.
            pub const ALL: [$Name; [$($id),+].len()] = [$($Name::$Value),+];

            /// Returns the permanent name.
            pub const fn id(self) -> &'static str {
                match self {
                    $($Name::$Value => $id,)+
                }
            }
        }

        $(impl ::std::default::Default for $Name {
            fn default() -> Self {
                $Name::$Default
            }
        })?

        impl ::std::fmt::Display for $Name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.id())
            }
        }

        impl ::std::str::FromStr for $Name {
            type Err = $crate::named::UnknownName;

            fn from_str(name: &str) -> ::std::result::Result<Self, Self::Err> {
                let found = $Name::ALL.into_iter().find(|value| value.id() == name);
                found.ok_or_else(|| $crate::named::UnknownName {
                    noun: $noun,
                    name: name.to_owned(),
                    known: &[$($id),+],
                })
            }
        }

        impl $crate::named::serde::Serialize for $Name {
            fn serialize<S: $crate::named::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.id())
            }
        }

        impl<'de> $crate::named::serde::Deserialize<'de> for $Name {
            fn deserialize<D: $crate::named::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                $crate::named::deserialize(deserializer)
            }
        }
    };
}

/// Implements `JsonSchema` for an enum whose values have names, if schemas are compiled.
#[cfg(feature = "schema")]
#[doc(hidden)]
#[macro_export]
macro_rules! named_schema {
    ($Name:ident, $about:expr, $($id:literal: $doc:expr,)+) => {
        impl $crate::named::schemars::JsonSchema for $Name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut $crate::named::schemars::SchemaGenerator) -> $crate::named::schemars::Schema {
                $crate::named::schema(&$about, &[$(($id, &$doc)),+])
            }
        }
    };
}

#[cfg(not(feature = "schema"))]
#[doc(hidden)]
#[macro_export]
macro_rules! named_schema {
    ($($part:tt)*) => {};
}

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "schema")]
#[doc(hidden)]
pub use schemars;
#[doc(hidden)]
pub use serde;
use serde::de::{Deserializer, Error, Visitor};

/// A text that is not the name of any value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The kind of value, such as `edition`.
    pub noun: &'static str,
    /// The text.
    pub name: String,
    /// Every name.
    pub known: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownName { noun, name, known } = self;
        write!(f, "unknown {noun} `{name}`; available: {}", known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// Reads a value by its name, without an allocation where the name is known.
#[doc(hidden)]
pub fn deserialize<'de, T: FromStr<Err = UnknownName>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    struct Name<T>(std::marker::PhantomData<T>);

    impl<T: FromStr<Err = UnknownName>> Visitor<'_> for Name<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a name")
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
            name.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Name(std::marker::PhantomData))
}

/// Returns the schema of a name, from the lines of the documentation of the enum and of each value.
#[cfg(feature = "schema")]
#[doc(hidden)]
pub fn schema(about: &[&str], values: &[(&str, &[&str])]) -> schemars::Schema {
    let text = |lines: &[&str]| lines.concat().trim().to_owned();
    let values =
        values.iter().map(|(id, doc)| schemars::json_schema!({ "const": id, "description": text(doc) }));
    schemars::json_schema!({ "description": text(about), "oneOf": values.collect::<Vec<_>>() })
}
