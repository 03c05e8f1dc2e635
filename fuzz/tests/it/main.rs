//! Tests of the fuzzing engine.

mod reading;
mod searches;
