//! Tests of the private parts of `src/usage_line.rs`.

use super::*;

#[test]
fn a_value_is_a_preference_perhaps_after_a_path() {
    for value in ["train-ai=n", "/ai-ok/ train-ai=y", "train-ai=n, search=y", "/a\ttrain-ai=n,*=y"] {
        assert!(is_usage_value(value.as_bytes()), "{value}");
    }
    for value in ["", "/a", "no", "/a b c=d", "train-ai=", "=n", "train-ai=n,", "Train-AI=n", "a=\"b\""] {
        assert!(!is_usage_value(value.as_bytes()), "{value}");
    }
}

#[test]
fn a_name_may_be_misspelt() {
    let name = |line: &'static str| usage_line(line.as_bytes()).map(|(name, _)| name);
    assert_eq!(name(" Content-Usage : a=b"), Some(UsageName::Exact));
    for line in ["contentusage: a=b", "content usage: a=b", "content-usages: a=b", "content-usage a=b"] {
        assert_eq!(name(line), Some(UsageName::Misspelt), "{line}");
    }
    assert_eq!(name("content-signal: a=b"), None);
    assert_eq!(name("content-usage"), None);
}
