//! A command that is started anew for each check, with values in place of its placeholders.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{LazyLock, Mutex, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use regex::{Captures, Regex};
use robotspec_text::visible;

use super::process::Child;
use crate::answer::Fault;
use crate::endpoint::{Batch, BatchAnswer, Incident, OnAnswer};
use crate::interrupt;

/// A command that cannot be split into words as a POSIX shell splits them, or lacks a word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the command `{}` cannot be run: {reason}", visible(.command))]
pub struct BadCommand {
    /// The command.
    pub command: String,
    /// What is wrong with it.
    pub reason: String,
}

impl BadCommand {
    fn new(command: &str, reason: &str) -> Self {
        BadCommand { command: command.to_owned(), reason: reason.to_owned() }
    }
}

/// What looks like a placeholder: a word of small letters in braces.
static PLACEHOLDER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{[a-z]+\}").expect("the expression is correct"));

/// A command, and whether it can be started.
#[derive(Debug, Clone)]
pub(super) struct Launcher {
    /// The command, as the user wrote it.
    pub(super) command: String,
    words: Vec<String>,
    /// The time that each of its processes may take.
    timeout: Duration,
    /// How many processes run at the same time.
    jobs: usize,
    /// The reason why the command cannot be started, once a start has failed.
    failure: OnceLock<String>,
    is_reported: bool,
}

impl Launcher {
    /// Returns a command with `{url}` and others of the placeholders. `example` is a correct command for the error message.
    ///
    /// # Errors
    ///
    /// The command cannot be split into words, has no `{url}`, or has another word in braces.
    pub(super) fn new(
        command: &str,
        example: &str,
        placeholders: &[&str],
        timeout: Duration,
        jobs: usize,
    ) -> Result<Self, BadCommand> {
        let launcher = Launcher {
            command: command.to_owned(),
            words: words(command)?,
            timeout,
            jobs,
            failure: OnceLock::new(),
            is_reported: false,
        };
        let names = launcher.words.iter().flat_map(|word| PLACEHOLDER.find_iter(word));
        let mut names = names.map(|name| name.as_str());
        let reason = match names.find(|name| !placeholders.contains(name)) {
            Some(unknown) => format!("`{unknown}` is no placeholder; there are {}", placeholders.join(", ")),
            None if launcher.has_placeholder("{url}") => return Ok(launcher),
            None => format!("it has no `{{url}}`; write for example `{example}`"),
        };
        Err(BadCommand::new(command, &reason))
    }

    pub(super) fn has_placeholder(&self, placeholder: &str) -> bool {
        self.words.iter().any(|word| word.contains(placeholder))
    }

    /// Makes relative paths of existing files absolute, for a command that runs in another folder. A word without a slash
    /// is one if a file has this name, but not as the program, which is looked for in the search path.
    pub(super) fn make_paths_absolute(&mut self) {
        for (place, word) in
            self.words.iter_mut().enumerate().filter(|(_, word)| Path::new(word).is_relative())
        {
            let Ok(path) = std::path::absolute(&*word) else { continue };
            let is_meant = if word.contains('/') { path.exists() } else { place > 0 && path.is_file() };
            if is_meant {
                *word = path.to_string_lossy().into_owned();
            }
        }
    }

    /// Starts the command no more, for this reason. Returns the fault of the checks that follow.
    pub(super) fn give_up(&self, reason: String) -> Fault {
        Fault::NotRun(self.failure.get_or_init(|| reason).as_str().into())
    }

    /// Checks that no start has failed, and that the run goes on.
    ///
    /// # Errors
    ///
    /// The command cannot be started, or the run was interrupted.
    pub(super) fn ensure_startable(&self) -> Result<(), Fault> {
        match self.failure.get() {
            Some(reason) => Err(Fault::NotRun(reason.as_str().into())),
            None if interrupt::is_requested() => Err(interrupt::fault()),
            None => Ok(()),
        }
    }

    /// Starts the command in a folder, unless a start has failed.
    ///
    /// # Errors
    ///
    /// The command cannot be started, with these values or at all; or the run was interrupted.
    pub(super) fn start(
        &self,
        values: &[(&str, &str)],
        folder: &Path,
        stdout: Stdio,
    ) -> Result<Child, Fault> {
        self.ensure_startable()?;
        let words: Vec<String> = self.words.iter().map(|word| fill(word, values)).collect();
        Child::start(&words, folder, stdout, None).map_err(|error| {
            // A value cannot be an argument of a process: it is too long, or has a NUL.
            if matches!(error.kind(), ErrorKind::ArgumentListTooLong | ErrorKind::InvalidInput) {
                return Fault::NotSupported;
            }
            self.give_up(describe_start(&self.words[0], &error))
        })
    }

    /// Returns the time at which a command has to be finished that is started now.
    pub(super) fn end(&self) -> Instant {
        Instant::now() + self.timeout
    }

    /// Waits for the end of a command. Returns its exit status.
    ///
    /// # Errors
    ///
    /// It did not end in time, or it was ended by a signal.
    pub(super) fn wait(&self, child: &mut Child, end: Instant) -> Result<ExitStatus, Fault> {
        match child.wait(end) {
            Some(status) if status.code().is_some() => Ok(status),
            Some(status) => Err(Fault::Crash(child.with_last_errors(status.to_string()).into())),
            None => Err(self.fault(child)),
        }
    }

    /// Returns the fault of a command that is not finished in time, or when the run was interrupted.
    pub(super) fn fault(&self, child: &Child) -> Fault {
        if interrupt::is_requested() {
            return interrupt::fault();
        }
        Fault::Timeout(child.with_last_errors(format!("it did not end in {:?}", self.timeout)).into())
    }

    /// Answers batches, several at the same time, and passes on each answer when it arrives.
    pub(super) fn answer_all(
        &self,
        batches: &[Batch],
        answer: impl Fn(&Batch) -> BatchAnswer + Sync,
        on_answer: OnAnswer,
    ) {
        let next = Mutex::new(0..batches.len());
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, batches.len().max(1)) {
                let (sender, next, answer) = (sender.clone(), &next, &answer);
                scope.spawn(move || {
                    let take = || next.lock().ok()?.next();
                    while let Some(index) = take() {
                        if sender.send((index, answer(&batches[index]))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            receiver.into_iter().for_each(|(index, answer)| on_answer(index, answer));
        });
    }

    /// Returns the incidents since the last call.
    pub(super) fn incidents(&mut self) -> Vec<Incident> {
        let reason = self.failure.get().filter(|_| !std::mem::replace(&mut self.is_reported, true));
        reason.map(|reason| Incident::GaveUp { reason: reason.clone() }).into_iter().collect()
    }
}

/// Describes why a program cannot be started, and what helps.
pub(super) fn describe_start(program: &str, error: &io::Error) -> String {
    let help = match error.kind() {
        ErrorKind::NotFound if program.contains('/') => "; build it first, such as with `go build`",
        ErrorKind::NotFound if Path::new(program).is_file() => "; a file in this folder needs `./` before it",
        ErrorKind::PermissionDenied => "; `chmod +x` makes it executable",
        _ => "",
    };
    format!("`{program}` cannot be started: {error}{help}")
}

/// Splits a command into words as a POSIX shell does.
pub(super) fn words(command: &str) -> Result<Vec<String>, BadCommand> {
    let words = shell_words::split(command)
        .map_err(|_| BadCommand::new(command, "a quotation mark is not closed"))?;
    if words.is_empty() { Err(BadCommand::new(command, "it is empty")) } else { Ok(words) }
}

/// Returns the word with values in place of its placeholders. A placeholder inside a value is not replaced.
fn fill(word: &str, values: &[(&str, &str)]) -> String {
    let value = |name: &Captures| {
        let known = values.iter().find(|(placeholder, _)| *placeholder == &name[0]);
        known.map_or(&name[0], |(_, value)| value).to_owned()
    };
    PLACEHOLDER.replace_all(word, value).into_owned()
}
