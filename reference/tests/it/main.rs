//! Properties that hold for every file, agent and URL, checked on generated values. The seed is fixed, so that every
//! run checks the same values.

mod generate;
mod properties;
mod scan;
