//! `robotspec profile`

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use robotspec::inference::{Contrary, Probe, Profile, Rejected, Shown, probes_of, simplest};
use robotspec::{Answer, Batch, Endpoint, Fault, Info};
use robotspec_cases::suite::built_in;
use robotspec_cases::{CheckId, Query};
use robotspec_reference::{Choice, Edition};
use robotspec_text::visible;
use serde_json::json;

use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::{INCOMPLETE, OK};
use crate::command::implementation::connect_all;
use crate::command::implementations::Implementations;
use crate::command::progress::Progress;
use crate::command::values::{Format, joined};
use crate::output::{
    self, BAD, FAINT, GOOD, OPEN, STRONG, counted, full_name, styled, table, write_document,
};
use crate::report::{by_value, reading};

/// Find out how an implementation answers each question of the table
///
/// Asks the rows of the cases whose outcome depends on one question only. Reports an answer where all
/// rows agree; by spelling or character where the answer differs between them; else `mixed`, with two
/// rows that contradict each other. Names the editions that do not admit an answer, the rows that the
/// implementation rejected, and the questions that need an operation that it does not support. A row
/// that could not be sent says nothing: then the exit code is 3, and no edition is named as consistent.
/// `robotspec editions` explains the questions, `robotspec cases show` a row.
///
/// Without an implementation, those of the project's robotspec.toml are used (see `robotspec run
/// --help`), except crawlers.
///
/// Examples:
///   robotspec profile robotxt
///   robotspec profile --adapter 'python3 my_adapter.py' --format jsonl
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("names", |names| names.help("Implementations by name: names from robotspec.toml, or built-in ones [default: all of robotspec.toml]")),
)]
pub(super) struct Arguments {
    #[command(flatten)]
    implementations: Implementations,

    /// The format of the output; jsonl is one object per implementation
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn profile(arguments: &Arguments) -> Result<u8> {
    let implementations = arguments.implementations.choose(&[], &Config::find(&arguments.config)?)?;
    if implementations.is_empty() {
        bail!("name an implementation, or give an --adapter or --exec");
    }
    let progress = Progress::of("looking for probes");
    let probes = probes_of(built_in()?, |_| true);
    let probes = simplest(&probes);
    drop(progress);
    let mut out = arguments.format.stdout();
    let mut code = OK;
    for connect in connect_all(&implementations, false, &[Edition::Rfc9309])? {
        let mut endpoint = connect();
        let info = endpoint.info();
        let progress = Progress::of(&info.name);
        let profile = profile_of(endpoint.as_mut(), &probes, &progress);
        drop(progress);
        endpoint.finish();
        if let Some(reason) = why_incomplete(&info, &profile) {
            output::error(&anyhow!(reason));
            code = INCOMPLETE;
        }
        if profile.questions.is_empty() {
            continue;
        }
        match arguments.format {
            Format::Human => write_profile(&info, &profile, &mut out)?,
            Format::Json => {
                let consistent = profile.editions().into_iter();
                let consistent = consistent.filter(|(_, broken)| profile.is_whole && broken.is_empty());
                let document = json!({
                    "implementation": info,
                    "questions": reading::documents(&profile),
                    "consistent-with": consistent.map(|(edition, _)| edition).collect::<Vec<_>>(),
                });
                output::json(&mut out, &document)?;
            }
        }
    }
    out.flush()?;
    Ok(code)
}

/// Returns why nothing, or not all, can be said about an implementation, if that is so.
fn why_incomplete(info: &Info, profile: &Profile) -> Option<String> {
    let name = visible(&info.name);
    if let Some(Rejected { count, row, got, .. }) = &profile.not_sent {
        return Some(format!("{name} was not asked {}, such as {row}: {got}", counted(*count, "row")));
    }
    let shows_nothing = profile.questions.values().all(|inferred| inferred.probes == 0);
    shows_nothing.then(|| match profile.not_supported().len() == profile.questions.len() {
        true => format!("nothing was asked of {name}: it supports none of the probes"),
        false => format!("{name} answered every probe with an error, a crash or a time-out"),
    })
}

/// Asks the rows of probes, each once.
fn profile_of(endpoint: &mut dyn Endpoint, probes: &[&Probe], progress: &Progress) -> Profile {
    let rows: BTreeMap<&CheckId, &Query> = probes.iter().map(|probe| (&probe.row, &probe.query)).collect();
    progress.count(rows.len() as u64, "rows");
    let batches: Vec<Batch> = rows.values().map(|query| Batch::single((*query).clone())).collect();
    let mut answers: BTreeMap<&CheckId, Result<Answer, Fault>> = BTreeMap::new();
    let ids: Vec<&CheckId> = rows.into_keys().collect();
    endpoint.answer(&batches, &mut |index, answer| {
        answers.extend(answer.into_iter().map(|answer| (ids[index], answer)));
        progress.bar.inc(1);
    });
    let answers = probes.iter().filter_map(|probe| Some((*probe, answers.get(&probe.row)?.clone())));
    Profile::infer(answers)
}

fn write_profile(info: &Info, profile: &Profile, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}\n", styled(STRONG, full_name(info)))?;
    let supported = profile.questions.iter().filter(|(_, inferred)| inferred.shown != Shown::NotSupported);
    let rows = supported.map(|(question, inferred)| {
        let breaks = match inferred.breaks.len() == Edition::ALL.len() {
            true => "any edition".to_owned(),
            false => joined(&inferred.breaks),
        };
        let answer = describe(&inferred.shown);
        [question.id().to_owned(), answer, inferred.probes.to_string(), styled(BAD, breaks)]
    });
    writeln!(out, "{}\n", table(["question", "its answer", "rows", "not admitted by"], rows, 2..3))?;
    for (question, inferred) in &profile.questions {
        if let Shown::Mixed(contrary) = &inferred.shown {
            writeln!(out, "{} {question}: {}", styled(OPEN, "mixed"), question.row().asks)?;
            for Contrary { answers, row, query, got } in contrary.iter() {
                writeln!(out, "  {}: {} to {row}", describe_answers(answers), visible(got))?;
                write_query(query, out)?;
            }
        }
    }
    for (question, inferred) in &profile.questions {
        if let Some(Rejected { count, row, query, got }) = &inferred.rejected {
            let rows = counted(count + inferred.probes, "row");
            writeln!(out, "{} {question}: {count} of {rows}, for example", styled(OPEN, "rejected"))?;
            writeln!(out, "  {} to {row}", visible(got))?;
            write_query(query, out)?;
        }
    }
    let not_supported = profile.not_supported();
    if !not_supported.is_empty() {
        writeln!(out, "{} {}", styled(FAINT, "not supported:"), joined(not_supported))?;
    }
    for (edition, broken) in profile.editions() {
        if broken.is_empty() && !profile.is_whole {
            writeln!(out, "{} {edition}", styled(OPEN, "nothing shown against"))?;
        } else if broken.is_empty() {
            writeln!(out, "{} {edition}", styled(GOOD, "consistent with"))?;
        } else {
            writeln!(out, "{} {edition}: {}", styled(BAD, "not consistent with"), joined(broken))?;
        }
    }
    Ok(())
}

fn write_query(query: &Query, out: &mut impl Write) -> Result<()> {
    write_document(4, &[robotspec::failure::query(0, query, None)], out)
}

fn describe(shown: &Shown) -> String {
    match shown {
        Shown::Answers(answers) => describe_answers(answers),
        Shown::BySubject(by_subject) => {
            let answers = by_subject.iter().map(|(subject, answers)| (&**subject, describe_answers(answers)));
            let mut subjects = by_value(answers);
            subjects.sort();
            let line =
                |(answers, subjects): &(String, Vec<&str>)| format!("{answers}: {}", subjects.join("  "));
            subjects.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        Shown::Mixed(_) => "mixed".to_owned(),
        Shown::Rejected => "rejected".to_owned(),
        Shown::NotSupported => "not supported".to_owned(),
        Shown::OnlyGiven(given) => format!("does not arise unless {} is {given}", given.question),
    }
}

fn describe_answers(answers: &[Choice]) -> String {
    match answers {
        [] => "no answer explains".to_owned(),
        answers => answers.iter().map(|answer| answer.id()).collect::<Vec<_>>().join(" or "),
    }
}
