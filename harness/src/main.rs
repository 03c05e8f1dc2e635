//! The robots.txt specification, executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    robotspec::cli::main()
}
