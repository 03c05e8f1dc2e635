//! What a misspelt name was meant to be.

/// Returns the name that resembles a text most, if it resembles it much.
pub(super) fn nearest<'n>(names: impl IntoIterator<Item = &'n str>, text: &str) -> Option<&'n str> {
    let likeness = |name: &str| strsim::jaro_winkler(name, text);
    let nearest = names.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(nearest) > 0.8).then_some(nearest)
}
