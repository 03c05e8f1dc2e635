// ---- Sorting by a column, which is in the address ----

/** How the view is sorted: the column, if one is chosen, and whether its last entry comes first. */
const sorting = () => ({ column: state.filter.sort.replace(/^-/, ""), isDescending: state.filter.sort.startsWith("-") });

/** A heading that sorts by its column, and the second time in the other direction. */
function sortHeading(id, label, attributes = {}) {
  const sort = () => {
    const { column, isDescending } = sorting();
    replaceAddress(address(state.view, state.argument, { ...state.filter, sort: column === id && !isDescending ? `-${id}` : id }));
  };
  return h("th", { scope: "col", "data-sort": id, ...attributes }, button(label, sort, { class: "sort" }));
}

/** Shows in the headings of a table how it is sorted. */
function showSorting(table, { column, isDescending }) {
  for (const cell of table.tHead.querySelectorAll("[data-sort]")) {
    if (cell.dataset.sort === column) cell.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  }
}
