//! Lists the files of `suites/`, so that the crate embeds each of them.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=suites");
    let mut names = Vec::new();
    for entry in fs::read_dir("suites")? {
        names.extend(entry?.file_name().into_string().ok().filter(|name| name.ends_with(".yaml")));
    }
    names.sort();
    let mut list = "&[\n".to_owned();
    for name in names {
        let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/suites/\", {name:?}))");
        writeln!(list, "    SuiteFile {{ name: {name:?}, text: {text} }},")?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("suites.rs"), list)?;
    Ok(())
}
