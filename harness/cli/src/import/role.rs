//! What a field says, known by its name.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What a field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// The robots.txt.
    Robots,
    /// A crawler that asks.
    Agent,
    /// A URL that it asks about.
    Url,
    /// What is expected.
    Expected,
    /// What a check is called.
    Name,
    /// What is said about it.
    Note,
    /// Nothing that is taken.
    Ignore,
}

impl Role {
    const ALL: [Role; 7] =
        [Role::Robots, Role::Agent, Role::Url, Role::Expected, Role::Name, Role::Note, Role::Ignore];

    /// The four that make a check.
    pub(crate) const OF_A_CHECK: [Role; 4] = [Role::Robots, Role::Agent, Role::Url, Role::Expected];

    pub(crate) fn id(self) -> &'static str {
        match self {
            Role::Robots => "robots",
            Role::Agent => "agent",
            Role::Url => "url",
            Role::Expected => "expected",
            Role::Name => "name",
            Role::Note => "note",
            Role::Ignore => "ignore",
        }
    }

    /// The usual names of fields that say it, without `_` and in lower case.
    fn usual_names(self) -> &'static [&'static str] {
        match self {
            Role::Robots => &[
                "robots",
                "robotstxt",
                "robotstxtcontent",
                "robotstxtcontents",
                "robotstxtbody",
                "robotscontent",
                "robotscontents",
                "robotsbody",
                "robotsfile",
                "robotstxtfile",
                "content",
                "contents",
                "body",
            ],
            Role::Agent => {
                &["agent", "agents", "useragent", "useragents", "useragenttoken", "producttoken", "crawler"]
            }
            Role::Url => {
                &["url", "urls", "uri", "uris", "path", "paths", "urlpath", "targeturl", "urltocheck"]
            }
            Role::Expected => &[
                "expected",
                "expect",
                "expectation",
                "expectedoutcome",
                "expectedresult",
                "expectedverdict",
                "expectedmatch",
                "expectedmatchoutcome",
                "matchoutcome",
                "outcome",
                "result",
                "verdict",
                "decision",
                "allow",
                "allowed",
                "isallowed",
                "shouldallow",
                "expectallow",
                "expectallowed",
                "expectedallowed",
                "canfetch",
                "disallow",
                "disallowed",
                "isdisallowed",
                "shoulddisallow",
                "expectdisallow",
                "expectdisallowed",
                "expecteddisallowed",
            ],
            Role::Name => &["name", "id", "title", "testname", "testid", "casename", "caseid"],
            Role::Note => &[
                "description",
                "explanation",
                "additionalexplanation",
                "comment",
                "comments",
                "note",
                "notes",
                "documentation",
                "rationale",
                "reason",
            ],
            Role::Ignore => &[],
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// `NAME=ROLE`: what a field of this name says.
#[derive(Debug, Clone)]
pub(crate) struct FieldRole {
    name: String,
    role: Role,
}

impl FromStr for FieldRole {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let roles = Role::ALL.map(Role::id).join(", ");
        let (name, id) = text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| format!("write NAME=ROLE, with one of {roles}"))?;
        let role = Role::ALL.into_iter().find(|role| role.id() == id);
        let role = role.ok_or_else(|| format!("there is no role `{id}`, but {roles}"))?;
        Ok(FieldRole { name: name.to_owned(), role })
    }
}

/// What a value is, where its words do not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Allow,
    Disallow,
    /// Its check is left out.
    Ignore,
}

/// `VALUE=MEANING`: what a value of an expected outcome means.
#[derive(Debug, Clone)]
pub(crate) struct ValueMeaning {
    value: String,
    meaning: Meaning,
}

impl FromStr for ValueMeaning {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (value, meaning) = text.rsplit_once('=').unwrap_or_default();
        let meaning = match meaning {
            "allow" => Meaning::Allow,
            "disallow" => Meaning::Disallow,
            "ignore" => Meaning::Ignore,
            _ => return Err("write VALUE=allow, VALUE=disallow or VALUE=ignore".to_owned()),
        };
        Ok(ValueMeaning { value: value.to_owned(), meaning })
    }
}

/// The names of fields, and the words of expected outcomes: those that are given, and the usual ones.
#[derive(Debug, Default)]
pub(crate) struct Names {
    roles: BTreeMap<String, Role>,
    meanings: BTreeMap<String, Meaning>,
}

impl Names {
    pub(crate) fn new(fields: &[FieldRole], values: &[ValueMeaning]) -> Self {
        Names {
            roles: fields.iter().map(|field| (field.name.clone(), field.role)).collect(),
            meanings: values.iter().map(|value| (value.value.clone(), value.meaning)).collect(),
        }
    }

    /// The names that were given.
    pub(crate) fn given_fields(&self) -> impl Iterator<Item = &str> {
        self.roles.keys().map(String::as_str)
    }

    /// The values that were given.
    pub(crate) fn given_values(&self) -> impl Iterator<Item = &str> {
        self.meanings.keys().map(String::as_str)
    }

    /// What a field says, if its name is known.
    pub(crate) fn role(&self, field: &str) -> Option<Role> {
        let usual = || {
            let name = squeezed(last_part(field));
            Role::ALL.into_iter().find(|role| role.usual_names().contains(&&*name))
        };
        self.roles.get(field).copied().or_else(usual)
    }

    /// What is expected, where a field has this value. `true` is allow, unless the name of the field says that it
    /// is about what is not allowed.
    pub(crate) fn meaning(&self, field: &str, value: &str) -> Option<Meaning> {
        if let Some(&meaning) = self.meanings.get(value) {
            return Some(meaning);
        }
        let value = value.to_ascii_lowercase();
        let is_allowed = match &*value {
            "true" | "t" | "false" | "f" => {
                value.starts_with('t') != is_negative(&squeezed(last_part(field)))
            }
            _ => {
                let mut words = value.rsplit(|c: char| !c.is_ascii_alphanumeric());
                let last = words.next().unwrap_or_default();
                let is_negated = words.next() == Some("not");
                match last {
                    "allow" | "allowed" => !is_negated,
                    "disallow" | "disallowed" if !is_negated => false,
                    _ => return None,
                }
            }
        };
        Some(if is_allowed { Meaning::Allow } else { Meaning::Disallow })
    }
}

/// The name of an extension without what it is in.
fn last_part(field: &str) -> &str {
    let name = field.trim_matches(['[', ']']);
    name.rsplit(['.', '/']).next().unwrap_or(name)
}

fn squeezed(name: &str) -> String {
    name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

fn is_negative(name: &str) -> bool {
    ["disallow", "notallowed", "block", "forbid", "forbidden", "deny", "denied"]
        .iter()
        .any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_known_in_every_spelling() {
        let names = Names::default();
        for (field, role) in [
            ("robots_txt", Some(Role::Robots)),
            ("robotsTxtContent", Some(Role::Robots)),
            ("USER_AGENT", Some(Role::Agent)),
            ("[my.suite.url]", Some(Role::Url)),
            ("expected_outcome", Some(Role::Expected)),
            ("additional_explanation", Some(Role::Note)),
            ("owner", None),
            ("robots_url", None),
        ] {
            assert_eq!(names.role(field), role, "{field}");
        }
    }

    #[test]
    fn what_is_given_goes_before_what_is_usual() {
        let given: Vec<FieldRole> =
            ["path=note", "[a.b]=url"].iter().map(|text| text.parse().expect(text)).collect();
        let names = Names::new(&given, &[]);
        assert_eq!(names.role("path"), Some(Role::Note));
        assert_eq!(names.role("[a.b]"), Some(Role::Url));
        assert_eq!(names.role("b"), None);
    }

    #[test]
    fn an_outcome_is_known_by_its_last_words() {
        let names = Names::new(&[], &["0=disallow".parse().expect("a meaning")]);
        for (field, value, meaning) in [
            ("expected", "ALLOW", Some(Meaning::Allow)),
            ("expected", "OUTCOME_ALLOWED", Some(Meaning::Allow)),
            ("expected", "URL_NOT_ALLOWED", Some(Meaning::Disallow)),
            ("expected", "disallowed", Some(Meaning::Disallow)),
            ("expected", "NOT_DISALLOWED", None),
            ("expected", "UNKNOWN", None),
            ("expected", "0", Some(Meaning::Disallow)),
            ("allowed", "true", Some(Meaning::Allow)),
            ("is_disallowed", "true", Some(Meaning::Disallow)),
            ("[my.url_blocked]", "false", Some(Meaning::Allow)),
            ("disallowed", "ALLOWED", Some(Meaning::Allow)),
        ] {
            assert_eq!(names.meaning(field, value), meaning, "{field}: {value}");
        }
    }
}
