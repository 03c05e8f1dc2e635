//! Support for the tests of several crates: a deliberately faulty parser, parsers with subtle mistakes, a client, the
//! test programs in `harness/tests/programs`, and hostile text.

pub mod client;
pub mod faulty;
pub mod hostile;
pub mod programs;
pub mod subtle;
