//! The command `robotspec`.

mod command;
mod diff;
mod output;
mod report;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::main()
}
