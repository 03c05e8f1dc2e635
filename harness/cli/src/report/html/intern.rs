//! Things that occur many times, kept once and named by their place.

use std::collections::HashMap;
use std::hash::Hash;

use serde::{Serialize, Serializer};

/// A list in which everything stands once.
#[derive(Debug, Clone)]
pub(super) struct Interner<T> {
    places: HashMap<T, u32>,
    list: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { places: HashMap::new(), list: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// The place of a thing, which is added where it is new.
    pub(super) fn place(&mut self, thing: T) -> u32 {
        if let Some(&place) = self.places.get(&thing) {
            return place;
        }
        // More than `u32::MAX` of them would not fit into memory.
        let place = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.places.insert(thing.clone(), place);
        self.list.push(thing);
        place
    }

    /// The thing at a place.
    pub(super) fn get(&self, place: u32) -> Option<&T> {
        self.list.get(place as usize)
    }

    /// Everything, in its order.
    pub(super) fn list(&self) -> &[T] {
        &self.list
    }
}

impl<T: Serialize> Serialize for Interner<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl Interner<String> {
    /// The place of a text that is there.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.places.get(text).copied()
    }

    /// The place of a text.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        match self.places.get(text) {
            Some(&place) => place,
            None => self.place(text.to_owned()),
        }
    }
}
