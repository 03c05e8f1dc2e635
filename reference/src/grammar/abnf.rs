//! The ABNF of 2019, of 2021 and of RFC 9309. They derive the same lines.

use super::*;

/// `startgroupline / rule / emptyline`
pub(super) fn line(line: &mut Cursor, has_usage_rules: bool) -> Parsed<LineStatus> {
    line.skip_white_space();
    if matches!(line.peek(), None | Some(b'#')) {
        end_of_line(line)?;
        return Ok(LineStatus::Derived(Production::EmptyLine));
    }
    let start = line.at;
    let Some(field) = line.field() else { return Err(line.error(Expected::Colon)) };
    if field.is_empty() {
        line.at = start;
        return Err(line.error(Expected::Field));
    }
    if let Some(at) = field.iter().position(u8::is_ascii_control) {
        line.at = start + at;
        return Err(line.error(Expected::Colon));
    }
    line.skip_white_space();
    if field.eq_ignore_ascii_case(b"user-agent") {
        product_token(line)?;
        end_of_line(line)?;
        return Ok(LineStatus::Derived(Production::StartGroupLine));
    }
    if field.eq_ignore_ascii_case(b"allow") || field.eq_ignore_ascii_case(b"disallow") {
        // `path-pattern / empty-pattern`
        path_or_nothing(line, |line| line.skip_characters(is_utf8_char_noctl))?;
        end_of_line(line)?;
        return Ok(LineStatus::Derived(Production::Rule));
    }
    if has_usage_rules && field.eq_ignore_ascii_case(CONTENT_USAGE.as_bytes()) {
        usage_rule(line)?;
        end_of_line(line)?;
        return Ok(LineStatus::Derived(Production::Rule));
    }
    Ok(LineStatus::Additional(String::from_utf8_lossy(field).into_owned()))
}

/// `EOL = *WS [comment] NL`
fn end_of_line(line: &mut Cursor) -> Parsed<()> {
    line.skip_white_space();
    if line.peek() == Some(b'#') {
        line.skip_characters(|c| is_utf8_char_noctl(c) || matches!(c, ' ' | '\t' | '#'));
        if line.peek().is_some() {
            return Err(line.error(Expected::CommentCharacter));
        }
    }
    line.line_end()
}

/// `product-token = identifier / "*"`
fn product_token(line: &mut Cursor) -> Parsed<()> {
    let start = line.at;
    if line.peek() == Some(b'*') {
        line.at += 1;
    } else {
        line.skip_while(is_token_byte);
    }
    let ends = matches!(line.peek(), None | Some(b' ' | b'\t' | b'#'));
    if line.at == start || !ends { Err(line.error(Expected::ProductToken)) } else { Ok(()) }
}

/// `[ path-pattern 1*WS ] usage-pref` (draft-ietf-aipref-attach-05, "Robots Exclusion Protocol Content-Usage Rule")
fn usage_rule(line: &mut Cursor) -> Parsed<()> {
    let rest = &line.text[line.at..];
    let value = trim(rest.split(|&byte| byte == b'#').next().unwrap_or_default());
    if !is_usage_value(value) {
        return Err(line.error(Expected::Preference));
    }
    line.at += value.len();
    Ok(())
}
