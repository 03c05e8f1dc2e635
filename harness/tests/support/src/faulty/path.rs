//! Paths: normal form, matching and precedence.

use super::Mistake;
use super::parser::{FaultyParser, Rule};

/// Returns whether rules allow a URL.
pub(crate) fn allows(parser: &FaultyParser, rules: &[Rule], url: &str) -> bool {
    let mut target = if parser.makes(Mistake::MatchesWholeUrl) { url.to_owned() } else { path_of(url) };
    if !target.starts_with('/')
        && !parser.makes(Mistake::KeepsEmptyPath)
        && !parser.makes(Mistake::MatchesWholeUrl)
    {
        target.insert(0, '/');
    }
    if parser.makes(Mistake::IgnoresQuery) {
        target = target.split('?').next().unwrap_or_default().to_owned();
    }
    if is_robots_txt(&target) && !parser.makes(Mistake::RobotsTxtByRules) {
        return true;
    }
    let target = normalise(parser, target.as_bytes(), false);
    let is_match = |rule: &&Rule| matches(parser, &normalise(parser, &rule.1, true), &target);
    let matching: Vec<&Rule> = rules.iter().filter(is_match).collect();
    if parser.makes(Mistake::LengthOfMatch) {
        // The stretch of the path takes the place of the rule that matches it.
        let stretches: Vec<Rule> =
            matching.iter().map(|(is_allow, path)| (*is_allow, stretch(parser, path, &target))).collect();
        return decide(parser, &stretches.iter().collect::<Vec<_>>());
    }
    decide(parser, &matching)
}

/// Returns the longest stretch of a path that a rule matches.
fn stretch(parser: &FaultyParser, path: &[u8], target: &[u8]) -> Vec<u8> {
    let pattern = normalise(parser, path, true);
    let pattern = pattern.strip_suffix(b"$").unwrap_or(&pattern);
    let is_matched = |end: &usize| match_parts(parser, pattern, &target[..*end], true);
    let end = (0..=target.len()).rev().find(is_matched).unwrap_or_default();
    target[..end].to_vec()
}

/// Returns the verdict of the rules that match.
fn decide(parser: &FaultyParser, matching: &[&Rule]) -> bool {
    let verdict = |rule: Option<&&Rule>| rule.is_none_or(|(is_allow, _)| *is_allow);
    let length = |rule: &&&Rule| rule.1.len();
    if parser.makes(Mistake::FirstMatch) {
        return verdict(matching.first());
    }
    if parser.makes(Mistake::LastMatch) {
        return verdict(matching.last());
    }
    if parser.makes(Mistake::ShortestMatch) {
        return verdict(matching.iter().min_by_key(length));
    }
    if parser.makes(Mistake::AllowAlwaysWins) {
        return matching.is_empty() || matching.iter().any(|(is_allow, _)| *is_allow);
    }
    if parser.makes(Mistake::DisallowAlwaysWins) {
        return matching.iter().all(|(is_allow, _)| *is_allow);
    }
    let has_star = |rule: &&Rule| rule.1.contains(&b'*');
    if parser.makes(Mistake::WildcardWinsLess) && matching.iter().any(has_star) {
        return verdict(matching.iter().filter(|rule| !has_star(rule)).max_by_key(length));
    }
    let counted = |path: &[u8]| match path.strip_suffix(b"*") {
        Some(start) if parser.makes(Mistake::TieWithTrailingStarDisallows) => start.len(),
        _ => path.len(),
    };
    let longest =
        |kind: bool| matching.iter().filter(|rule| rule.0 == kind).map(|rule| counted(&rule.1)).max();
    match (longest(true), longest(false)) {
        (None, None) => !parser.makes(Mistake::DefaultDisallow),
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (Some(allow), Some(disallow))
            if parser.makes(Mistake::TieDisallows) || parser.makes(Mistake::TieWithTrailingStarDisallows) =>
        {
            allow > disallow
        }
        (Some(allow), Some(disallow)) => allow >= disallow,
    }
}

/// Returns whether it is the path of a robots.txt, in which unreserved characters may be escaped (RFC 9309, 2.2.2).
pub(crate) fn is_robots_txt(path: &str) -> bool {
    normalise(&FaultyParser::sound(), path.as_bytes(), false) == b"/robots.txt"
}

/// Returns the path and query of a URL.
pub(crate) fn path_of(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..].find(['/', '?']).map_or("", |end| &url[start + end..]).to_owned()
}

/// Returns the normal form of a path or of the path of a rule (RFC 9309, 2.2.2): non-ASCII bytes are percent-encoded,
/// escapes of unreserved characters are decoded, and those of the reserved ones in the query of its table. A byte of a path that is special in a rule is encoded, and so is a
/// special byte of a rule that stands for itself.
pub(crate) fn normalise(parser: &FaultyParser, text: &[u8], is_rule: bool) -> Vec<u8> {
    let mut normal = Vec::with_capacity(text.len());
    let folded = parser.makes(Mistake::PathUnicodeCaseIgnored).then(|| upper_case(text));
    let mut rest = folded.as_deref().unwrap_or(text);
    let mut in_query = false;
    while let [first, after @ ..] = rest {
        rest = after;
        if let Some(byte) = escaped(*first, after).filter(|_| !parser.makes(Mistake::EscapesStay)) {
            let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
            let is_decoded = is_unreserved
                || is_rule && parser.makes(Mistake::EscapedStarIsWildcard) && byte == b'*'
                || is_rule && parser.makes(Mistake::EscapedDollarIsEnd) && byte == b'$' && after.len() == 2
                || in_query && matches!(byte, b':' | b'/')
                || parser.makes(Mistake::DecodesSlash) && byte == b'/';
            if is_decoded {
                normal.push(byte);
            } else {
                encode(byte, &mut normal);
            }
            rest = &after[2..];
            continue;
        }
        in_query |= *first == b'?';
        let is_special = match first {
            b'*' => is_rule && !parser.makes(Mistake::StarIsLiteral),
            b'$' => is_rule && after.is_empty() && !parser.makes(Mistake::DollarIsLiteral),
            _ => false,
        };
        // Unencoded, a literal `*` or final `$` of a rule would be special.
        let would_be_special = is_rule && (*first == b'*' || after.is_empty());
        let stays = parser.makes(Mistake::EscapesStay) || parser.makes(Mistake::EscapedSpecialStays);
        let is_encoded = match first {
            b'*' | b'$' => !is_special && (would_be_special || !stays),
            byte => !byte.is_ascii() && !parser.makes(Mistake::NonAsciiStays),
        };
        if is_encoded {
            encode(*first, &mut normal);
        } else {
            normal.push(*first);
        }
    }
    if parser.makes(Mistake::PathCaseIgnored) {
        normal.make_ascii_lowercase();
    }
    normal
}

/// Returns a path in upper case, by the rules of Unicode, with its letters unencoded.
fn upper_case(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let byte = escaped(*first, after).filter(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic());
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    match String::from_utf8(decoded) {
        Ok(path) => path.to_uppercase().into_bytes(),
        Err(_) => text.to_ascii_uppercase(),
    }
}

/// Returns the byte of an escape that starts with `first`.
fn escaped(first: u8, after: &[u8]) -> Option<u8> {
    let digits = after.get(..2).filter(|digits| first == b'%' && digits.iter().all(u8::is_ascii_hexdigit))?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn encode(byte: u8, normal: &mut Vec<u8>) {
    normal.extend_from_slice(format!("%{byte:02X}").as_bytes());
}

pub(crate) fn matches(parser: &FaultyParser, pattern: &[u8], target: &[u8]) -> bool {
    let (mut pattern, mut is_anchored) = match pattern.strip_suffix(b"$") {
        Some(start) => (start, true),
        None => (pattern, false),
    };
    if parser.makes(Mistake::DollarIsItselfToo)
        && is_anchored
        && match_parts(parser, &[pattern, b"%24"].concat(), target, false)
    {
        return true;
    }
    if parser.makes(Mistake::DollarIgnored) {
        is_anchored = false;
    }
    let has_star = pattern.contains(&b'*');
    if parser.makes(Mistake::TrailingStarNeedsMore)
        && let Some(start) = pattern.strip_suffix(b"*").filter(|start| !start.contains(&b'*'))
    {
        return target.starts_with(start) && target.len() > start.len();
    }
    if parser.makes(Mistake::FullUrlIsPath)
        && let Some(path) = pattern.strip_prefix(b"http://example.com")
    {
        pattern = path;
    }
    if parser.makes(Mistake::MatchesAnywhere) {
        return match_parts(parser, &[b"*", pattern].concat(), target, is_anchored);
    }
    if parser.makes(Mistake::RuleIsExpression) {
        return matches_expression(pattern, target, is_anchored);
    }
    if parser.makes(Mistake::WholeSegments) && !has_star {
        let ends_segment = target.get(pattern.len()).is_none_or(|next| b"/?".contains(next));
        return target.starts_with(pattern) && (pattern.ends_with(b"/") || ends_segment);
    }
    if parser.makes(Mistake::ExactPath) && !has_star && pattern != b"/" {
        return target == pattern;
    }
    match_parts(parser, pattern, target, is_anchored)
}

/// Matches a regular expression that is made of a rule by `.*` in place of its stars alone, at the start of a path.
fn matches_expression(mut pattern: &[u8], target: &[u8], is_anchored: bool) -> bool {
    // The places of the path to which the pattern so far may lead. To try one after the other would take exponential time.
    let mut reached = vec![0];
    while let ([unit, rest @ ..], [first, ..]) = (pattern, &reached[..]) {
        let is_at = |place: usize| target.get(place).is_some_and(|byte| *unit == b'.' || unit == byte);
        let steps = |place: &usize| (*place..).take_while(|place| is_at(*place)).map(|place| place + 1);
        let (mut next, after): (Vec<usize>, &[u8]) = match (unit, rest) {
            (b'*', [b'?', after @ ..] | after) => ((*first..=target.len()).collect(), after),
            (_, [b'+', after @ ..]) => (reached.iter().flat_map(steps).collect(), after),
            (_, [b'?', after @ ..]) => {
                (reached.iter().flat_map(|place| steps(place).take(1).chain([*place])).collect(), after)
            }
            _ => (reached.iter().flat_map(|place| steps(place).take(1)).collect(), rest),
        };
        next.sort_unstable();
        next.dedup();
        (reached, pattern) = (next, after);
    }
    if is_anchored { reached.last() == Some(&target.len()) } else { !reached.is_empty() }
}

/// Matches the parts between the stars of a pattern, each at its first place.
fn match_parts(parser: &FaultyParser, pattern: &[u8], target: &[u8], is_anchored: bool) -> bool {
    let parts: Vec<&[u8]> = pattern.split(|&byte| byte == b'*').collect();
    if !target.starts_with(parts[0]) || parser.makes(Mistake::OneStarOnly) && parts.len() > 2 {
        return false;
    }
    let mut at = parts[0].len();
    for (index, part) in parts.iter().enumerate().skip(1) {
        if is_anchored && index + 1 == parts.len() {
            return target.len() >= at + part.len() && target.ends_with(part);
        }
        let first = if parser.makes(Mistake::StarNeedsByte) { at + 1 } else { at };
        let stops = |byte: &u8| match byte {
            b'/' => parser.makes(Mistake::StarStopsAtSlash),
            b'?' => parser.makes(Mistake::StarStopsAtQuery),
            _ => false,
        };
        let last = target[at..].iter().position(stops).map_or(target.len(), |stop| at + stop);
        let place = (first..=last).find(|&start| target.get(start..start + part.len()) == Some(part));
        let Some(place) = place else { return false };
        at = place + part.len();
    }
    !is_anchored || at == target.len()
}
