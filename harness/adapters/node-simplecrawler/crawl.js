// Crawls a site with simplecrawler, which obeys the robots.txt by default: `node crawl.js http://…/ NAME`.
// The settings here are only about time: no pause between requests, and a time limit of one second.
const Crawler = require("simplecrawler");

const crawler = new Crawler(process.argv[2]);
crawler.userAgent = process.argv[3];
crawler.interval = 1;
crawler.timeout = 1000;
crawler.on("complete", () => process.exit(0));
crawler.start();
