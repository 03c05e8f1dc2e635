// Crawls a site with simplecrawler, which obeys the robots.txt unless told otherwise: `node crawl.js http://…/`.
// What is set here is about time alone: no pause between requests, and nobody is waited for longer than a second.
const Crawler = require("simplecrawler");

const crawler = new Crawler(process.argv[2]);
crawler.interval = 1;
crawler.timeout = 1000;
crawler.on("complete", () => process.exit(0));
crawler.start();
