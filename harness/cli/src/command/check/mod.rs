//! `robotspec check`, `scope` and `sitemaps`: the answers of the reference, and next to them those of implementations.

mod comparison;
mod explanation;
mod queries;
mod scope;
mod sitemaps;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use robotspec_cases::suite::write_case::written_suite;
use robotspec_reference::{Edition, RobotsTxt, Ruling};
use robotspec_text::remark::{about_agent, about_file};

use self::comparison::{Comparison, Ruled};
use self::queries::{queries, read_urls};
pub(super) use self::scope::{ScopeArguments, scope};
pub(super) use self::sitemaps::{SitemapsArguments, sitemaps};
use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::{FAILED, OK, UNSPECIFIED};
use crate::command::implementation::connect_all;
use crate::command::implementations::Implementations;
use crate::command::robots_file::FileArgument;
use crate::command::values::{Format, edition_or_all, sorted};
use crate::output;

const EXIT_CODES: &str = "\
Exit codes of check, for one agent, URL and edition:
  0  allow
  1  disallow
  2  the command or a file is wrong
  4  unspecified: the edition does not specify the answer

Exit codes of check, for several, or with implementations:
  0  no implementation contradicts an edition
  1  an implementation contradicts an edition
  2  the command or a file is wrong
  3  an implementation gives no answer";

/// Find out whether an agent may fetch a URL, given a robots.txt
///
/// With several agents, URLs or editions, or with implementations, the output is a table: what each
/// edition answers and which line decides, and what each implementation answers. An implementation
/// contradicts an edition only where the edition specifies the answer.
///
/// Implementations are named after FILE. With --config and no name, these are all of that
/// configuration.
///
/// Examples:
///   robotspec check --agent FooBot --url https://example.com/fish --explain robots.txt
///   robotspec check --agent FooBot --url /fish --edition all robots.txt robotxt robotstxt
///   robotspec check --agent FooBot --agent BarBot --urls urls.txt robots.txt --adapter ./my_adapter
///   robotspec check --agent FooBot --url /fish --edition all --as-case robots.txt > case.yaml
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = EXIT_CODES,
    mut_arg("names", |names| names.help("Implementations by name, which answer too: names from robotspec.toml, or built-in ones [default: none; with --config, all of that file]")),
)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    file: FileArgument,

    #[command(flatten)]
    implementations: Implementations,

    /// An edition that answers, of those that `robotspec editions` lists, or `all`; repeatable
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition_or_all(), hide_possible_values = true)]
    edition: Vec<Vec<Edition>>,

    /// The crawler's product token, such as `FooBot`; repeatable
    #[arg(long, value_name = "AGENT", required = true)]
    agent: Vec<String>,

    /// The absolute URL to be fetched, or its path; repeatable
    #[arg(long, value_name = "URL", required_unless_present = "urls")]
    url: Vec<String>,

    /// A file with more URLs and paths, one per line; lines that start with `#` are comments
    #[arg(long, value_name = "FILE")]
    urls: Option<PathBuf>,

    /// Explain the answers of the editions: the lines and clauses that decide, or the questions that an
    /// edition does not decide
    #[arg(long)]
    explain: bool,

    /// Print the queries as a file of cases, with the answers of the editions, instead of the answers
    #[arg(long, conflicts_with_all = ["explain", "format"])]
    as_case: bool,

    /// The format of the output
    #[arg(long, value_parser = Format::document(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn check(arguments: &CheckArguments) -> Result<u8> {
    let reads_input = |file: &Path| file == Path::new("-");
    if reads_input(&arguments.file.file) && arguments.urls.as_deref().is_some_and(reads_input) {
        bail!("FILE and --urls are both standard input; name a file for one of them");
    }
    let urls = read_urls(&arguments.url, arguments.urls.as_deref())?;
    let file: Arc<[u8]> = arguments.file.read()?.into();
    let editions = sorted(&arguments.edition.concat());
    let about_agents = arguments.agent.iter().filter_map(|agent| about_agent(agent, &file));
    for remark in about_agents.chain(about_file(&file).map(str::to_owned)) {
        output::warning(&remark);
    }
    if arguments.as_case {
        let text =
            written_suite(&queries(&file, &arguments.agent, &urls), &editions).map_err(anyhow::Error::msg)?;
        output::for_programs().write_all(text.as_bytes())?;
        return Ok(OK);
    }
    let implementations = match arguments.implementations.names_any() || arguments.config.file.is_some() {
        true => arguments.implementations.choose(&[], &Config::find(&arguments.config)?)?,
        false => Vec::new(),
    };
    if let ([agent], [url], [edition], []) = (&*arguments.agent, &*urls, &*editions, &*implementations) {
        let ruled = Ruled::new(&RobotsTxt::parse(&file), *edition, agent, url, arguments.explain)?;
        let mut out = arguments.format.stdout();
        match arguments.format {
            Format::Human => {
                writeln!(out, "{}", ruled.answer())?;
                if ruled.ruling == Ruling::Unspecified && !arguments.explain {
                    output::progress(&format!("{}; --explain gives the reasons", ruled.depends_on()));
                }
                for line in ruled.explanation.iter().flat_map(explanation::lines) {
                    writeln!(out, "{line}")?;
                }
            }
            Format::Json => output::json(&mut out, &ruled.as_json())?,
        }
        return Ok(match ruled.ruling {
            Ruling::Allow => OK,
            Ruling::Disallow => FAILED,
            Ruling::Unspecified => UNSPECIFIED,
        });
    }
    let makes = connect_all(&implementations, false, &editions)?;
    let queries = queries(&file, &arguments.agent, &urls);
    let robots = RobotsTxt::parse(&file);
    let mut comparison = Comparison::new(&robots, &arguments.agent, &urls, &editions, arguments.explain)?;
    for make in makes {
        comparison.add(make().as_mut(), &queries);
    }
    let mut out = arguments.format.stdout();
    match arguments.format {
        Format::Human => comparison.write(&mut out)?,
        Format::Json => output::json(&mut out, &comparison.as_json())?,
    }
    out.flush()?;
    Ok(comparison.exit_code())
}
