//! Starts the program `robotspec` and checks its output, its files and its exit codes.

#[cfg(unix)]
mod actions;
mod adapter;
mod ask;
mod case_files;
mod cases;
mod check_several;
mod configuration;
mod crawler;
mod docs;
mod editions;
mod exec;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod full_disk;
mod fuzz_command;
mod fuzz_files;
mod help;
#[cfg(unix)]
mod hostile;
mod html_report;
mod imported;
mod init;
mod known_update;
mod lint;
mod machine;
mod output;
mod own_suite;
mod refused;
mod reports;
mod results;
mod run_configuration;
mod schemas;
mod shards;
mod shell;
#[cfg(unix)]
mod signals;
#[cfg(target_os = "linux")]
mod soak;
mod support;
#[cfg(unix)]
mod tools;
mod transcripts;
