//! Support for the tests of several crates: a deliberately faulty parser, and the test programs in `harness/examples`.

pub mod faulty;
pub mod programs;
