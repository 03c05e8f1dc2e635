//! Each kind of advice, and files that have none.

use super::{Advice, AdviceKind, Severity, advise};
use crate::edition::Edition;
use crate::question::Question;

/// Returns the line, the kind and the severity of each piece of advice.
fn kinds(edition: Edition, file: &str) -> Vec<(usize, AdviceKind, Severity)> {
    let advice = advise(file.as_bytes(), edition);
    for piece in &advice {
        assert!(!piece.to_string().is_empty() && !piece.meaning.kind().statement().is_empty());
    }
    advice.iter().map(|advice| (advice.line, advice.meaning.kind(), advice.severity)).collect()
}

fn in_rfc9309(file: &str) -> Vec<(usize, AdviceKind, Severity)> {
    kinds(Edition::Rfc9309, file)
}

#[test]
fn a_file_that_is_read_as_it_is_written_has_no_advice() {
    for file in [
        "",
        "user-agent: *\ndisallow: /private/\nallow: /private/open\n",
        "user-agent: FooBot\nuser-agent: *\ndisallow: /a\n",
        "user-agent: FooBot\ndisallow:\n\nuser-agent: *\ndisallow: /a\n",
        "user-agent: FooBot\ndisallow: /\n\nuser-agent: *\ndisallow: /a\n",
        "user-agent: *\ndisallow: /a\ncrawl-delay: 3\nsitemap: https://example.com/sitemap.xml\n",
        "allow: /\nuser-agent: *\ndisallow: /a\n",
    ] {
        assert_eq!(in_rfc9309(file), [], "{file}");
    }
}

#[test]
fn advice_names_the_question_on_which_the_line_depends() {
    let questions = |file: &str| -> Vec<Option<Question>> {
        advise(file.as_bytes(), Edition::Rfc9309).iter().map(Advice::question).collect()
    };
    for (name, question) in [
        ("FooBot/2.1", Some(Question::AgentSuffix)),
        ("FooBot*", Some(Question::AgentSuffix)),
        ("Foo Bot", Some(Question::AgentText)),
        ("MJ12bot", Some(Question::AgentOther)),
        // No product token is at the start, so that no crawler is known that the line may be about.
        ("360Spider", None),
        ("", None),
    ] {
        assert_eq!(questions(&format!("user-agent: {name}\ndisallow: /\n")), [question], "{name}");
    }
    let split = |agent: &str| {
        questions(&format!("user-agent: {agent}\ndisallow: /a\n\nuser-agent: {agent}\ndisallow: /b\n"))
    };
    assert_eq!(split("FooBot"), [Some(Question::SameAgentGroups)]);
    assert_eq!(split("*"), [Some(Question::StarGroups)]);
    let others = "user-agent: *\ndisallow: /private/\n\nuser-agent: FooBot\ndisallow: /a\n";
    assert_eq!(questions(others), [None]);
}

#[test]
fn a_page_and_a_rule_without_a_group_are_errors() {
    let page = "\u{feff}\n<!DOCTYPE html>\n";
    assert_eq!(in_rfc9309(page), [(1, AdviceKind::HtmlPage, Severity::Error)]);
    let rules = "allow: /b\ndisallow: /a\nuser-agent: *\ndisallow: /c\n";
    assert_eq!(in_rfc9309(rules), [(2, AdviceKind::RuleWithoutGroup, Severity::Error)]);
}

#[test]
fn a_name_that_is_no_product_token_is_a_warning_unless_only_digits_are_odd() {
    let odd = (1, AdviceKind::NotAProductToken, Severity::Warning);
    for name in ["FooBot/2.1", "Foo Bot", ""] {
        assert_eq!(in_rfc9309(&format!("user-agent: {name}\ndisallow: /\n")), [odd], "{name}");
    }
    let digits = (1, AdviceKind::NotAProductToken, Severity::Note);
    assert_eq!(in_rfc9309("user-agent: MJ12bot\ndisallow: /\n"), [digits]);
    // That edition derives any text as a name.
    assert_eq!(kinds(Edition::GooglePre2019, "user-agent: MJ12bot\ndisallow: /\n"), []);
}

#[test]
fn a_named_group_drops_the_rules_of_the_star_group() {
    let star = "\nuser-agent: *\ndisallow: /private/\n";
    let note = (1, AdviceKind::DropsStarRules, Severity::Note);
    assert_eq!(in_rfc9309(&format!("user-agent: FooBot\ndisallow: /a\n{star}")), [note]);
    let advice = advise(format!("user-agent: FooBot\ndisallow: /a\n{star}").as_bytes(), Edition::Rfc9309);
    assert_eq!(advice[0].other_line, Some(5));
    let warning = (3, AdviceKind::DropsStarRules, Severity::Warning);
    let delay = "user-agent: *\ndisallow: /private/\nuser-agent: FooBot\ncrawl-delay: 9\n";
    assert_eq!(in_rfc9309(delay), [warning]);
    // An exception alone leaves out all that it is an exception to; a group that allows everything means it.
    let exception = "user-agent: *\ndisallow: /private/\nuser-agent: FooBot\nallow: /private/a\n";
    assert_eq!(in_rfc9309(exception), [warning]);
    assert_eq!(in_rfc9309(&exception.replace("/private/a", "/")), []);
}

#[test]
fn a_split_group_is_one_if_a_crawler_that_does_not_combine_it_answers_otherwise() {
    let split = (3, AdviceKind::SplitGroup, Severity::Warning);
    assert_eq!(in_rfc9309("user-agent: A\ndisallow: /a\nuser-agent: a\ndisallow: /b\n"), [split]);
    assert_eq!(in_rfc9309("user-agent: *\ndisallow: /a\nuser-agent: *\ndisallow: /b\n"), [split]);
    assert_eq!(in_rfc9309("user-agent: A\ndisallow: /a\nuser-agent: a\ndisallow: /a\n"), []);
}

#[test]
fn a_rule_is_unreachable_if_another_one_prevails_everywhere() {
    let unreachable = |line| (line, AdviceKind::UnreachableRule, Severity::Warning);
    assert_eq!(in_rfc9309("user-agent: *\ndisallow: /a\nallow: /a\n"), [unreachable(2)]);
    assert_eq!(in_rfc9309("user-agent: *\nallow: /a*\ndisallow: /a\n"), [unreachable(3)]);
    assert_eq!(in_rfc9309("user-agent: *\nallow: /a/b\ndisallow: /a\n"), []);
    // The first rule that matches decides.
    assert_eq!(kinds(Edition::Koster1996, "user-agent: *\ndisallow: /a\nallow: /a\n"), []);
}

#[test]
fn rules_that_follow_the_size_limit_are_counted() {
    let line = "disallow: /a\n";
    let file = format!("user-agent: *\n{}", line.repeat((500 << 10) / line.len() + 2));
    let beyond: Vec<_> = kinds(Edition::Google2026, &file)
        .into_iter()
        .filter(|(_, kind, _)| *kind == AdviceKind::BeyondSizeLimit)
        .collect();
    assert_eq!(beyond.len(), 1);
    assert!(beyond[0].0 > (500 << 10) / line.len());
}

#[test]
fn an_answer_that_the_edition_does_not_specify_is_a_warning() {
    let bom = "\u{feff}user-agent: *\ndisallow: /a\n";
    assert_eq!(in_rfc9309(bom), [(2, AdviceKind::UnspecifiedAnswer, Severity::Warning)]);
    assert_eq!(kinds(Edition::Google2026, bom), []);
}
