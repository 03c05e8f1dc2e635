//! The sentences of the advice. Texts of a file are part of them, so an output makes them visible.

use std::fmt;

use super::{Advice, AdviceKind, Meaning};

impl AdviceKind {
    /// Returns what the kind means, in a sentence.
    pub fn statement(self) -> &'static str {
        match self {
            AdviceKind::HtmlPage => {
                "The file is an HTML page, such as a server sends for a page that does not exist."
            }
            AdviceKind::RuleWithoutGroup => "A rule that no user-agent line precedes belongs to no group.",
            AdviceKind::NotAProductToken => {
                "A name that is not a product token is read in several ways, so that its crawler may not obey the group."
            }
            AdviceKind::DropsStarRules => {
                "A crawler that a group names does not obey the rules of the `*` group."
            }
            AdviceKind::SplitGroup => {
                "RFC 9309 combines several groups for one agent; some crawlers obey only the first or the last."
            }
            AdviceKind::UnreachableRule => "Another rule prevails for each URL that the rule matches.",
            AdviceKind::BeyondSizeLimit => "A crawler need not read more than 500 KiB of a file.",
            AdviceKind::UnspecifiedAnswer => {
                "The edition does not specify the answer, so crawlers may differ."
            }
        }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.other_line.unwrap_or_default();
        let path = self.example.as_ref().map_or("", |example| &example.path);
        let agent = self.example.as_ref().map_or("", |example| &example.agent);
        match &self.meaning {
            Meaning::HtmlPage => f.write_str("this is an HTML page and not a robots.txt"),
            Meaning::RuleWithoutGroup => {
                f.write_str("no user-agent line precedes this rule, so that it belongs to no group; add `user-agent: *` above it")
            }
            Meaning::NotAProductToken { name, .. } if name.is_empty() => {
                f.write_str("the name of the crawler is missing; write a product token, or `*`")
            }
            Meaning::NotAProductToken { name, token, .. } => {
                write!(
                    f,
                    "`{name}` is not a product token, so that its crawler need not obey this group, for example for `{path}`"
                )?;
                match token {
                    Some(token) if name.starts_with(&format!("{token}/")) => write!(f, "; write `{token}`"),
                    _ => Ok(()),
                }
            }
            Meaning::DropsStarRules { agent, rules } => {
                write!(f, "`{agent}` ignores the group for `*`, and may fetch `{path}`, which line {line} disallows for others")?;
                match rules - 1 {
                    0 => Ok(()),
                    1 => f.write_str("; another rule has the same effect"),
                    more => write!(f, "; {more} other rules have the same effect"),
                }
            }
            Meaning::SplitGroup { agent } => write!(
                f,
                "`{agent}` has another group in line {line}; a crawler that does not combine them answers otherwise for \
                 `{path}`; put all its rules into one group"
            ),
            Meaning::UnreachableRule { kind, path } => write!(
                f,
                "this rule has no effect: `{}: {path}` (line {line}) prevails for each URL that it matches",
                kind.field()
            ),
            Meaning::BeyondSizeLimit { rules } => {
                let this = if *rules == 1 { "this rule follows" } else { "these rules follow" };
                write!(f, "a crawler may ignore {rules} rules from here on: {this} the first 500 KiB")
            }
            Meaning::UnspecifiedAnswer { question } => write!(
                f,
                "crawlers may differ for `{agent}` and `{path}`: the answer depends on {question}, {}",
                question.row().asks
            ),
        }
    }
}
