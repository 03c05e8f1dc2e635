//! Signals that end the program.

use std::process::{Command, exit};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
#[cfg(unix)]
use std::{fs, os::unix::process::CommandExt, thread};

use anyhow::{Context, Result};
use robotspec::external::guard;
use robotspec::interrupt;
#[cfg(unix)]
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

/// The name of the command that is the guard.
pub(super) const GUARD: &str = "guard";

/// The exit code for the first signal; 0 before it.
static CODE: AtomicU8 = AtomicU8::new(0);

/// Whether the command ends by itself after a signal, because it has results to write.
static HAS_RESULTS: AtomicBool = AtomicBool::new(false);

/// Lets signals end the program: at once, or after [`write_results_first`] at the second signal.
///
/// # Errors
///
/// The system refuses to register a signal.
pub(super) fn handle() -> Result<()> {
    guard::use_command(guard_command);
    wait_for_signals().context("cannot wait for signals")
}

#[cfg(unix)]
fn wait_for_signals() -> Result<()> {
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = Signals::new(signals)?;
    thread::spawn(move || signals.forever().for_each(end_by));
    Ok(())
}

/// Windows has no signals: Ctrl-C and the end of the console count as an interrupt.
#[cfg(windows)]
fn wait_for_signals() -> Result<()> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(|| end_by(SIGINT))?;
    Ok(())
}

fn end_by(signal: i32) {
    let code = u8::try_from(128 + signal).unwrap_or(u8::MAX);
    CODE.store(code, Ordering::Relaxed);
    if interrupt::request() || !HAS_RESULTS.load(Ordering::Relaxed) {
        // The guard ends what this leaves behind.
        exit(code.into());
    }
}

/// Lets the command end by itself after the first signal.
pub(super) fn write_results_first() {
    HAS_RESULTS.store(true, Ordering::Relaxed);
}

/// Returns the exit code of a command that a signal ended, and else this one.
pub(super) fn exit_code_or(code: u8) -> u8 {
    match CODE.load(Ordering::Relaxed) {
        0 => code,
        signal => signal,
    }
}

/// Returns whether the program was started with a signal ignored, as `nohup` does, so that it stays ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    ignored & (1 << (signal - 1)) != 0
}

/// Returns the command of the guard. It has another name, so that a command that kills every `robotspec` spares it.
fn guard_command() -> Command {
    // The name of this file on Linux still works when the program was replaced or removed.
    let this = match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => std::env::current_exe().unwrap_or_default(),
    };
    let mut command = Command::new(this);
    #[cfg(unix)]
    command.arg0("robots-guard");
    command.arg(GUARD);
    command
}
