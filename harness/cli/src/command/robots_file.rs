//! The robots.txt that a command is about: a file, standard input, or what a server answers.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use robotspec_cases::visible;
use ureq::{Agent, Error};

use crate::command::values::read_at_most;

/// The robots.txt of a command.
#[derive(Debug, clap::Args)]
pub(super) struct FileArgument {
    /// The robots.txt: a file, `-` for standard input, or an http or https URL, which is fetched
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
}

impl FileArgument {
    /// Reads the robots.txt.
    ///
    /// # Errors
    ///
    /// Those of [`read_robots`].
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        read_robots(&self.file)
    }
}

/// The size of the largest robots.txt that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// How long a server may take for all of its answer.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// A crawler follows at least so many redirects (RFC 9309, 2.3.1.2).
const REDIRECTS: u32 = 5;

/// Reads a robots.txt that the user names.
///
/// # Errors
///
/// It cannot be read or fetched, or is too large; or a server answers with a status that is no file.
fn read_robots(file: &Path) -> Result<Vec<u8>> {
    let name = file.to_string_lossy();
    let is_fetched = |scheme: &str| ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    match name.split_once("://") {
        Some((scheme, _)) if is_fetched(scheme) => {
            fetch(&name).with_context(|| format!("cannot fetch {}", visible(&name)))
        }
        Some((scheme, _)) if !file.exists() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            bail!("{}: only http and https URLs are fetched; download the file first", visible(&name))
        }
        _ => read_at_most(file, LARGEST),
    }
}

/// Fetches a robots.txt as a crawler does.
fn fetch(url: &str) -> Result<Vec<u8>> {
    let config = Agent::config_builder()
        .timeout_global(Some(TIME_LIMIT))
        .max_redirects(REDIRECTS)
        .http_status_as_error(false)
        .user_agent(concat!("robotspec/", env!("CARGO_PKG_VERSION")))
        .build();
    let mut response = match Agent::new_with_config(config).get(url).call() {
        Ok(response) => response,
        Err(Error::TooManyRedirects) => {
            bail!("there are more than {REDIRECTS} redirects; a crawler may stop there (RFC 9309, 2.3.1.2)")
        }
        Err(Error::Timeout(_)) => bail!("the server did not answer within {} seconds", TIME_LIMIT.as_secs()),
        Err(error) => return Err(error.into()),
    };
    let status = response.status().as_u16();
    match status {
        200..300 => {}
        400..500 => bail!(
            "the server answered with {status}, so that there is no file to read: crawlers may access every URL of the \
             site (RFC 9309, 2.3.1.3)"
        ),
        500..600 => bail!(
            "the server answered with {status}, so that there is no file to read: crawlers must access no URL of the \
             site (RFC 9309, 2.3.1.4)"
        ),
        _ => bail!("the server answered with {status}, so that there is no file to read"),
    }
    let mut bytes = Vec::new();
    response.body_mut().as_reader().take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        bail!("the file has more than {LARGEST} bytes; no crawler reads that much");
    }
    Ok(bytes)
}
