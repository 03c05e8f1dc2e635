// ---- Files to start from ----

const lines = (...all) => `${all.join("\n")}\n`;

const EXAMPLES = [
  {
    name: "The editions differ",
    agent: "FooBot", urls: ["/page.htm", "/private/fish", "/fish"],
    file: lines("# Which pages may FooBot fetch?", "user-agent: FooBot", "allow: /page", "disallow: /*.htm", "disallow: /private", "", "user-agent: *", "disalow: /tmp", "crawl-delay: 10", "", "sitemap: https://example.com/sitemap.xml"),
  },
  {
    name: "Two rules match",
    agent: "FooBot", urls: ["/folder/page", "/fish/salmon", "/fish"],
    file: lines("user-agent: *", "allow: /folder", "disallow: /folder/", "disallow: /fish", "allow: /fish"),
  },
  {
    name: "Groups with the same agent",
    agent: "FooBot-News", urls: ["/a", "/b", "/c"],
    file: lines("user-agent: FooBot", "disallow: /a", "", "user-agent: *", "disallow: /c", "", "user-agent: foobot", "disallow: /b"),
  },
  {
    name: "Other letters and escapes",
    agent: "FooBot", urls: ["/fish%20cake", "/Fisch", "/%E3%83%84", "/ツ", "/a%3cd.html"],
    file: lines("user-agent: FooBot/2.1", "disallow: /fish cake", "disallow: /fisch", "disallow: /ツ", "disallow: /a%3Cd.html"),
  },
  {
    name: "An HTML page",
    agent: "FooBot", urls: ["/"],
    file: lines("<!doctype html>", "<title>Not found</title>", "<p>user-agent: *<br>disallow: /</p>"),
  },
];
