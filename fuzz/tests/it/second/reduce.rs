//! The smallest input that still shows a difference.

/// Makes a file, an agent and a URL smaller while the difference stays: without lines, then without characters.
pub(crate) fn reduce(
    (robots, agent, url): (&[u8], &str, &str),
    differs: impl Fn(&[u8], &str, &str) -> bool,
) -> (Vec<u8>, String, String) {
    let (mut robots, mut url) = (robots.to_vec(), url.to_owned());
    loop {
        let before = (robots.len(), url.len());
        let mut lines: Vec<Vec<u8>> =
            robots.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        shorten(&mut lines, &|lines| differs(&lines.concat(), agent, &url));
        for at in 0..lines.len() {
            // The name of a field stays as it is.
            let value = lines[at].iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1);
            let (before, after) = (lines[..at].concat(), lines[at + 1..].concat());
            let name = lines[at][..value].to_vec();
            let mut rest = lines[at][value..].to_vec();
            shorten(&mut rest, &|rest| differs(&[&before, &name[..], rest, &after].concat(), agent, &url));
            lines[at] = [name, rest].concat();
        }
        robots = lines.concat();
        let mut characters: Vec<char> = url.chars().collect();
        shorten(&mut characters, &|url| differs(&robots, agent, &String::from_iter(url)));
        url = characters.into_iter().collect();
        if before == (robots.len(), url.len()) {
            return (robots, agent.to_owned(), url);
        }
    }
}

/// Removes stretches of items, long ones first, while the rest will do.
fn shorten<T: Clone>(items: &mut Vec<T>, will_do: &dyn Fn(&[T]) -> bool) {
    let mut length = items.len();
    while length > 0 {
        let mut at = 0;
        while at + length <= items.len() {
            let shorter = [&items[..at], &items[at + length..]].concat();
            if will_do(&shorter) {
                *items = shorter;
            } else {
                at += 1;
            }
        }
        length /= 2;
    }
}
