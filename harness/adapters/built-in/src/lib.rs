//! Implementations that are built in: the reference, and third-party crates.

mod robots_txt;
mod robotstxt;
mod robotxt;
mod texting_robots;

use robotspec::Reference;
use robotspec::implementation::{Implementation, Info};

/// A built-in implementation, by name.
pub fn find(name: &str) -> Option<Box<dyn Implementation + Send>> {
    Some(match name {
        "reference" => Box::new(Reference::default()),
        "robots_txt" => Box::new(robots_txt::RobotsTxtCrate),
        "robotstxt" => Box::new(robotstxt::RobotstxtCrate),
        "robotxt" => Box::new(robotxt::RobotxtCrate),
        "texting_robots" => Box::new(texting_robots::TextingRobotsCrate),
        _ => return None,
    })
}

/// The names of the built-in implementations, the reference first.
pub const NAMES: &[&str] = &["reference", "robotstxt", "texting_robots", "robotxt", "robots_txt"];

/// The list of what a parser is known to get wrong, as YAML; `None` for the reference.
pub fn known_failures(name: &str) -> Option<&'static str> {
    Some(match name {
        "robots_txt" => include_str!("../known-failures/robots_txt.yaml"),
        "robotstxt" => include_str!("../known-failures/robotstxt.yaml"),
        "robotxt" => include_str!("../known-failures/robotxt.yaml"),
        "texting_robots" => include_str!("../known-failures/texting_robots.yaml"),
        _ => return None,
    })
}

/// Whether there are patterns and URLs for which it does not come to an end in a lifetime. No thread can be ended
/// from outside, so it wants a process of its own.
pub fn may_hang(name: &str) -> bool {
    name == "robotstxt"
}

/// Who a crate is.
fn crate_info(name: &str, version: &str) -> Info {
    Info {
        name: name.to_owned(),
        version: Some(version.to_owned()),
        language: Some("rust".to_owned()),
        homepage: Some(format!("https://crates.io/crates/{name}")),
    }
}
