//! Implementations that are built in: the reference, and third-party crates.

mod reference;
#[cfg(feature = "builtin")]
mod robots_txt;
#[cfg(feature = "builtin")]
mod robotstxt;
#[cfg(feature = "builtin")]
mod robotxt;
#[cfg(feature = "builtin")]
mod texting_robots;

pub use reference::Reference;

use crate::implementation::Implementation;
#[cfg(feature = "builtin")]
use crate::implementation::Info;

/// A built-in implementation, by name.
pub fn find(name: &str) -> Option<Box<dyn Implementation + Send>> {
    Some(match name {
        "reference" => Box::new(Reference::default()),
        #[cfg(feature = "builtin")]
        "robots_txt" => Box::new(robots_txt::RobotsTxtCrate),
        #[cfg(feature = "builtin")]
        "robotstxt" => Box::new(robotstxt::RobotstxtCrate),
        #[cfg(feature = "builtin")]
        "robotxt" => Box::new(robotxt::RobotxtCrate),
        #[cfg(feature = "builtin")]
        "texting_robots" => Box::new(texting_robots::TextingRobotsCrate),
        _ => return None,
    })
}

/// The names of the built-in implementations, the reference first.
#[cfg(feature = "builtin")]
pub const NAMES: &[&str] = &["reference", "robotstxt", "texting_robots", "robotxt", "robots_txt"];

/// Whether there are patterns and URLs for which it does not come to an end in a lifetime. No thread can be ended
/// from outside, so it wants a process of its own.
#[cfg(feature = "builtin")]
pub fn may_hang(name: &str) -> bool {
    name == "robotstxt"
}

/// Who a crate is.
#[cfg(feature = "builtin")]
fn crate_info(name: &str, version: &str) -> Info {
    Info {
        name: name.to_owned(),
        version: Some(version.to_owned()),
        language: Some("rust".to_owned()),
        homepage: Some(format!("https://crates.io/crates/{name}")),
    }
}
