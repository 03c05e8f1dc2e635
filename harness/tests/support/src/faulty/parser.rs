//! Lines, groups and agents.

use robotspec::{Fault, Governs, Info, MatchQuery, Parser, Verdict};
use robotspec_cases::TimedVisit;

use super::access::Access;
use super::{Mistake, path, scope};

/// The parser.
#[derive(Debug, Clone, Default)]
pub struct FaultyParser {
    mistakes: Vec<Mistake>,
}

/// A rule: whether it allows, and its path.
pub(crate) type Rule = (bool, Vec<u8>);

/// A line with a field and a value.
struct Record {
    field: String,
    value: Vec<u8>,
}

#[derive(Default)]
struct Group {
    agents: Vec<String>,
    rules: Vec<Rule>,
    /// Whether a line ended the list of agents.
    is_closed: bool,
}

impl FaultyParser {
    /// Makes a parser without a mistake.
    pub fn sound() -> Self {
        FaultyParser::default()
    }

    /// Makes a parser with these mistakes.
    pub fn new(mistakes: &[Mistake]) -> Self {
        FaultyParser { mistakes: mistakes.to_vec() }
    }

    /// Returns whether a robots.txt allows an agent to fetch a URL.
    ///
    /// # Errors
    ///
    /// The parser has the mistake to reject the file.
    pub fn allows(&self, robots: &[u8], agent: &str, url: &str) -> Result<bool, Fault> {
        self.accept(robots)?;
        Ok(path::allows(self, &self.rules(robots, agent), url))
    }

    pub(super) fn makes(&self, mistake: Mistake) -> bool {
        self.mistakes.contains(&mistake)
    }

    fn accept(&self, robots: &[u8]) -> Result<(), Fault> {
        match std::str::from_utf8(robots) {
            Err(_) if self.makes(Mistake::CrashesOnInvalidUtf8) => {
                Err(Fault::Crash("the file is not UTF-8".into()))
            }
            _ => Ok(()),
        }
    }

    // ---- Lines ----

    fn lines(&self, file: &[u8]) -> Vec<Vec<u8>> {
        let limit = if self.makes(Mistake::NoSizeMinimum) { 100_000 } else { 512_000 };
        let file = &file[..file.len().min(limit)];
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let file = match self.makes(Mistake::UnicodeEndsLine) {
            true => &with_further_line_ends(file)[..],
            false => file,
        };
        let mut lines = vec![Vec::new()];
        let mut previous = 0;
        for &byte in file {
            let ends_line = match byte {
                b'\r' => !self.makes(Mistake::CrIsNoLineEnd),
                b'\n' => previous != b'\r' || self.makes(Mistake::CrIsNoLineEnd),
                0x0B | 0x0C if self.makes(Mistake::FormFeedEndsLine) => true,
                byte => {
                    lines.last_mut().expect("a line").push(byte);
                    false
                }
            };
            if ends_line {
                lines.push(Vec::new());
            }
            previous = byte;
        }
        if self.makes(Mistake::LastLineNeedsEnd) && file.last().is_some_and(|&byte| !b"\r\n".contains(&byte))
        {
            lines.pop();
        }
        lines
    }

    /// Returns the records of a file, and `None` for a line that ends a group by mistake.
    fn records(&self, file: &[u8]) -> Vec<Option<Record>> {
        let mut records = Vec::new();
        for line in self.lines(file) {
            let is_blank = line.iter().copied().all(is_blank);
            if is_blank && self.makes(Mistake::BlankLineEndsGroup) {
                records.push(None);
            }
            let is_noise = !is_blank && !line.contains(&b':') && !line.starts_with(b"#");
            if is_noise && self.makes(Mistake::StopsAtNoise) {
                break;
            }
            records.extend(self.record(&line).map(Some));
        }
        records
    }

    fn record(&self, line: &[u8]) -> Option<Record> {
        let starts_comment = |at: usize| {
            let is_in_line = at > 0
                && (self.makes(Mistake::CommentNeedsLineStart)
                    || self.makes(Mistake::CommentNeedsSpace) && line[at - 1] != b' ');
            line[at] == b'#' && !self.makes(Mistake::CommentIsValue) && !is_in_line
        };
        let comment = (0..line.len()).find(|&at| starts_comment(at));
        if comment.is_some() && self.makes(Mistake::CommentDropsLine) {
            return None;
        }
        let text = &line[..comment.unwrap_or(line.len())];
        if self.makes(Mistake::LineStartMustNotBeBlank) && text.first().copied().is_some_and(is_blank) {
            return None;
        }
        let colon = text.iter().position(|&byte| byte == b':')?;
        let (name, value) = (&text[..colon], &text[colon + 1..]);
        if self.makes(Mistake::NoSpaceBeforeColon) && name.last().copied().is_some_and(is_blank) {
            return None;
        }
        if self.makes(Mistake::SpaceAfterColonRequired) && !value.is_empty() && !value.starts_with(b" ") {
            return None;
        }
        let value = trim_start(value);
        let value = if self.makes(Mistake::KeepsTrailingSpace) { value } else { trim_end(value) };
        let name = String::from_utf8_lossy(trim_end(trim_start(name))).into_owned();
        let field = if self.makes(Mistake::FieldCaseMatters) { name } else { name.to_ascii_lowercase() };
        Some(Record { field, value: value.to_vec() })
    }

    // ---- Groups ----

    fn groups(&self, file: &[u8]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        if self.makes(Mistake::OrphansBindAll) {
            groups.push(Group { agents: vec!["*".to_owned()], is_closed: true, ..Group::default() });
        }
        // Rules before the first user-agent line wait for it.
        if self.makes(Mistake::OrphansBindNext) {
            groups.push(Group::default());
        }
        for record in self.records(file) {
            let Some(Record { field, value }) = record else {
                close(&mut groups);
                continue;
            };
            match field.as_str() {
                "user-agent" => self.add_agent(&mut groups, &value),
                "allow" | "disallow" => self.add_rule(&mut groups, field == "allow", value),
                "sitemap" if self.makes(Mistake::SitemapEndsGroup) => groups.push(Group::default()),
                "sitemap" | "" => {}
                _ if self.makes(Mistake::UnknownEndsGroup) => groups.push(Group::default()),
                "noindex" if self.makes(Mistake::ExtensionsForbid) && !value.is_empty() => {
                    forbid(&mut groups, value);
                }
                "visit-time" | "request-rate"
                    if self.makes(Mistake::ExtensionsForbid) && !value.is_empty() =>
                {
                    forbid(&mut groups, b"/".to_vec());
                }
                "crawl-delay" if self.makes(Mistake::CrawlDelayIsRule) => close(&mut groups),
                _ => {}
            }
        }
        groups
    }

    fn add_agent(&self, groups: &mut Vec<Group>, value: &[u8]) {
        let is_after = |group: &Group| {
            group.is_closed || !group.rules.is_empty() || self.makes(Mistake::EachAgentItsOwnGroup)
        };
        let has_only_orphans = |groups: &[Group]| groups.len() == 1 && groups[0].agents.is_empty();
        if has_only_orphans(groups) && self.makes(Mistake::OrphansBindNext) {
            groups[0].is_closed = false;
        } else if groups.last().is_none_or(is_after) {
            groups.push(Group::default());
        }
        groups.last_mut().expect("a group").agents.push(self.token(value));
    }

    fn add_rule(&self, groups: &mut [Group], is_allow: bool, mut path: Vec<u8>) {
        let Some(group) = groups.last_mut() else { return };
        group.is_closed = !self.makes(Mistake::RuleDoesNotEndAgents);
        if is_allow && self.makes(Mistake::NoAllow) {
            return;
        }
        if path.is_empty() {
            let is_root = if is_allow { Mistake::EmptyAllowIsRoot } else { Mistake::EmptyDisallowIsRoot };
            if !self.makes(is_root) {
                return;
            }
            path = b"/".to_vec();
        }
        if self.makes(Mistake::RulesBeyondTen) && group.rules.len() >= 10 {
            return;
        }
        let rule = (is_allow, path);
        let duplicate = group.rules.iter().position(|other| *other == rule);
        match duplicate.filter(|_| self.makes(Mistake::DuplicatesCancel)) {
            Some(at) => _ = group.rules.remove(at),
            None => group.rules.push(rule),
        }
    }

    // ---- Agents ----

    /// Returns the product token of a user-agent line or of a crawler.
    fn token(&self, value: &[u8]) -> String {
        if value == b"*" {
            return "*".to_owned();
        }
        let is_of_token = |byte: &&u8| match byte {
            b'-' => !self.makes(Mistake::HyphenEndsToken),
            b'_' => !self.makes(Mistake::UnderscoreEndsToken),
            byte => byte.is_ascii_alphabetic(),
        };
        value.iter().take_while(is_of_token).map(|&byte| char::from(byte)).collect()
    }

    fn names(&self, name: &str, agent: &str) -> bool {
        let is_same = |a: &str, b: &str| match self.makes(Mistake::AgentIsLowered) {
            true => a.eq_ignore_ascii_case(b) && !a.contains(|c: char| c.is_ascii_uppercase()),
            false if self.makes(Mistake::AgentCaseMatters) => a == b,
            false => a.eq_ignore_ascii_case(b),
        };
        let is_prefix = || agent.get(..name.len()).is_some_and(|start| is_same(start, name));
        let is_within = || agent.to_ascii_lowercase().contains(&name.to_ascii_lowercase());
        !name.is_empty()
            && (is_same(name, agent)
                || self.makes(Mistake::AgentPrefix) && is_prefix()
                || self.makes(Mistake::AgentSubstring) && is_within())
    }

    /// Returns the rules for an agent; none where no group is for it.
    pub(crate) fn rules(&self, file: &[u8], agent: &str) -> Vec<Rule> {
        let groups = self.groups(file);
        let agent = self.token(agent.as_bytes());
        let with_agent = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&Group> {
            groups.iter().filter(|group| group.agents.iter().any(|name| is_meant(name))).collect()
        };
        let own = with_agent(&|name| name != "*" && self.names(name, &agent));
        let starred = with_agent(&|name| name == "*");
        let mut chosen = if own.is_empty() { starred.clone() } else { own.clone() };
        for mistake in &self.mistakes {
            match mistake {
                Mistake::StarIsAdded if !own.is_empty() => chosen.extend(&starred),
                Mistake::StarAlone => chosen.clone_from(&starred),
                Mistake::NoStar => chosen.clone_from(&own),
                Mistake::FirstGroupThatFits => {
                    chosen = with_agent(&|name| name == "*" || self.names(name, &agent));
                    chosen.truncate(1);
                }
                Mistake::FirstGroupAlone => chosen.truncate(1),
                Mistake::LastGroupAlone => drop(chosen.drain(..chosen.len().saturating_sub(1))),
                Mistake::LastGroupWithoutRulesIsNone if chosen.iter().all(|group| group.rules.is_empty()) => {
                    chosen.clone_from(&starred);
                }
                Mistake::UnnamedDisallowed if chosen.is_empty() && !groups.is_empty() => {
                    return vec![(false, b"/".to_vec())];
                }
                Mistake::AllGroupsBind => chosen = groups.iter().collect(),
                _ => {}
            }
        }
        chosen.into_iter().flat_map(|group| group.rules.clone()).collect()
    }
}

/// Forbids paths of the last group, whatever its rules say.
fn forbid(groups: &mut [Group], path: Vec<u8>) {
    if let Some(group) = groups.last_mut() {
        group.rules.push((false, path));
    }
}

/// Returns a file in which LF takes the place of every other character that ends a line for Unicode.
fn with_further_line_ends(file: &[u8]) -> Vec<u8> {
    const ENDS: [char; 8] =
        ['\u{B}', '\u{C}', '\u{1C}', '\u{1D}', '\u{1E}', '\u{85}', '\u{2028}', '\u{2029}'];
    let chunks = file.utf8_chunks();
    chunks
        .flat_map(|chunk| [chunk.valid().replace(ENDS, "\n").as_bytes(), chunk.invalid()].concat())
        .collect()
}

fn close(groups: &mut [Group]) {
    if let Some(group) = groups.last_mut() {
        group.is_closed = true;
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim_start(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|&&byte| is_blank(byte)).count()..]
}

fn trim_end(text: &[u8]) -> &[u8] {
    &text[..text.len() - text.iter().rev().take_while(|&&byte| is_blank(byte)).count()]
}

impl Parser for FaultyParser {
    /// Its name is that of its mistakes.
    fn info(&self) -> Info {
        let names: Vec<String> = self.mistakes.iter().map(|mistake| format!("{mistake:?}")).collect();
        Info::named(if names.is_empty() { "sound".to_owned() } else { names.join("+") })
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        self.accept(robots)?;
        let mut verdicts = Vec::new();
        for queries in queries.chunk_by(|a, b| a.agent == b.agent) {
            let rules = self.rules(robots, queries[0].agent);
            verdicts.extend(queries.iter().map(|query| Verdict::from(path::allows(self, &rules, query.url))));
        }
        Ok(verdicts)
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        let mut sitemaps = Vec::new();
        let mut is_in_group = false;
        for record in self.records(robots).into_iter().flatten() {
            is_in_group |= record.field == "user-agent";
            if record.field == "sitemap" && !(is_in_group && self.makes(Mistake::SitemapNotInGroup)) {
                sitemaps.push(String::from_utf8_lossy(&record.value).into_owned());
            }
        }
        if self.makes(Mistake::OneSitemap) {
            sitemaps.truncate(1);
        }
        Ok(sitemaps)
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        scope::governs(self, robots_url, url).map(Governs::from)
    }

    fn access(
        &mut self,
        visits: &[TimedVisit],
        agent: &str,
        paths: &[String],
    ) -> Result<Vec<Verdict>, Fault> {
        let rules = match Access::after(self, visits) {
            Access::All => return Ok(vec![Verdict::Allow; paths.len()]),
            Access::Nothing => return Ok(vec![Verdict::Disallow; paths.len()]),
            Access::Rules(file) => self.rules(&file, agent),
        };
        Ok(paths.iter().map(|path| Verdict::from(path::allows(self, &rules, path))).collect())
    }
}
