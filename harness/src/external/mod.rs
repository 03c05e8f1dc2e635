//! Implementations that are separate programs.

mod adapter;
mod command;
mod crawler;
pub mod guard;
mod launcher;
mod life;
mod live;
mod process;
mod protocol;
mod system;

pub use adapter::{Adapter, AdapterLimits};
pub use command::{Command, Meaning};
pub use crawler::{Crawler, linked, site_to_crawl};
pub use launcher::BadCommand;
pub use live::visit_to_play;
pub use protocol::{Reply, VERSION as PROTOCOL_VERSION, read_hello, read_reply};
