//! The BNF before 2019, in the style of RFC 822.
//!
//! As printed, the BNF derives hardly any file, and not even the examples of the document. This module adds what the prose
//! and the examples add: blank lines are allowed everywhere, a comment ends with its line, white space at the end of a
//! line is ignored, a rule may have no path, and a path may be `/` alone or contain UTF-8. Lines are not folded.

use super::*;

/// `startgroupline | groupmemberline | nongroupline | comment`
pub(super) fn line(line: &mut Cursor) -> Parsed<LineStatus> {
    line.skip_white_space();
    if matches!(line.peek(), None | Some(b'#')) {
        let is_comment = line.peek().is_some();
        comment(line)?;
        return Ok(LineStatus::Derived(if is_comment { Production::Comment } else { Production::EmptyLine }));
    }
    let start = line.at;
    let Some(field) = line.field() else { return Err(line.error(Expected::Colon)) };
    line.skip_white_space();
    let production = if field.eq_ignore_ascii_case(b"user-agent") {
        // textvalue = *(valuechar | SP)
        line.skip_characters(|c| c != '#' && !c.is_ascii_control());
        Production::StartGroupLine
    } else if field.eq_ignore_ascii_case(b"allow") || field.eq_ignore_ascii_case(b"disallow") {
        path_value(line)?;
        Production::GroupMemberLine
    } else if field.eq_ignore_ascii_case(b"sitemap") {
        absolute_uri(line)?;
        Production::NonGroupLine
    } else {
        line.at = start;
        return Err(line.error(Expected::KnownField));
    };
    let ends = matches!(line.peek(), None | Some(b' ' | b'\t' | b'#'));
    if !ends {
        return Err(line.error(Expected::ValueCharacter));
    }
    line.skip_white_space();
    comment(line)?;
    if line.has_end { Ok(LineStatus::Derived(production)) } else { Err(line.error(Expected::LineEnd)) }
}

/// `[comment]`, where `comment = [LWS] "#" *anychar`
fn comment(line: &mut Cursor) -> Parsed<()> {
    match line.peek() {
        None => return Ok(()),
        Some(b'#') => line.skip_characters(|c| !c.is_ascii_control()),
        Some(_) => return Err(line.error(Expected::EndOfValue)),
    }
    if line.peek().is_some() { Err(line.error(Expected::CommentCharacter)) } else { Ok(()) }
}

/// `pathvalue = "/" path`, with `path` of RFC 1808: segments of `pchar`, of which the first is not empty.
fn path_value(line: &mut Cursor) -> Parsed<()> {
    path_or_nothing(line, |line| {
        line.at += 1;
        if line.peek() != Some(b'/') {
            skip_with_escapes(line, |c| is_pchar(c) || c == '/');
        }
    })
}

/// `absoluteURI` of RFC 1945.
fn absolute_uri(line: &mut Cursor) -> Parsed<()> {
    let start = line.at;
    line.skip_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if line.at == start || line.peek() != Some(b':') {
        line.at = start;
        return Err(line.error(Expected::AbsoluteUri));
    }
    skip_with_escapes(line, |c| c > ' ' && !c.is_ascii_control() && !"\"#%<>".contains(c));
    match line.peek() {
        None | Some(b' ' | b'\t' | b'#') => Ok(()),
        Some(_) => Err(line.error(Expected::AbsoluteUri)),
    }
}
