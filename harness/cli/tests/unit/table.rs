//! Tests of the private parts of `src/output/table.rs`.

use super::*;

#[test]
fn a_list_has_the_cells_with_their_titles() {
    let header = ["edition", "clauses\nkept", "google-\n2026"].map(str::to_owned);
    let rows =
        vec![vec!["robotxt 0.7.0".into()], vec!["  rfc9309".into(), "44   of 46".into(), String::new()]];
    assert_eq!(width(&header, &rows), 13 + 10 + 7 + 4);
    assert_eq!(list(&header, &rows), "robotxt 0.7.0\n  rfc9309\n    clauses kept: 44 of 46");
}

#[test]
fn the_widest_columns_give_way_until_the_table_fits() {
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let rows = [row(["a", "bb", "cccccccccccc"]), row(["", "", "dddd\ndd"])];
    assert_eq!(widths(rows.iter(), 100), [1, 2, 12]);
    assert_eq!(widths(rows.iter(), 14), [1, 2, 7]);
    assert_eq!(widths(rows.iter(), 5), [1, 1, 1]);
}

#[test]
fn a_style_ends_with_each_line_of_a_cell_and_starts_again() {
    let lines = lines_of_cell("\x1b[1mone two\x1b[0m six", 7);
    assert_eq!(lines, ["\x1b[1mone two\x1b[0m", "six"]);
    let lines = lines_of_cell("\x1b[1m\x1b[31mone two\x1b[0m six", 4);
    assert_eq!(lines, ["\x1b[1m\x1b[31mone\x1b[0m", "\x1b[1m\x1b[31mtwo\x1b[0m", "six"]);
}
