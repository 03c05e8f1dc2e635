//! Support for the tests of several crates: a deliberately faulty parser, parsers with subtle mistakes, a client, the
//! browser, the test programs in `harness/tests/programs`, and hostile text.

pub mod browser;
pub mod client;
pub mod faulty;
pub mod hostile;
pub mod programs;
pub mod subtle;
