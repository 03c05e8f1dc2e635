//! Support for the tests of several crates: the test programs in `harness/examples`.

pub mod programs;
