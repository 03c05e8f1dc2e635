//! Deserialises enums with fields from `name` or `{name: value}`. The derive of serde
//! accepts this form in JSON, but `serde_yaml` requires a YAML tag, `!name value`.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, Unexpected, VariantAccess,
    Visitor,
};

/// Deserialises an enum `T` that derives `Deserialize`.
pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_any(Tagged(PhantomData))
}

/// Deserialises the value of an optional key that is present.
pub(super) fn optional<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    deserialize(from).map(Some)
}

struct Tagged<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Tagged<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name, or a map from a name to its value")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        T::deserialize(Name { name, error: PhantomData })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// A name without a value: a variant whose fields have their defaults.
struct Name<'a, E> {
    name: &'a str,
    error: PhantomData<E>,
}

impl<'de, E: Error> Deserializer<'de> for Name<'_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, E: Error> EnumAccess<'de> for Name<'_, E> {
    type Error = E;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), E> {
        Ok((seed.deserialize(self.name.into_deserializer())?, self))
    }
}

impl<'de, E: Error> VariantAccess<'de> for Name<'_, E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, E> {
        Err(E::invalid_type(Unexpected::Str(self.name), &"a map from this name to its value"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, E> {
        Err(E::invalid_type(Unexpected::Str(self.name), &"a map from this name to its value"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, E> {
        let nothing: [(&str, &str); 0] = [];
        visitor.visit_map(MapDeserializer::<_, E>::new(nothing.into_iter()))
    }
}
