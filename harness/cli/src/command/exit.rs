//! Exit codes.

/// Everything is as expected; or the answer is *allow*, or *yes*.
pub(super) const OK: u8 = 0;
/// Something is not as expected; or the answer is *disallow*, or *no*.
pub(super) const FAILED: u8 = 1;
/// The command or a file is wrong.
pub(super) const USAGE: u8 = 2;
/// Some checks were not run.
pub(super) const INCOMPLETE: u8 = robotspec::INCOMPLETE;
/// The edition does not specify the answer.
pub(super) const UNSPECIFIED: u8 = 4;
/// A fault of robotspec itself.
pub(super) const FAULT: i32 = 4;

pub(super) const OF_RUN: &str = "\
Exit codes of run:
  0  everything is as expected, known failures included
  1  there are failures that no list has, or a list is out of date; with --level must, departures
     from recommendations do not count
  2  the command or a file is wrong and nothing was run, or a report cannot be written
  3  an implementation could not be run, or not to the end, or supports none of the checks
  4  a fault of robotspec itself
  128 + the number of the signal, such as 130 after Ctrl-C: interrupted; the reports have what was
     judged until then, and a second signal ends the program at once";

pub(super) const OF_ANSWERS: &str = "\
Exit codes of check and scope, for one query:
  0  allow, yes
  1  disallow, no
  2  the command or a file is wrong
  4  unspecified: the edition does not specify the answer";
