//! `robotspec profile`

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use comfy_table::{Table, presets};
use robotspec::Info;
use robotspec_cases::suite::{built_in, escaped};
use robotspec_cases::{Query, visible};
use robotspec_fuzz::profile::{self, Inferred, Profile};
use robotspec_reference::Edition;
use serde_json::{Value, json};

use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::OK;
use crate::command::implementation::connect_all;
use crate::command::implementations::Implementations;
use crate::command::values::Format;
use crate::output::{self, BAD, FAINT, GOOD, OPEN, STRONG, full_name, styled};

/// Find out how an implementation answers the questions that some editions do not decide
///
/// Sends queries that depend on one question only, from the cases and generated. Reports the answer
/// of the implementation to each question, the editions that admit it, and contradictory answers.
/// `robotspec editions` explains the questions.
///
/// Without an implementation, those of the project's robotspec.toml are used (see `robotspec run
/// --help`), except crawlers.
///
/// Examples:
///   robotspec profile robotxt
///   robotspec profile --adapter 'python3 my_adapter.py' --format json
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("names", |names| names.help("Implementations by name: names from robotspec.toml, or built-in ones [default: all of robotspec.toml]")),
)]
pub(super) struct Arguments {
    #[command(flatten)]
    implementations: Implementations,

    /// The format of the output; json is one object per implementation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn profile(arguments: &Arguments) -> Result<u8> {
    let implementations = arguments.implementations.choose(&Config::find(&arguments.config)?)?;
    if implementations.is_empty() {
        bail!("name an implementation, or give an --adapter or --exec");
    }
    let probes = profile::find_probes(&built_in()?);
    let mut out = arguments.format.stdout();
    for connect in connect_all(&implementations, false)? {
        let mut endpoint = connect();
        let info = endpoint.info();
        let profile = profile::profile(endpoint.as_mut(), &probes);
        endpoint.finish();
        match arguments.format {
            Format::Human => write_profile(&info, &profile, &mut out)?,
            Format::Json => output::json(&mut out, &as_json(&info, &profile))?,
        }
    }
    out.flush()?;
    Ok(OK)
}

fn write_profile(info: &Info, profile: &Profile, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}\n", styled(STRONG, full_name(info)))?;
    writeln!(out, "{}\n", table(profile))?;
    for (question, inferred) in profile.questions.iter().filter(|(_, inferred)| inferred.is_mixed()) {
        writeln!(out, "{} {question}: {}", styled(OPEN, "two ways"), question.row().asks)?;
        let mut answers: Vec<_> = inferred.consistent.iter().collect();
        answers.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (answer, count) in answers.into_iter().take(2) {
            writeln!(out, "  {answer} explains {count} of {}, but not", inferred.probes)?;
            if let Some(Query::Match { robots, agent, url }) = inferred.against.get(answer) {
                let robots: String = escaped(robots).chars().take(160).collect();
                let (agent, url) = (visible(agent), visible(url));
                writeln!(out, "    {}", styled(FAINT, format!("{robots}  {agent}  {url}")))?;
            }
        }
    }
    for (edition, broken) in profile.editions() {
        if broken.is_empty() {
            writeln!(out, "{} {edition}", styled(GOOD, "consistent with"))?;
        } else {
            let broken: Vec<&str> = broken.iter().map(|question| question.id()).collect();
            writeln!(out, "{} {edition}: {}", styled(BAD, "not consistent with"), broken.join(", "))?;
        }
    }
    writeln!(out)?;
    Ok(())
}

fn table(profile: &Profile) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["question", "its answer", "probes"].into_iter().chain(Edition::ALL.map(Edition::id)));
    for question in profile::unspecified_questions() {
        let Some(inferred) = profile.questions.get(&question) else { continue };
        let admits = Edition::ALL.map(|edition| {
            let is_broken = inferred.breaks(edition);
            (if is_broken { "not admitted" } else { "admitted" }).to_owned()
        });
        let row = [question.id().to_owned(), describe_answer(inferred), inferred.probes.to_string()];
        table.add_row(row.into_iter().chain(admits));
    }
    table
}

fn describe_answer(inferred: &Inferred) -> String {
    if inferred.is_mixed() {
        return "two ways".to_owned();
    }
    let answers: Vec<&str> = inferred.answers().iter().map(|answer| answer.id()).collect();
    let exceptions = match inferred.probes - inferred.explained() {
        0 => String::new(),
        exceptions => format!(", in all but {exceptions}"),
    };
    answers.join(" or ") + &exceptions
}

fn as_json(info: &Info, profile: &Profile) -> Value {
    let questions = profile.questions.iter().map(|(question, inferred)| {
        let consistent: BTreeMap<&str, &usize> =
            inferred.consistent.iter().map(|(answer, count)| (answer.id(), count)).collect();
        let breaks = Edition::ALL.into_iter().filter(|&edition| inferred.breaks(edition));
        json!({
            "question": question.id(),
            "answers": inferred.answers().iter().map(|answer| answer.id()).collect::<Vec<_>>(),
            "mixed": inferred.is_mixed(),
            "probes": inferred.probes,
            "consistent": consistent,
            "breaks": breaks.collect::<Vec<_>>(),
        })
    });
    let consistent = profile.editions().into_iter().filter(|(_, broken)| broken.is_empty());
    json!({
        "implementation": info,
        "questions": questions.collect::<Vec<_>>(),
        "consistent-with": consistent.map(|(edition, _)| edition).collect::<Vec<_>>(),
    })
}
