//! Reasons in sentences.

use robotspec_reference::{Edition, RobotsTxt};

use robotspec_text::sentences::reasons;

#[test]
fn the_long_path_of_a_rule_is_shortened() {
    let file = format!("user-agent: *\ndisallow: /{}\n", "a".repeat(65_536));
    let url = format!("http://example.com/{}", "a".repeat(65_536));
    let explanation = RobotsTxt::parse(file.as_bytes()).explain(Edition::Rfc9309, "FooBot", &url);
    let reasons = reasons(&explanation.expect("a valid query"));
    assert_eq!(reasons[1], "`disallow: /a{65,536} (65,537 characters)` (line 2) matches");
}
