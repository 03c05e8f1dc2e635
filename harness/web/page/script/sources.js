// ---- The texts of the editions on the web ----

const RFC = "https://www.rfc-editor.org/rfc/rfc9309";

/** The address of the text of an edition, where it is still published. Google replaces its pages in place. */
const TEXTS = {
  "koster-1994": "https://www.robotstxt.org/orig.html",
  "koster-1996": "https://www.robotstxt.org/norobots-rfc.txt",
  rfc9309: RFC,
  "google-2026": "https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec",
  "rfc9309-aipref": "https://datatracker.ietf.org/doc/html/draft-ietf-aipref-attach-05",
};

/** The sections of a text, each with a link. A section of the RFC starts with its number. */
function sectionLinks(editionId, sections) {
  const text = TEXTS[editionId];
  if (!text || !sections) return sections ?? null;
  return sections.split("; ").map((section, index) => {
    const [number] = /^\d+(\.\d+)*/.exec(section) ?? [];
    const isRfc = editionId === "rfc9309" || (editionId === "rfc9309-aipref" && number);
    return [index ? "; " : null, outside(isRfc ? `${RFC}${number ? `#section-${number}` : ""}` : text, section)];
  });
}
