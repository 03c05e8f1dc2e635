//! A file to be read, made up, and the same in every run.

use std::fmt::Write;

/// As a large site has it: one group for everybody, one for a crawler that it
/// cares about, some for those that it does not want.
pub(crate) fn site(rules: usize) -> String {
    let mut text = String::from("# Ask before you crawl: robots@example.com\n\nUser-agent: *\n");
    for number in 0..rules * 3 / 4 {
        write_rule(&mut text, number);
    }
    text.push_str("\nUser-agent: Googlebot\nUser-agent: Googlebot-Image\n");
    for number in rules * 3 / 4..rules {
        write_rule(&mut text, number);
    }
    for unwanted in ["AhrefsBot", "MJ12bot", "SemrushBot", "dotbot", "BLEXBot"] {
        let _ = write!(text, "\nUser-agent: {unwanted}\nDisallow: /\n");
    }
    text.push_str("\nSitemap: https://example.com/sitemap-index.xml\n");
    text
}

fn write_rule(text: &mut String, n: usize) {
    let _ = match n % 10 {
        0 => writeln!(text, "Disallow: /departments/section-{n}/"),
        1 => writeln!(text, "Disallow: /catalogue/item-{n}-technical-specifications.html"),
        2 => writeln!(text, "Disallow: /*/print/{n}/"),
        3 => writeln!(text, "Disallow: /search/results?category={n}&"),
        4 => writeln!(text, "Disallow: /images/{n}/*/thumbnail*.gif$"),
        5 => writeln!(text, "Allow: /departments/section-{}/public/", n - 5),
        6 => writeln!(text, "Disallow: /account/{n}/settings/privacy # not ours to show"),
        7 => writeln!(text, "Disallow: /temporary/{n}/*"),
        8 => writeln!(text, "Disallow: /*?*&session{n}="),
        _ => writeln!(text, "Disallow: /users/%7Ename{n}/profile"),
    };
}
