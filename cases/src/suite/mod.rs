//! Files of cases: the format, the strict loader and the writer.

mod bytes;
pub mod format;
mod kind;
mod load;
mod robots_file;
mod write;
pub mod write_case;

pub use crate::check::{Deciding, Reasons};
pub use load::case::absolute_url;
pub use load::{built_in, built_in_suite, load, load_file};
