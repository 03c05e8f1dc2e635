//! Traits about the form of a value: decimals, units, and what is not a value.

use super::field::Field;
use super::places::{agent, file_with, query};
use super::probe::{Outcome, ValueProbe, ValueTrait};

/// A trait about a form.
struct Form {
    field: Field,
    name: &'static str,
    asks: &'static str,
    /// Values of this form, and the value under each reading, in the order of the readings. The text `-` stands for none, and
    /// `<` for a smaller number.
    values: &'static [(&'static str, &'static [&'static str])],
    readings: &'static [&'static str],
}

const FORMS: &[Form] = &[
    Form {
        field: Field::CrawlDelay,
        name: "decimals",
        asks: "what is `1.5`?",
        readings: &["exact", "truncated", "rounded-up", "none"],
        values: &[
            ("1.5", &["1.5", "1", "2", "-"]),
            ("2.25", &["2.25", "2", "3", "-"]),
            ("7.75", &["7.75", "7", "8", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "below-one",
        asks: "what is `0.5`?",
        readings: &["exact", "zero", "one", "none"],
        values: &[
            ("0.5", &["0.5", "0", "1", "-"]),
            ("0.25", &["0.25", "0", "1", "-"]),
            ("0.75", &["0.75", "0", "1", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "decimal-comma",
        asks: "what is `1,5`?",
        readings: &["decimal", "start", "as-written", "none"],
        values: &[
            ("1,5", &["1.5", "1", "1,5", "-"]),
            ("2,25", &["2.25", "2", "2,25", "-"]),
            ("7,75", &["7.75", "7", "7,75", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "zero",
        asks: "what is `0`?",
        readings: &["zero", "none"],
        values: &[("0", &["0", "-"]), ("00", &["0", "-"]), ("000", &["0", "-"])],
    },
    Form {
        field: Field::CrawlDelay,
        name: "negative",
        asks: "what is `-5`?",
        readings: &["negative", "positive", "zero", "none"],
        values: &[
            ("-5", &["-5", "5", "0", "-"]),
            // Some parsers have the value -1 for none.
            ("-2", &["-2", "2", "0", "-"]),
            ("-30", &["-30", "30", "0", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "text",
        asks: "what is `abc`?",
        readings: &["as-written", "zero", "not-a-number", "none"],
        values: &[
            ("abc", &["abc", "0", "NaN", "-"]),
            ("ten", &["ten", "0", "NaN", "-"]),
            ("x5", &["x5", "0", "NaN", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "unit",
        asks: "what is `10s`?",
        readings: &["number", "as-written", "zero", "not-a-number", "none"],
        values: &[
            ("10s", &["10", "10s", "0", "NaN", "-"]),
            ("5s", &["5", "5s", "0", "NaN", "-"]),
            ("20sec", &["20", "20sec", "0", "NaN", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "exponent",
        asks: "what is `1e3`?",
        readings: &["evaluated", "start", "as-written", "none"],
        values: &[
            ("1e3", &["1000", "1", "1e3", "-"]),
            ("2e2", &["200", "2", "2e2", "-"]),
            ("5e1", &["50", "5", "5e1", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "large",
        asks: "what is `1000000`?",
        readings: &["exact", "smaller", "none"],
        values: &[
            ("86400", &["86400", "<", "-"]),
            ("1000000", &["1000000", "<", "-"]),
            ("999999", &["999999", "<", "-"]),
        ],
    },
    Form {
        field: Field::CrawlDelay,
        name: "huge",
        asks: "what is `20000000000000000000`?",
        readings: &["exact", "smaller", "none"],
        values: &[
            ("20000000000000000000", &["20000000000000000000", "<", "-"]),
            ("30000000000000000000", &["30000000000000000000", "<", "-"]),
            ("99999999999999999999", &["99999999999999999999", "<", "-"]),
        ],
    },
    Form {
        field: Field::RequestRate,
        name: "seconds",
        asks: "what is `1/5s`?",
        readings: &["in-seconds", "as-written", "none"],
        values: &[
            ("1/5s", &["1/5", "1/5s", "-"]),
            ("2/30s", &["2/30", "2/30s", "-"]),
            ("1/10s", &["1/10", "1/10s", "-"]),
        ],
    },
    Form {
        field: Field::RequestRate,
        name: "minutes",
        asks: "what is `1/5m`?",
        readings: &["in-minutes", "in-seconds", "as-written", "none"],
        values: &[
            ("1/5m", &["1/300", "1/5", "1/5m", "-"]),
            ("2/3m", &["2/180", "2/3", "2/3m", "-"]),
            ("1/10m", &["1/600", "1/10", "1/10m", "-"]),
        ],
    },
    Form {
        field: Field::RequestRate,
        name: "hours",
        asks: "what is `1/2h`?",
        readings: &["in-hours", "in-seconds", "as-written", "none"],
        values: &[
            ("1/2h", &["1/7200", "1/2", "1/2h", "-"]),
            ("5/3h", &["5/10800", "5/3", "5/3h", "-"]),
            ("1/4h", &["1/14400", "1/4", "1/4h", "-"]),
        ],
    },
    Form {
        field: Field::RequestRate,
        name: "time-of-day",
        asks: "what is `1/5 0600-0845`?",
        readings: &["with-time", "without-time", "none"],
        values: &[
            ("1/5 0600-0845", &["1/5 0600-0845", "1/5", "-"]),
            ("2/30 1000-1230", &["2/30 1000-1230", "2/30", "-"]),
            ("1/10 0100-0300", &["1/10 0100-0300", "1/10", "-"]),
        ],
    },
    Form {
        field: Field::RequestRate,
        name: "malformed",
        asks: "what are `abc`, `5` and `1/x`?",
        readings: &["as-written", "none"],
        values: &[("abc", &["abc", "-"]), ("5", &["5", "-"]), ("1/x", &["1/x", "-"])],
    },
    Form {
        field: Field::VisitTime,
        name: "malformed",
        asks: "what are `abc`, `0845` and `2500-2600`?",
        readings: &["as-written", "none"],
        values: &[("abc", &["abc", "-"]), ("0845", &["0845", "-"]), ("2500-2600", &["2500-2600", "-"])],
    },
    Form {
        field: Field::Host,
        name: "scheme",
        asks: "what is `https://example.com`?",
        readings: &["as-written", "without", "none"],
        values: &[
            ("https://example.com", &["https://example.com", "example.com", "-"]),
            ("http://www.example.org", &["http://www.example.org", "www.example.org", "-"]),
            ("https://a.example", &["https://a.example", "a.example", "-"]),
        ],
    },
    Form {
        field: Field::Host,
        name: "port",
        asks: "what is `example.com:8080`?",
        readings: &["as-written", "without", "none"],
        values: &[
            ("example.com:8080", &["example.com:8080", "example.com", "-"]),
            ("www.example.org:81", &["www.example.org:81", "www.example.org", "-"]),
            ("a.example:443", &["a.example:443", "a.example", "-"]),
        ],
    },
    Form {
        field: Field::Host,
        name: "not-a-host",
        asks: "what are `/path`, `_` and `..`?",
        readings: &["as-written", "none"],
        values: &[("/path", &["/path", "-"]), ("_", &["_", "-"]), ("..", &["..", "-"])],
    },
];

/// Returns the traits of a field about forms.
pub(super) fn traits(field: Field) -> Vec<ValueTrait> {
    let of_form = |form: &Form| ValueTrait {
        field,
        name: form.name,
        asks: form.asks,
        probes: form.values.iter().enumerate().map(|(number, value)| probe(form, number, value)).collect(),
    };
    FORMS.iter().filter(|form| form.field == field).map(of_form).collect()
}

fn probe(form: &Form, number: usize, (written, values): &(&'static str, &[&'static str])) -> ValueProbe {
    let agent = agent(number);
    let outcome = |value: &&str| match *value {
        "-" => Outcome::none(),
        // A value that is no number has no smaller one.
        "<" => written.parse().map_or(Outcome::none(), Outcome::Less),
        value => Outcome::one(value),
    };
    ValueProbe {
        query: query(agent, &file_with(form.field, agent, written)),
        outcomes: form.readings.iter().copied().zip(values.iter().map(outcome)).collect(),
    }
}
