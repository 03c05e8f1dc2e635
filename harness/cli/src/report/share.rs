//! Shares of a whole, which every report rounds in one way.

/// Returns a share in per cent with one decimal, rounded down, so that only a whole is 100 %. `None` of nothing.
pub(crate) fn share(part: usize, whole: usize) -> Option<String> {
    let per_mille = (part * 1000).checked_div(whole)?;
    Some(if per_mille == 1000 {
        "100 %".to_owned()
    } else {
        format!("{}.{} %", per_mille / 10, per_mille % 10)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_is_a_hundred_per_cent() {
        let shares = [(0, 0), (0, 3), (1, 3), (9999, 10_000), (3, 3)].map(|(part, whole)| share(part, whole));
        let expected = [None, Some("0.0 %"), Some("33.3 %"), Some("99.9 %"), Some("100 %")];
        assert_eq!(shares.each_ref().map(Option::as_deref), expected);
    }
}
