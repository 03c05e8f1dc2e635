//! The command `robotspec`.

mod command;
mod diff;
mod output;
mod report;
mod schema;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::main()
}
