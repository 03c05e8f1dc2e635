//! Implementations that are separate programs.

pub mod crawler;
pub mod exec;
pub mod live;
mod parallel;
mod process;
pub mod protocol;
pub mod subprocess;
