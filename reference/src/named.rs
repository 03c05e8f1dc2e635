//! The one declaration of an enum whose values have permanent names.

/// Declares an enum whose values have names: on the command line, in files and in reports.
///
/// The macro derives `ALL`, `id`, `Display`, `FromStr`, `Serialize` and `Deserialize` from the one list, so that no
/// second table of names exists.
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        pub enum $Name:ident: $noun:literal {
            $($(#[$doc:meta])* $Value:ident = $id:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $($(#[$doc])* $Value,)+
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

use std::fmt;
use std::str::FromStr;

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
