//! An implementation under test: how robotspec connects to it, and its name, list and limits.

use std::collections::HashSet;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use regex::bytes::Regex;
use robotspec::external::{Adapter, AdapterLimits, Command, Crawler, Meaning};
use robotspec::{Batch, BatchAnswer, Endpoint, InProcess, Incident, Info, KnownFailures, Subject};
use robotspec_built_in::BuiltIn;
use robotspec_cases::Query;
use robotspec_fuzz::Make;
use robotspec_reference::Edition;
use robotspec_text::{visible, visible_path};

use crate::command::values::{at_least_one, nearest, read_text_file, seconds, size};
use crate::output;

/// An implementation under test.
#[derive(Debug, Clone)]
pub(super) struct Implementation {
    pub(super) kind: ImplementationKind,
    /// The name that a configuration gives it.
    pub(super) name: Option<String>,
    /// The file with the list of its known failures.
    pub(super) known_failures: Option<PathBuf>,
    pub(super) limits: Limits,
}

/// How robotspec connects to an implementation.
#[derive(Debug, Clone)]
pub(super) enum ImplementationKind {
    BuiltIn(&'static BuiltIn),
    /// A command that speaks the adapter protocol.
    Adapter(String),
    /// A command that is run once for each check.
    Exec {
        command: String,
        meaning: Meaning,
    },
    /// A command that crawls a site.
    Crawler(String),
}

/// The heading of the arguments about implementations in help texts.
pub(super) const HEADING: &str = "Implementations";

/// The limits of an implementation, where they are given.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct Limits {
    /// The time limit of a request, in seconds; an adapter has at least 30 to start [default: 5]
    #[arg(long, help_heading = HEADING, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,

    /// The number of processes that work at the same time [default: one for each core]
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = at_least_one())]
    pub(super) jobs: Option<NonZeroU16>,

    /// The number of requests on which an adapter may fail, or of lines of text that are no replies,
    /// before it receives no further requests [default: 100; 3 for lines of text]
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = at_least_one())]
    pub(super) max_failures: Option<NonZeroU16>,

    /// The memory that the processes of an adapter may use, such as 512M or 2G; an adapter that uses
    /// more is killed, and its check crashes. Only Linux shows how much is used [default: no limit]
    #[arg(long, help_heading = HEADING, value_name = "SIZE", value_parser = size)]
    pub(super) memory_limit: Option<u64>,
}

/// Makes connections to an implementation, for the queries that an edition judges.
type Connect = Box<dyn Fn(Edition) -> Box<dyn Endpoint + Send> + Send + Sync>;

impl ImplementationKind {
    /// Returns a command that is run once for each check. One of two patterns matches its output, or else its exit
    /// status is one of these, by default 0 for allow and 1 for disallow.
    pub(super) fn exec(
        command: String,
        patterns: Option<(Regex, Regex)>,
        allow_exit: &[i32],
        disallow_exit: &[i32],
    ) -> Self {
        let or =
            |statuses: &[i32], default| if statuses.is_empty() { vec![default] } else { statuses.to_vec() };
        let meaning = match patterns {
            Some((allow, disallow)) => Meaning::Output { allow, disallow },
            None => Meaning::Status { allow: or(allow_exit, 0), disallow: or(disallow_exit, 1) },
        };
        ImplementationKind::Exec { command, meaning }
    }
}

impl Limits {
    /// Returns the limits that are given here, and where they are not, those of `others`.
    pub(super) fn or(self, others: Limits) -> Limits {
        Limits {
            timeout: self.timeout.or(others.timeout),
            jobs: self.jobs.or(others.jobs),
            max_failures: self.max_failures.or(others.max_failures),
            memory_limit: self.memory_limit.or(others.memory_limit),
        }
    }

    fn timeout(self) -> Duration {
        self.timeout.unwrap_or(AdapterLimits::default().request)
    }

    fn of_adapter(self) -> AdapterLimits {
        let defaults = AdapterLimits::default();
        let [failures, chatter] = [defaults.failures, defaults.chatter]
            .map(|default| self.max_failures.map_or(default, |most| most.get().into()));
        // A parser may start slowly and answer fast.
        let hello = self.timeout().max(defaults.hello);
        AdapterLimits { hello, request: self.timeout(), failures, chatter, memory: self.memory_limit }
    }

    /// Returns the number of jobs: one for each core, if no number is given.
    pub(super) fn jobs(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, |jobs| jobs.get().into())
    }
}

impl Implementation {
    pub(super) fn new(kind: ImplementationKind, limits: Limits) -> Self {
        Implementation { kind, name: None, known_failures: None, limits }
    }

    /// Returns every built-in implementation.
    pub(super) fn all_built_in(limits: Limits) -> Vec<Self> {
        let all = robotspec_built_in::ALL.iter();
        all.map(|built_in| Implementation::new(ImplementationKind::BuiltIn(built_in), limits)).collect()
    }

    fn built_in(&self) -> Option<&'static BuiltIn> {
        match self.kind {
            ImplementationKind::BuiltIn(built_in) => Some(built_in),
            _ => None,
        }
    }

    pub(super) fn is_built_in(&self) -> bool {
        self.built_in().is_some()
    }

    fn depends_on_edition(&self) -> bool {
        self.built_in().is_some_and(|built_in| built_in.depends_on_edition)
    }

    /// Returns the editions that judge it where none are named: the one that it claims to follow, or the usual ones.
    pub(super) fn usual_editions(&self) -> Vec<Edition> {
        let claimed = self.built_in().and_then(|built_in| built_in.claims);
        claimed.map_or(Edition::USUAL.to_vec(), |edition| vec![edition])
    }

    /// Returns whether it claims to follow one of these editions. Most implementations do not say which one they follow.
    pub(super) fn claims_any(&self, editions: &[Edition]) -> bool {
        let claimed = self.built_in().and_then(|built_in| built_in.claims);
        claimed.is_none_or(|edition| editions.contains(&edition))
    }

    /// Returns whether it can be sent a query, because what connects it has a way to.
    pub(super) fn can_be_sent(&self, query: &Query) -> bool {
        match self.kind {
            ImplementationKind::BuiltIn(_) | ImplementationKind::Adapter(_) => true,
            ImplementationKind::Exec { .. } => matches!(query, Query::Match { .. } | Query::Alike { .. }),
            ImplementationKind::Crawler(_) => matches!(query, Query::Access { .. }),
        }
    }

    /// Returns the command that starts it, if it is not built in.
    pub(super) fn command(&self) -> Option<&str> {
        match &self.kind {
            ImplementationKind::BuiltIn(_) => None,
            ImplementationKind::Adapter(command)
            | ImplementationKind::Exec { command, .. }
            | ImplementationKind::Crawler(command) => Some(command),
        }
    }

    /// Returns the name for messages.
    pub(super) fn label(&self) -> &str {
        let own = self.built_in().map(|built_in| built_in.name).or(self.command());
        self.name.as_deref().or(own).unwrap_or_default()
    }

    /// Returns the command that updates a list about it.
    pub(super) fn known_update(&self, list: &Path) -> String {
        let quote = |text: &str| shell_words::quote(text).into_owned();
        let own = self.name.as_deref().map_or_else(|| self.arguments(), quote);
        format!("robotspec known update --known-failures {} {own}", quote(&list.to_string_lossy()))
    }

    /// Returns the arguments of `robotspec run` that name it.
    pub(super) fn arguments(&self) -> String {
        let quoted = |option: &str, value: &str| format!("--{option} {}", shell_words::quote(value));
        match &self.kind {
            ImplementationKind::BuiltIn(built_in) => built_in.name.to_owned(),
            ImplementationKind::Adapter(command) => quoted("adapter", command),
            ImplementationKind::Crawler(command) => quoted("crawler", command),
            ImplementationKind::Exec { command, meaning: Meaning::Output { allow, disallow } } => [
                quoted("exec", command),
                quoted("allow-pattern", allow.as_str()),
                quoted("disallow-pattern", disallow.as_str()),
            ]
            .join(" "),
            ImplementationKind::Exec { command, meaning: Meaning::Status { allow, disallow } } => {
                let mut arguments = vec![quoted("exec", command)];
                for (option, statuses, default) in [("allow-exit", allow, 0), ("disallow-exit", disallow, 1)]
                {
                    let given = statuses.iter().filter(|_| *statuses != [default]);
                    arguments.extend(given.map(|status| format!("--{option} {status}")));
                }
                arguments.join(" ")
            }
        }
    }

    /// Returns how to connect, under the name that a configuration gives it. `is_isolated`: a built-in parser that may hang works in a process of its own, which can
    /// be ended. Commands that generate inputs need this.
    ///
    /// # Errors
    ///
    /// A command is not a list of words, or lacks one, or its patterns overlap.
    fn connect(&self, is_isolated: bool) -> Result<Connect> {
        let (timeout, jobs) = (self.limits.timeout(), self.limits.jobs());
        let connect: Connect = match &self.kind {
            ImplementationKind::BuiltIn(built_in) if is_isolated && built_in.may_hang => {
                let program = std::env::current_exe().context("cannot find the path of this program")?;
                let program = program.to_string_lossy();
                connect_adapter(&shell_words::join([&program, "adapter", built_in.name]), self.limits)?
            }
            ImplementationKind::BuiltIn(built_in) => {
                let make = built_in.make;
                Box::new(move |edition| Box::new(InProcess::new(move || make(edition), timeout)))
            }
            ImplementationKind::Adapter(command) => connect_adapter(command, self.limits)?,
            ImplementationKind::Exec { command, meaning } => {
                refuse_overlap(meaning)?;
                let command = Command::new(command, meaning.clone(), timeout, jobs)?;
                Box::new(move |_| Box::new(command.clone()))
            }
            ImplementationKind::Crawler(command) => {
                let crawler = Crawler::new(command, timeout, jobs)?;
                Box::new(move |_| Box::new(crawler.clone()))
            }
        };
        let Some(name) = self.name.clone() else { return Ok(connect) };
        Ok(Box::new(move |edition| Box::new(Renamed { name: name.clone(), endpoint: connect(edition) })))
    }

    /// Returns the implementation as the subject of a run.
    ///
    /// # Errors
    ///
    /// A command is not a list of words, or lacks one.
    pub(super) fn subject(&self, known: KnownFailures) -> Result<Subject> {
        let connect = self.connect(false)?;
        let mut subject = match self.depends_on_edition() {
            true => Subject::by_edition(connect),
            false => Subject::new(move || connect(Edition::Rfc9309)),
        };
        subject.known = known;
        Ok(subject)
    }

    /// Returns the list of its known failures.
    ///
    /// # Errors
    ///
    /// The file does not exist, cannot be read, or is not a list.
    pub(super) fn known_failures(&self) -> Result<KnownFailures> {
        match (self.built_in(), &self.known_failures) {
            (Some(BuiltIn { name, known_failures: Some(text), .. }), _) => {
                let file = format!("harness/adapters/built-in/known-failures/{name}.yaml");
                Ok(KnownFailures::read(Path::new(&file), text)?)
            }
            (None, Some(file)) => {
                read_known_failures(file, &format!("`{}` writes it", self.known_update(file)))
            }
            _ => Ok(KnownFailures::default()),
        }
    }
}

/// Reads a list of known failures.
///
/// # Errors
///
/// The file does not exist, cannot be read, or is not a list.
pub(super) fn read_known_failures(file: &Path, help: &str) -> Result<KnownFailures> {
    if !file.exists() {
        bail!("{} does not exist; {help}, and an empty file is an empty list", visible_path(file));
    }
    Ok(KnownFailures::read(file, &read_text_file(file)?)?)
}

/// Refuses two patterns of which one is a plain text that the other matches, too: no output has one meaning then.
fn refuse_overlap(meaning: &Meaning) -> Result<()> {
    let Meaning::Output { allow, disallow } = meaning else { return Ok(()) };
    for (name, text, other_name, other) in
        [("allow", allow, "disallow", disallow), ("disallow", disallow, "allow", allow)]
    {
        let text = text.as_str();
        if regex::escape(text) == text && other.is_match(text.as_bytes()) {
            let (text, other) = (visible(text), visible(other.as_str()));
            bail!(
                "--{other_name}-pattern `{other}` also matches the text of --{name}-pattern, `{text}`; write the whole \
                 line, as in `^{other}$`"
            );
        }
    }
    Ok(())
}

fn connect_adapter(command: &str, limits: Limits) -> Result<Connect> {
    let launch = Adapter::launcher(command, limits.of_adapter())?;
    Ok(Box::new(move |_| Box::new(launch())))
}

/// Returns how to connect to each implementation, for queries that these editions judge. Crawlers are left out with a warning, and where several editions judge, so are implementations that
/// answer as one edition: only `robotspec run` can judge them.
///
/// # Errors
///
/// A command is not a list of words, or no implementation is left.
pub(super) fn connect_all(
    implementations: &[Implementation],
    is_isolated: bool,
    editions: &[Edition],
) -> Result<Vec<Make>> {
    let mut makes: Vec<Make> = Vec::new();
    for implementation in implementations {
        let reason = match (&implementation.kind, editions) {
            (ImplementationKind::Crawler(_), _) => "is a crawler, which only `robotspec run` can judge",
            (_, [_, _, ..]) if implementation.depends_on_edition() => "answers as one --edition at a time",
            _ => "",
        };
        if !reason.is_empty() {
            output::warning(&format!("{} {reason}: left out", visible(implementation.label())));
            continue;
        }
        let connect = implementation.connect(is_isolated)?;
        let edition = editions.first().copied().unwrap_or(Edition::Rfc9309);
        makes.push(Box::new(move || connect(edition)));
    }
    if makes.is_empty() && !implementations.is_empty() {
        bail!("no implementation is left; name another one");
    }
    Ok(makes)
}

/// Says that a name is neither one of these nor that of a built-in implementation.
pub(super) fn unknown_implementation<'n>(name: &str, own: impl IntoIterator<Item = &'n str>) -> String {
    let available: Vec<&str> = own.into_iter().chain(robotspec_built_in::names()).collect();
    let meant = nearest(available.iter().copied(), name);
    let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    visible(&format!("unknown implementation `{name}`; available: {}{meant}", available.join(", ")))
}

/// Checks that implementations have different names, because reports distinguish results by them.
///
/// # Errors
///
/// Two have the same name.
pub(super) fn refuse_same_names(names: impl IntoIterator<Item = String>) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names {
        if let Some(name) = seen.replace(name) {
            bail!("two implementations have the name `{name}`; give each its own `name` in robotspec.toml");
        }
    }
    Ok(())
}

/// An endpoint under another name.
struct Renamed {
    name: String,
    endpoint: Box<dyn Endpoint + Send>,
}

impl Endpoint for Renamed {
    fn info(&self) -> Info {
        Info { name: self.name.clone(), ..self.endpoint.info() }
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        self.endpoint.answer(batches, on_answer);
    }

    fn starts_anew(&self) -> bool {
        self.endpoint.starts_anew()
    }

    fn finish(&mut self) {
        self.endpoint.finish();
    }

    fn incidents(&mut self) -> Vec<Incident> {
        self.endpoint.incidents()
    }
}
