//! A deliberately faulty parser, written independently of the reference.
//!
//! Without a mistake it is a sound parser of RFC 9309: where the text does not specify an outcome, it does what most
//! parsers do. With one or several [mistakes](Mistake) it is wrong in these respects and in no other.

mod access;
mod mistake;
pub(crate) mod parser;
pub(crate) mod path;
mod scope;

pub use mistake::Mistake;
pub use parser::FaultyParser;
