//! The grammar of 1996, of records that blank lines separate.
//!
//! As printed, lines end with CR LF, a path has no slash at its start, and its examples are not derived. This module adds
//! what the prose and the examples add: lines end with CR, LF or CR LF, and a path is empty or starts with a slash, and may
//! have a `~`. Every character is one of ASCII.

use super::*;

/// `agentline | ruleline | blank | commentline`
pub(super) fn line(line: &mut Cursor) -> Parsed<LineStatus> {
    line.skip_white_space();
    let blank = match line.peek() {
        None => Some(Production::Blank),
        Some(b'#') => Some(Production::CommentLine),
        Some(_) => None,
    };
    if let Some(production) = blank {
        comment(line)?;
        return Ok(LineStatus::Derived(production));
    }
    line.at = 0;
    line.skip_while(|byte| is_http_token(&[byte]));
    let field = &line.text[..line.at];
    match line.peek() {
        _ if field.is_empty() => return Err(line.error(Expected::Field)),
        Some(b':') => line.at += 1,
        _ => return Err(line.error(Expected::Colon)),
    }
    line.skip_white_space();
    let status = if field.eq_ignore_ascii_case(b"user-agent") {
        let start = line.at;
        line.skip_while(|byte| is_http_token(&[byte]));
        let is_end = matches!(line.peek(), None | Some(b' ' | b'\t' | b'#'));
        if line.at == start || !is_end {
            return Err(line.error(Expected::HttpToken));
        }
        LineStatus::Derived(Production::AgentLine)
    } else if field.eq_ignore_ascii_case(b"allow") || field.eq_ignore_ascii_case(b"disallow") {
        path(line)?;
        LineStatus::Derived(Production::RuleLine)
    } else {
        line.skip_while(|byte| byte.is_ascii() && byte != b'#');
        LineStatus::Additional(String::from_utf8_lossy(field).into_owned())
    };
    comment(line)?;
    Ok(status)
}

/// `rpath`, or nothing.
fn path(line: &mut Cursor) -> Parsed<()> {
    path_or_nothing(line, |line| {
        skip_with_escapes(line, |c| c.is_ascii() && (is_pchar(c) || "/~".contains(c)));
    })
}

/// `[comment] CRLF`, where `comment = *blank "#" anychar`
fn comment(line: &mut Cursor) -> Parsed<()> {
    line.skip_white_space();
    if line.peek() == Some(b'#') {
        line.skip_while(|byte| byte.is_ascii());
        if line.peek().is_some() {
            return Err(line.error(Expected::CommentCharacter));
        }
    }
    line.line_end()
}
