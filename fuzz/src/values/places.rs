//! Traits about the place of a line: in which group it is, and which of two lines is used. Every field has them.

use std::sync::Arc;

use robotspec_cases::Query;

use super::field::Field;
use super::probe::{Outcome, ValueProbe, ValueTrait};

/// Agents whose names have no part in common.
const AGENTS: [&str; 4] = ["FooBot", "ExampleCrawler", "newsreader", "Webspider"];

/// A trait about places. In its files, `A` and `B` are lines with two values, `F` is a line that names the agent, and `O`
/// and `S` are lines that name another agent and `*`.
struct Place {
    name: &'static str,
    asks: &'static str,
    layouts: &'static [Layout],
}

/// A file, and the values under each reading.
struct Layout {
    file: &'static str,
    outcomes: &'static [(&'static str, Values)],
}

/// The values under a reading.
#[derive(Clone, Copy)]
enum Values {
    Nothing,
    A,
    B,
    Both,
    Reversed,
    Smaller,
    Larger,
}

use Values::{A, B, Both, Larger, Nothing, Reversed, Smaller};

/// What is read of two lines, of which the first has the value `A`.
const OF_TWO: &[(&str, Values)] = &[
    ("first", A),
    ("last", B),
    ("all", Both),
    ("smallest", Smaller),
    ("largest", Larger),
    ("none", Nothing),
];

const PLACES: &[Place] = &[
    Place {
        name: "own-group",
        asks: "is the value in a group that names the agent used?",
        layouts: &[Layout { file: "F A disallow:/private", outcomes: &[("used", A), ("none", Nothing)] }],
    },
    Place {
        name: "without-rules",
        asks: "is it used if the group has no rule?",
        layouts: &[Layout { file: "F A", outcomes: &[("used", A), ("none", Nothing)] }],
    },
    Place {
        name: "star-group",
        asks: "is the value in the `*` group used, if no group names the agent?",
        layouts: &[
            Layout { file: "S A disallow:/private", outcomes: &[("used", A), ("none", Nothing)] },
            Layout {
                file: "O disallow:/other - S A disallow:/private",
                outcomes: &[("used", A), ("none", Nothing)],
            },
        ],
    },
    Place {
        name: "inherited",
        asks: "is the value in the `*` group used, if the group of the agent has none?",
        layouts: &[
            Layout {
                file: "S A disallow:/private - F disallow:/own",
                outcomes: &[("inherited", A), ("none", Nothing)],
            },
            Layout {
                file: "F disallow:/own - S A disallow:/private",
                outcomes: &[("inherited", A), ("none", Nothing)],
            },
        ],
    },
    Place {
        name: "own-and-star",
        asks: "which value is used, if the group of the agent and the `*` group have one?",
        layouts: &[
            Layout {
                file: "S A disallow:/private - F B disallow:/own",
                outcomes: &[
                    ("own", B),
                    ("star", A),
                    ("first", A),
                    ("last", B),
                    ("all", Both),
                    ("smallest", Smaller),
                    ("largest", Larger),
                    ("none", Nothing),
                ],
            },
            Layout {
                file: "F B disallow:/own - S A disallow:/private",
                outcomes: &[
                    ("own", B),
                    ("star", A),
                    ("first", B),
                    ("last", A),
                    ("all", Reversed),
                    ("smallest", Smaller),
                    ("largest", Larger),
                    ("none", Nothing),
                ],
            },
        ],
    },
    Place {
        name: "other-group",
        asks: "is a value in the group of another agent used?",
        layouts: &[
            Layout {
                file: "O A disallow:/other - F disallow:/own",
                outcomes: &[("used", A), ("none", Nothing)],
            },
            Layout {
                file: "F disallow:/own - O A disallow:/other",
                outcomes: &[("used", A), ("none", Nothing)],
            },
        ],
    },
    Place {
        name: "before-groups",
        asks: "is a value above the first group used?",
        layouts: &[Layout { file: "A - F disallow:/own", outcomes: &[("used", A), ("none", Nothing)] }],
    },
    Place {
        name: "two-lines",
        asks: "which of two values in one group is used?",
        layouts: &[
            Layout { file: "F A B disallow:/private", outcomes: OF_TWO },
            Layout { file: "F A disallow:/private B", outcomes: OF_TWO },
        ],
    },
    Place {
        name: "two-groups",
        asks: "which value is used, if two groups that name the agent have one?",
        layouts: &[
            Layout { file: "F A disallow:/a - F B disallow:/b", outcomes: OF_TWO },
            Layout { file: "F A disallow:/a - O disallow:/c - F B disallow:/b", outcomes: OF_TWO },
        ],
    },
];

/// Returns the traits of a field about places.
pub(super) fn traits(field: Field) -> Vec<ValueTrait> {
    let of_place = |place: &Place| ValueTrait {
        field,
        name: place.name,
        asks: place.asks,
        probes: place.layouts.iter().flat_map(|layout| probes(field, layout)).collect(),
    };
    PLACES.iter().map(of_place).collect()
}

fn probes(field: Field, layout: &Layout) -> Vec<ValueProbe> {
    let of_pair = |(agent, pair): (&str, (&str, &str))| ValueProbe {
        query: query(agent, &write(layout.file, field, agent, pair)),
        outcomes: layout
            .outcomes
            .iter()
            .filter(|(_, values)| field == Field::CrawlDelay || !matches!(values, Smaller | Larger))
            .map(|(reading, values)| (*reading, outcome(*values, pair)))
            .collect(),
    };
    AGENTS.into_iter().zip(field.pairs()).map(of_pair).collect()
}

/// Returns a query about a file.
pub(super) fn query(agent: &str, file: &str) -> Query {
    Query::Values { robots: Arc::from(file.as_bytes()), agent: agent.to_owned() }
}

/// Returns a file with a group for an agent that has this value.
pub(super) fn file_with(field: Field, agent: &str, value: &str) -> String {
    write("F A disallow:/private", field, agent, (value, ""))
}

/// Returns one of the agents.
pub(super) fn agent(number: usize) -> &'static str {
    AGENTS[number % AGENTS.len()]
}

fn write(layout: &str, field: Field, agent: &str, (a, b): (&str, &str)) -> String {
    let line = |word: &str| match word {
        "F" => format!("user-agent: {agent}\n"),
        "O" => "user-agent: OtherBot\n".to_owned(),
        "S" => "user-agent: *\n".to_owned(),
        "A" => format!("{field}: {a}\n"),
        "B" => format!("{field}: {b}\n"),
        "-" => "\n".to_owned(),
        rule => format!("{}\n", rule.replacen(':', ": ", 1)),
    };
    layout.split(' ').map(line).collect()
}

fn outcome(values: Values, (a, b): (&str, &str)) -> Outcome {
    let (smaller, larger) = if number(a) < number(b) { (a, b) } else { (b, a) };
    match values {
        Nothing => Outcome::none(),
        A => Outcome::one(a),
        B => Outcome::one(b),
        Both => Outcome::Values(vec![a.to_owned(), b.to_owned()]),
        Reversed => Outcome::Values(vec![b.to_owned(), a.to_owned()]),
        Smaller => Outcome::one(smaller),
        Larger => Outcome::one(larger),
    }
}

/// The values of a delay are numbers.
fn number(value: &str) -> Option<u64> {
    value.parse().ok()
}
