//! Answers of editions, in few words.

use robotspec_reference::Edition;

/// Returns the different answers, each with the editions that give it, in the order of the first of them.
pub(super) fn by_answer<A: PartialEq>(
    answers: impl IntoIterator<Item = (Edition, A)>,
) -> Vec<(A, Vec<Edition>)> {
    let mut by_answer: Vec<(A, Vec<Edition>)> = Vec::new();
    for (edition, answer) in answers {
        match by_answer.iter_mut().find(|(other, _)| *other == answer) {
            Some((_, editions)) => editions.push(edition),
            None => by_answer.push((answer, vec![edition])),
        }
    }
    by_answer
}

/// Returns the names of editions, or `all` in place of more than two if they are all `of` a number.
pub(super) fn names(editions: &[Edition], of: usize) -> String {
    match editions {
        [_, _, _, ..] if editions.len() == of && of == Edition::ALL.len() => "all editions".to_owned(),
        [_, _, _, ..] if editions.len() == of => format!("all {of} editions of the row"),
        _ => editions.iter().map(|edition| edition.id()).collect::<Vec<_>>().join(", "),
    }
}
