//! Support for the tests of several crates: a deliberately faulty parser, the test programs in `harness/examples`, and
//! hostile text.

pub mod faulty;
pub mod hostile;
pub mod programs;
