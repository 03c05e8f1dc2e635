//! Support for the tests of several crates: a deliberately faulty parser, parsers with subtle mistakes, a second
//! evaluator, the browser, the test programs in `harness/tests/programs`, hostile text, and how much a test does.

pub mod browser;
pub mod extent;
pub mod faulty;
pub mod hostile;
pub mod programs;
pub mod second;
pub mod subtle;
