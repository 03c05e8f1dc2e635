//! The lines that have no effect, or not the one that they seem to have, and what follows for the crawlers of their group.

use std::collections::BTreeSet;

use robotspec_reference::answer::Acceptance;
use robotspec_reference::bytes::{is_token_byte, trim};
use robotspec_reference::grammar::{Expected, LineStatus, check_lines, has_grammar};
use robotspec_reference::line_by_line::tokens;
use robotspec_reference::question::typed::AllowField;
use robotspec_reference::scan::Parts;
use robotspec_reference::sitemap::is_absolute;
use robotspec_reference::{Line, Question, Reading, Record, RuleKind, Token, nearest_field, split_lines};

use super::{Linter, MOST_STEPS, Severity};
use crate::sentences::list;

impl Linter<'_> {
    /// Finds the other lines that have no effect, or not the one that they seem to have.
    pub(super) fn find_odd_lines(&mut self) {
        let rules: BTreeSet<usize> = self.groups.iter().flat_map(|group| group.rules.clone()).collect();
        let sitemaps = self.robots.sitemaps(self.edition).into_iter();
        let sitemaps: BTreeSet<usize> = sitemaps.filter(|one| one.certain).map(|one| one.line).collect();
        for number in 1..=self.lines.len() {
            let Line { text, .. } = self.lines[number - 1];
            let parts = self.lines[number - 1].parts();
            let fate = if let Some(comment) = swallowed(&parts) {
                let rest = Self::quoted(&text[..text.len() - comment.len()]);
                Some((Severity::Error, format!("{} is a comment; the line is {rest}", Self::quoted(comment))))
            } else if self.said.contains_key(&number)
                || rules.contains(&number)
                    && !matches!(&self.records(number)[0], Record::Rule(_, path) if path.is_empty())
                || sitemaps.contains(&number)
            {
                None
            } else {
                self.fate(number, &parts)
            };
            if let Some((severity, message)) = fate {
                let consequence = if severity == Severity::Note { "" } else { self.consequence(number) };
                let message = message + consequence;
                self.say(severity, Some(number), message);
            }
        }
    }

    /// Returns what becomes of a line that is the same in every reading, and neither a rule of a group nor a sitemap.
    fn fate(&self, number: usize, parts: &Parts) -> Option<(Severity, String)> {
        let [record] = self.records(number) else { return None };
        let edition = self.edition;
        let error = |message: String| Some((Severity::Error, message));
        let place = self.groups.partition_point(|group| group.agents[0] < number);
        let group = place.checked_sub(1).map(|place| &self.groups[place]);
        match record {
            Record::Invalid => error("the line is ignored: no field and colon are at its start".to_owned()),
            Record::Other if parts.known_field().is_none() => {
                let field = Self::quoted(&parts.field).to_lowercase();
                match nearest_field(&String::from_utf8_lossy(&parts.field)) {
                    Some(known) => error(format!(
                        "the line is ignored: {edition} does not define the field {field} (did you mean `{known}`?)"
                    )),
                    None => {
                        let message =
                            format!("{edition} does not define the field {field}: the line is no rule");
                        Some((Severity::Note, message))
                    }
                }
            }
            Record::Other => error("the line is ignored".to_owned()),
            Record::Rule(_, path) if path.is_empty() => {
                let rules = &group.filter(|group| !group.rules.is_empty())?.rules;
                let of_group = format!("the rules of its group have effect ({})", list(rules));
                Some((Severity::Note, format!("without a path, the line has no effect; {of_group}")))
            }
            Record::Rule(RuleKind::Allow, _)
                if Reading::plainest(edition).choice(Question::AllowField)
                    == AllowField.choice(Acceptance::Ignore) =>
            {
                error(format!("the line is ignored: {edition} does not define the field `allow`"))
            }
            // In another reading, it may be in a group.
            Record::Rule(..) | Record::UsageRule(_) if self.first_undecided_name < number => None,
            Record::Rule(..) | Record::UsageRule(_) if group.is_none() => {
                error("the rule is ignored: there is no user-agent line before it".to_owned())
            }
            Record::Rule(..) => error(format!("the rule is ignored: {edition} counts it in no group")),
            Record::UserAgent(value) => self.about_name(value),
            Record::Sitemap(url) if !is_absolute(&String::from_utf8_lossy(url)) => {
                let message = "is not an absolute URL; the edition does not specify whether the line counts";
                Some((Severity::Warning, format!("{} {message}", Self::quoted(url))))
            }
            _ => None,
        }
    }

    /// Returns what the edition makes of a name that is no product token.
    fn about_name(&self, value: &[u8]) -> Option<(Severity, String)> {
        if value == b"*" || !value.is_empty() && value.iter().all(|byte| is_token_byte(*byte)) {
            return None;
        }
        let tokens = tokens(self.edition, value);
        let severity = match &tokens[..] {
            [Some(Token::Name(name))] if **name == *value => return None,
            [Some(Token::Name(_))] => Severity::Note,
            _ => Severity::Warning,
        };
        let readings = tokens.iter().map(|token| match token {
            Some(Token::Star) => "the name `*`".to_owned(),
            Some(Token::Name(name)) => format!("the name {}", Self::quoted(name)),
            Some(Token::Pattern(pattern)) => format!("the pattern {}", Self::quoted(pattern)),
            Some(Token::Empty) => "no name".to_owned(),
            None => "an ignored line".to_owned(),
        });
        let readings: Vec<String> = readings.collect();
        let name = if value.is_empty() { "an empty name".to_owned() } else { Self::quoted(value) };
        let readings = readings.join(", or ");
        Some((severity, format!("{name} is no product token: by {} it is {readings}", self.edition)))
    }

    /// Returns what follows for the crawlers of the group of a line, where no line of it is a rule in any reading.
    fn consequence(&mut self, line: usize) -> &str {
        let place = self.groups.partition_point(|group| group.agents[0] <= line);
        let Some(place) = place.checked_sub(1) else { return "" };
        if !self.consequences.contains_key(&place) {
            let group = &self.groups[place];
            let (agents, urls) = self.queries(group.agents[0]..self.range(place).end);
            let steps = self.steps + agents.len() * self.evaluation;
            let plainest = Reading::plainest(self.edition);
            let has_rule =
                |agent: &&str| !self.robots.decide(&plainest, agent, "/").is_ok_and(|one| one.rules == 0);
            let is_empty = urls.is_empty() && steps <= MOST_STEPS && !agents.iter().any(has_rule);
            let says = || format!("; nothing is disallowed for the crawlers of {}", list(&group.agents));
            let consequence = if is_empty { says() } else { String::new() };
            self.steps = steps;
            self.consequences.insert(place, consequence);
        }
        &self.consequences[&place]
    }

    /// Adds the other lines that the grammar does not derive.
    pub(super) fn find_underived(&mut self, file: &[u8]) {
        if !has_grammar(self.edition) {
            return;
        }
        for line in check_lines(self.edition, file) {
            if let LineStatus::NotDerived(error) = &line.status
                && !matches!(error.expected, Expected::LineEnd | Expected::StartGroupLine)
                && !self.said.contains_key(&line.line)
            {
                let expected = error.expected.description();
                let message = format!(
                    "the grammar of {} does not derive the line: it requires {expected}",
                    self.edition
                );
                self.say(Severity::Note, Some(line.line), message);
            }
        }
    }
}

/// Returns the comment of a line that starts within a value, or contains a field.
fn swallowed<'f>(parts: &Parts<'f>) -> Option<&'f [u8]> {
    let comment = parts.comment?;
    let inner = split_lines(trim(comment.text.trim_ascii_start().strip_prefix(b"#")?)).next()?;
    parts.colon?;
    let is_within =
        !parts.value.is_empty() && parts.value.span().end == comment.start && !inner.text.is_empty();
    let is_path = parts.value.is_empty() && inner.text.starts_with(b"/");
    (is_within || is_path || inner.parts().known_field().is_some()).then_some(comment.text)
}
