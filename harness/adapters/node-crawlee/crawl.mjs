// Crawls a site with CheerioCrawler of Crawlee: `node crawl.mjs http://…/ NAME`.
//
// Crawlee ignores the robots.txt by default; `respectRobotsTxtFile` is its option to obey it. The other settings are only
// about time and output: no request is repeated, the time limit is two seconds, and nothing is stored or printed.
import { CheerioCrawler, Configuration, log } from "@crawlee/cheerio";

log.setLevel(log.LEVELS.OFF);
const crawler = new CheerioCrawler(
    {
        respectRobotsTxtFile: { userAgent: process.argv[3] },
        maxRequestRetries: 0,
        navigationTimeoutSecs: 2,
        requestHandler: ({ enqueueLinks }) => enqueueLinks(),
    },
    new Configuration({ persistStorage: false }),
);
await crawler.run([process.argv[2]]);
