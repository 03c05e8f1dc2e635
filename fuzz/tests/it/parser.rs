//! A parser written apart from the reference, plain and short, that can be told to make one mistake.
//!
//! Without a mistake it is one sound reading of RFC 9309: where the text leaves a choice it does what most
//! parsers do.

use robotspec::implementation::Accessed;
use robotspec_cases::suite::TimedVisit;
use robotspec::{Fault, Implementation, Info, Query, Verdict};
use robotspec_reference::access::{Access, Reply, access_read};
use robotspec_reference::{Answer, Edition, Governs, Question, Reading};
use url::Url;

use crate::mistake::Mistake;

/// The parser.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Parser {
    pub(crate) mistake: Option<Mistake>,
}

/// A line that counts.
struct Record {
    field: String,
    value: Vec<u8>,
}

#[derive(Default)]
struct Group {
    agents: Vec<String>,
    rules: Vec<(bool, Vec<u8>)>,
    /// Whether a line came that ends the list of agents.
    is_closed: bool,
}

impl Parser {
    fn makes(self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    fn lines(self, file: &[u8]) -> Vec<Vec<u8>> {
        let limit = match self.mistake {
            Some(Mistake::NoSizeMinimum) => 100_000,
            _ => 512_000,
        };
        let file = &file[..file.len().min(limit)];
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let mut lines = vec![Vec::new()];
        let mut previous = 0;
        for &octet in file {
            let ends = match octet {
                b'\n' if previous == b'\r' && !self.makes(Mistake::CrIsNoLineEnd) => false,
                b'\n' => true,
                b'\r' => {
                    if !self.makes(Mistake::CrIsNoLineEnd) {
                        lines.push(Vec::new());
                    }
                    previous = octet;
                    continue;
                }
                0x0B | 0x0C if self.makes(Mistake::FormFeedEndsLine) => true,
                _ => {
                    lines.last_mut().expect("a line").push(octet);
                    previous = octet;
                    continue;
                }
            };
            if ends {
                lines.push(Vec::new());
            }
            previous = octet;
        }
        if self.makes(Mistake::LastLineNeedsEnd)
            && file.last().is_some_and(|octet| !matches!(octet, b'\r' | b'\n'))
        {
            lines.pop();
        }
        lines
    }

    fn records(self, file: &[u8]) -> Vec<Option<Record>> {
        let mut records = Vec::new();
        for line in self.lines(file) {
            if line.trim_ascii().is_empty() && self.makes(Mistake::BlankLineEndsGroup) {
                records.push(None);
            }
            if self.makes(Mistake::StopsAtNoise)
                && !line.is_empty()
                && !line.contains(&b':')
                && !line.starts_with(b"#")
                && !blank(&line)
            {
                break;
            }
            let is_comment = |at: usize| match self.mistake {
                Some(Mistake::CommentNeedsLineStart) => at == 0,
                Some(Mistake::CommentNeedsSpace) => at == 0 || line[at - 1] == b' ',
                _ => true,
            };
            let comment = (0..line.len()).find(|&at| line[at] == b'#' && is_comment(at));
            if comment.is_some() && self.makes(Mistake::CommentDropsLine) {
                continue;
            }
            let text = &line[..comment.unwrap_or(line.len())];
            if self.makes(Mistake::LineStartMustNotBeBlank)
                && text.first().is_some_and(|octet| matches!(octet, b' ' | b'\t'))
            {
                continue;
            }
            let Some(colon) = text.iter().position(|&octet| octet == b':') else { continue };
            let (name, value) = (&text[..colon], &text[colon + 1..]);
            if self.makes(Mistake::NoSpaceBeforeColon)
                && name.last().is_some_and(|octet| matches!(octet, b' ' | b'\t'))
            {
                continue;
            }
            if self.makes(Mistake::SpaceAfterColonRequired) && !value.is_empty() && !value.starts_with(b" ") {
                continue;
            }
            let value = match self.mistake {
                Some(Mistake::KeepsTrailingSpace) => trimmed_start(value),
                _ => trimmed(value),
            };
            let name = String::from_utf8_lossy(trimmed(name)).into_owned();
            let field = if self.makes(Mistake::FieldCaseMatters) { name } else { name.to_ascii_lowercase() };
            records.push(Some(Record { field, value: value.to_vec() }));
        }
        records
    }

    fn groups(self, file: &[u8]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        if self.makes(Mistake::OrphansBindAll) {
            groups.push(Group { agents: vec!["*".to_owned()], ..Group::default() });
        }
        for record in self.records(file) {
            let Some(Record { field, value }) = record else {
                if let Some(group) = groups.last_mut() {
                    group.is_closed = true;
                }
                continue;
            };
            match field.as_str() {
                "user-agent" => {
                    let name = self.name(&value);
                    let starts_new = groups.last().is_none_or(|group| {
                        group.is_closed
                            || !group.rules.is_empty()
                            || self.makes(Mistake::EachAgentItsOwnGroup)
                    });
                    if starts_new {
                        groups.push(Group::default());
                    }
                    groups.last_mut().expect("a group").agents.push(name);
                }
                "allow" | "disallow" => {
                    let Some(group) = groups.last_mut() else { continue };
                    group.is_closed = !self.makes(Mistake::RuleDoesNotEndAgents);
                    if value.is_empty() {
                        match (self.mistake, field.as_str()) {
                            (Some(Mistake::EmptyDisallowIsRoot), "disallow") => {
                                group.rules.push((false, b"/".to_vec()))
                            }
                            (Some(Mistake::EmptyAllowIsRoot), "allow") => {
                                group.rules.push((true, b"/".to_vec()))
                            }
                            _ => {}
                        }
                        continue;
                    }
                    if self.makes(Mistake::RulesBeyondTen) && group.rules.len() >= 10 {
                        continue;
                    }
                    if self.makes(Mistake::DuplicatesCancel)
                        && let Some(at) =
                            group.rules.iter().position(|rule| *rule == (field == "allow", value.clone()))
                    {
                        group.rules.remove(at);
                        continue;
                    }
                    group.rules.push((field == "allow" && !self.makes(Mistake::NoAllow), value));
                }
                "sitemap" if self.makes(Mistake::SitemapEndsGroup) => groups.push(Group::default()),
                "sitemap" | "" => {}
                _ if self.makes(Mistake::UnknownEndsGroup) => groups.push(Group::default()),
                "crawl-delay" if self.makes(Mistake::CrawlDelayIsRule) => {
                    if let Some(group) = groups.last_mut() {
                        group.is_closed = true;
                    }
                }
                _ => {}
            }
        }
        groups
    }

    /// The token of a user-agent line.
    fn name(self, value: &[u8]) -> String {
        if value == b"*" {
            return "*".to_owned();
        }
        let is_token = |octet: &&u8| match octet {
            b'-' => !self.makes(Mistake::HyphenEndsToken),
            b'_' => !self.makes(Mistake::UnderscoreEndsToken),
            octet => octet.is_ascii_alphabetic(),
        };
        value.iter().take_while(is_token).map(|&octet| char::from(octet)).collect()
    }

    fn fits(self, name: &str, agent: &str) -> bool {
        let same = |a: &str, b: &str| {
            if self.makes(Mistake::AgentCaseMatters) { a == b } else { a.eq_ignore_ascii_case(b) }
        };
        match self.mistake {
            Some(Mistake::AgentPrefix) => {
                !name.is_empty() && agent.get(..name.len()).is_some_and(|start| same(start, name))
            }
            Some(Mistake::AgentSubstring) => {
                !name.is_empty() && agent.to_ascii_lowercase().contains(&name.to_ascii_lowercase())
            }
            _ => !name.is_empty() && same(name, agent),
        }
    }

    /// The rules that the agent obeys; none where no group is for it.
    fn rules(self, file: &[u8], agent: &str) -> Vec<(bool, Vec<u8>)> {
        let groups = self.groups(file);
        let agent: String = self.name(agent.as_bytes());
        let of = |fits: &dyn Fn(&str) -> bool| -> Vec<&Group> {
            groups.iter().filter(|group| group.agents.iter().any(|name| fits(name))).collect()
        };
        let own = of(&|name| name != "*" && self.fits(name, &agent));
        let starred = of(&|name| name == "*");
        let mut chosen = if own.is_empty() { starred.clone() } else { own.clone() };
        match self.mistake {
            Some(Mistake::StarIsAdded) if !own.is_empty() => chosen.extend(starred),
            Some(Mistake::StarAlone) => chosen = starred,
            Some(Mistake::NoStar) => chosen = own,
            Some(Mistake::FirstGroupThatFits) => {
                chosen = groups
                    .iter()
                    .filter(|group| group.agents.iter().any(|name| name == "*" || self.fits(name, &agent)))
                    .take(1)
                    .collect();
            }
            Some(Mistake::FirstGroupAlone) => chosen.truncate(1),
            Some(Mistake::LastGroupAlone) => drop(chosen.drain(..chosen.len().saturating_sub(1))),
            Some(Mistake::LastGroupWithoutRulesIsNone)
                if chosen.iter().all(|group| group.rules.is_empty()) =>
            {
                chosen = of(&|name| name == "*");
            }
            Some(Mistake::UnnamedDisallowed) if chosen.is_empty() && !groups.is_empty() => {
                return vec![(false, b"/".to_vec())];
            }
            Some(Mistake::AllGroupsBind) => chosen = groups.iter().collect(),
            _ => {}
        }
        chosen.into_iter().flat_map(|group| group.rules.clone()).collect()
    }

    fn allows(self, rules: &[(bool, Vec<u8>)], url: &str) -> bool {
        let mut target = path_of(url);
        if !target.starts_with('/') && !self.makes(Mistake::KeepsEmptyPath) {
            target.insert(0, '/');
        }
        if self.makes(Mistake::IgnoresQuery) {
            target = target.split('?').next().unwrap_or_default().to_owned();
        }
        if target == "/robots.txt" && !self.makes(Mistake::RobotsTxtByRules) {
            return true;
        }
        let target = self.normal(target.as_bytes(), false);
        let matching: Vec<(bool, usize, &[u8])> = rules
            .iter()
            .filter(|(_, path)| self.matches(&self.normal(path, true), &target))
            .map(|(allow, path)| (*allow, path.len(), &path[..]))
            .collect();
        let longest = |kind: bool| {
            matching.iter().filter(|(allow, ..)| *allow == kind).map(|(_, length, _)| *length).max()
        };
        let by_default = !self.makes(Mistake::DefaultDisallow);
        match self.mistake {
            Some(Mistake::FirstMatch) => return matching.first().is_none_or(|(allow, ..)| *allow),
            Some(Mistake::LastMatch) => return matching.last().is_none_or(|(allow, ..)| *allow),
            Some(Mistake::ShortestMatch) => {
                return matching.iter().min_by_key(|(_, length, _)| *length).is_none_or(|(allow, ..)| *allow);
            }
            Some(Mistake::AllowAlwaysWins) => {
                return matching.is_empty() || matching.iter().any(|(allow, ..)| *allow);
            }
            Some(Mistake::DisallowAlwaysWins) => {
                return matching.iter().all(|(allow, ..)| *allow);
            }
            Some(Mistake::WildcardWinsLess) if matching.iter().any(|(.., path)| path.contains(&b'*')) => {
                return matching
                    .iter()
                    .filter(|(.., path)| !path.contains(&b'*'))
                    .max_by_key(|(_, length, _)| *length)
                    .is_none_or(|(allow, ..)| *allow);
            }
            _ => {}
        }
        match (longest(true), longest(false)) {
            (None, None) => by_default,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(allow), Some(disallow)) if self.makes(Mistake::TieDisallows) => allow > disallow,
            (Some(allow), Some(disallow)) => allow >= disallow,
        }
    }

    /// Percent-encoded as RFC 9309, 2.2.2 has it: octets outside ASCII are, unreserved ones are not.
    fn normal(self, text: &[u8], is_rule: bool) -> Vec<u8> {
        let mut normal = Vec::with_capacity(text.len());
        let mut rest = text;
        while let [first, after @ ..] = rest {
            if let [b'%', a, b, after @ ..] = rest
                && a.is_ascii_hexdigit()
                && b.is_ascii_hexdigit()
            {
                let octet = u8::from_str_radix(std::str::from_utf8(&rest[1..3]).expect("digits"), 16)
                    .expect("an octet");
                let is_unreserved = octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
                let decodes = is_unreserved && !self.makes(Mistake::EscapesStay)
                    || is_rule && self.makes(Mistake::EscapedStarIsWildcard) && octet == b'*'
                    || self.makes(Mistake::DecodesSlash) && octet == b'/';
                match decodes {
                    true => normal.push(octet),
                    false => normal.extend_from_slice(format!("%{octet:02X}").as_bytes()),
                }
                rest = after;
                continue;
            }
            match first {
                _ if !first.is_ascii() && !self.makes(Mistake::NonAsciiStays) => {
                    normal.extend_from_slice(format!("%{first:02X}").as_bytes());
                }
                b'*' | b'$' if !is_rule => normal.extend_from_slice(format!("%{first:02X}").as_bytes()),
                b'$' if after.iter().any(|octet| *octet != b'$') || !after.is_empty() => {
                    normal.extend_from_slice(b"%24")
                }
                _ => normal.push(*first),
            }
            rest = after;
        }
        if self.makes(Mistake::PathCaseIgnored) {
            normal.make_ascii_lowercase();
        }
        normal
    }

    fn matches(self, pattern: &[u8], target: &[u8]) -> bool {
        let mut pattern = pattern.to_vec();
        let ends = pattern.last() == Some(&b'$') && !self.makes(Mistake::DollarIsLiteral);
        if ends {
            pattern.pop();
        }
        if ends && self.makes(Mistake::DollarIgnored) {
            return self.matches(&pattern, target);
        }
        if self.makes(Mistake::TrailingStarNeedsMore)
            && let Some(start) = pattern.strip_suffix(b"*").filter(|start| !start.contains(&b'*'))
        {
            return target.starts_with(start) && target.len() > start.len();
        }
        if self.makes(Mistake::FullUrlIsPath)
            && let Some(rest) = pattern.strip_prefix(b"http://example.com")
        {
            pattern = rest.to_vec();
        }
        if self.makes(Mistake::MatchesAnywhere) && !pattern.starts_with(b"*") {
            return target.windows(pattern.len().max(1)).any(|window| window == pattern);
        }
        if self.makes(Mistake::WholeSegments) && !pattern.contains(&b'*') {
            return target.starts_with(&pattern)
                && (pattern.ends_with(b"/")
                    || target.len() == pattern.len()
                    || matches!(target[pattern.len()], b'/' | b'?'));
        }
        if self.makes(Mistake::ExactPath) && !pattern.contains(&b'*') && pattern != b"/" {
            return target == pattern;
        }
        if self.makes(Mistake::StarIsLiteral) {
            return target.starts_with(&pattern);
        }
        self.matches_parts(&pattern, target, ends)
    }

    fn matches_parts(self, pattern: &[u8], target: &[u8], ends: bool) -> bool {
        let parts: Vec<&[u8]> = pattern.split(|&octet| octet == b'*').collect();
        if !target.starts_with(parts[0]) {
            return false;
        }
        let mut at = parts[0].len();
        if self.makes(Mistake::OneStarOnly) && parts.len() > 2 {
            return false;
        }
        for (index, part) in parts.iter().enumerate().skip(1) {
            let is_last = index + 1 == parts.len();
            if is_last && ends {
                return target.len() >= at + part.len() && target.ends_with(part);
            }
            let from = if self.makes(Mistake::StarNeedsOctet) { at + 1 } else { at };
            let stop = match self.mistake {
                Some(Mistake::StarStopsAtSlash) => target[at..]
                    .iter()
                    .position(|&octet| octet == b'/')
                    .map_or(target.len(), |slash| at + slash),
                Some(Mistake::StarStopsAtQuery) => target[at..]
                    .iter()
                    .position(|&octet| octet == b'?')
                    .map_or(target.len(), |mark| at + mark),
                _ => target.len(),
            };
            let found = (from..=stop).find(|&start| target.get(start..start + part.len()) == Some(part));
            let Some(start) = found else { return false };
            at = start + part.len();
        }
        !ends || at == target.len()
    }
}

fn blank(line: &[u8]) -> bool {
    line.iter().all(|octet| matches!(octet, b' ' | b'\t'))
}

fn trimmed_start(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count()..]
}

fn trimmed(text: &[u8]) -> &[u8] {
    let text = trimmed_start(text);
    &text[..text.len() - text.iter().rev().take_while(|octet| matches!(octet, b' ' | b'\t')).count()]
}

fn path_of(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..].find(['/', '?']).map_or("", |end| &url[start + end..]).to_owned()
}

impl Implementation for Parser {
    fn info(&self) -> Info {
        Info::named(self.mistake.map_or("sound".to_owned(), |mistake| format!("{mistake:?}")))
    }

    fn check(&mut self, robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
        if self.makes(Mistake::CrashesOnInvalidUtf8) && std::str::from_utf8(robots).is_err() {
            return Err(Fault::Crash("not UTF-8".to_owned()));
        }
        let mut verdicts = Vec::new();
        for queries in queries.chunk_by(|a, b| a.agent == b.agent) {
            let rules = self.rules(robots, &queries[0].agent);
            verdicts.extend(queries.iter().map(|query| Verdict::from(self.allows(&rules, &query.url))));
        }
        Ok(verdicts)
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        let mut sitemaps = Vec::new();
        let mut has_group = false;
        for record in self.records(robots).into_iter().flatten() {
            has_group |= record.field == "user-agent";
            if record.field == "sitemap" && !(has_group && self.makes(Mistake::SitemapNotInGroup)) {
                sitemaps.push(String::from_utf8_lossy(&record.value).into_owned());
            }
        }
        if self.makes(Mistake::OneSitemap) {
            sitemaps.truncate(1);
        }
        Ok(sitemaps)
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        let parse = |url: &str| Url::parse(url).map_err(|error| Fault::Error(error.to_string()));
        let (robots, page) = (parse(robots_url)?, parse(url)?);
        let path = match self.mistake {
            Some(Mistake::RobotsNameAnyCase) => robots.path().to_ascii_lowercase(),
            Some(Mistake::RobotsAnywhere) => {
                robots.path().rfind('/').map_or("", |slash| &robots.path()[slash..]).to_owned()
            }
            _ => robots.path().to_owned(),
        };
        let host = |url: &Url| url.host_str().unwrap_or_default().to_owned();
        let hosts_agree = match self.mistake {
            Some(Mistake::SubdomainsToo) => {
                host(&page) == host(&robots) || host(&page).ends_with(&format!(".{}", host(&robots)))
            }
            Some(Mistake::HostCaseMatters) => raw_host(robots_url) == raw_host(url),
            _ => host(&page) == host(&robots),
        };
        let schemes_agree = robots.scheme() == page.scheme() || self.makes(Mistake::SchemeIgnored);
        let ports_agree = match self.mistake {
            Some(Mistake::PortIgnored | Mistake::SchemeIgnored) => true,
            Some(Mistake::DefaultPortDiffers) => written_port(robots_url) == written_port(url),
            _ => robots.port_or_known_default() == page.port_or_known_default(),
        };
        Ok(Governs::from(path == "/robots.txt" && schemes_agree && hosts_agree && ports_agree))
    }

    fn access(&mut self, visits: &[TimedVisit], agent: &str, paths: &[String]) -> Result<Accessed, Fault> {
        let mut visits: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
        for visit in &mut visits {
            for reply in &mut visit.replies {
                self.misread(reply);
            }
            let hops = visit.replies.iter().filter(|reply| matches!(reply, Reply::Redirect { .. })).count();
            if self.makes(Mistake::NoRedirects) && hops > 0 {
                visit.replies = vec![Reply::Answer { status: 404, body: Vec::new(), max_age: None }];
            }
            if self.makes(Mistake::TwoRedirects) && hops > 2 {
                visit.replies = vec![Reply::Answer { status: 404, body: Vec::new(), max_age: None }];
            }
        }
        let mut reading = Reading::plainest(Edition::Rfc9309);
        match self.mistake {
            Some(Mistake::NeverForgets) => visits.truncate(1),
            Some(Mistake::FailureOpens) => {
                reading = reading.supposing(Question::NetworkFailure, Answer::AsNotFound)
            }
            Some(Mistake::ServerErrorOpens) => {
                reading = reading.supposing(Question::UnreachableWithoutCopy, Answer::Allow);
                reading = reading.supposing(Question::UnreachableWithCopy, Answer::Allow);
            }
            Some(Mistake::FollowsMetaRefresh) => {
                reading = reading.supposing(Question::ClientRedirect, Answer::Follow)
            }
            Some(Mistake::DisallowedRedirectStops) => {
                reading = reading.supposing(Question::RedirectToDisallowed, Answer::Stop);
            }
            _ => {}
        }
        let access = access_read(&reading, &visits);
        let verdict = |path: &String| match &access {
            Access::FullAllow => Verdict::Allow,
            Access::FullDisallow => Verdict::Disallow,
            Access::Conditional(file) => Verdict::from(self.allows(&self.rules(file, agent), path)),
        };
        Ok(Accessed { verdicts: paths.iter().map(verdict).collect(), departures: Vec::new() })
    }
}

impl Parser {
    fn misread(self, reply: &mut Reply) {
        let Reply::Answer { status, body, .. } = reply else { return };
        match (self.mistake, *status) {
            (Some(Mistake::ClientErrorCloses), 400..=499) => *status = 503,
            (Some(Mistake::ForbiddenCloses), 401 | 403) => *status = 503,
            (Some(Mistake::GoneIsServerError), 410) => *status = 503,
            (Some(Mistake::BodyOfErrorCounts), 404) => {
                *status = 200;
                *body = b"user-agent: *\ndisallow: /\n".to_vec();
            }
            (Some(Mistake::ServerErrorIsNotFound), 500..=599) => *status = 404,
            (Some(Mistake::UnavailableIsNotFound), 503) => *status = 404,
            (Some(Mistake::SuccessOpens), 200) => body.clear(),
            _ => {}
        }
    }
}

/// The port as it is written.
fn written_port(url: &str) -> Option<&str> {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
    authority.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'))
}

fn raw_host(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    &rest[..rest.find([':', '/']).unwrap_or(rest.len())]
}
