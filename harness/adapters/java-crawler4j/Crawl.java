import crawlercommons.filters.basic.BasicURLNormalizer;
import de.hshn.mi.crawler4j.frontier.HSQLDBFrontierConfiguration;
import edu.uci.ics.crawler4j.crawler.CrawlConfig;
import edu.uci.ics.crawler4j.crawler.CrawlController;
import edu.uci.ics.crawler4j.crawler.Page;
import edu.uci.ics.crawler4j.crawler.WebCrawler;
import edu.uci.ics.crawler4j.fetcher.PageFetcher;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtConfig;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtServer;
import edu.uci.ics.crawler4j.url.WebURL;

/**
 * Crawls a site with crawler4j, which obeys the robots.txt by default: {@code java Crawl http://…/ NAME}.
 *
 * <p>The settings are only about time and place: one thread, no pause between requests, the shortest pauses at the end,
 * a time limit of two seconds, and the current folder for the data of the crawl. Addresses without a top-level domain are
 * accepted, because the site is at 127.0.0.1.
 */
public final class Crawl {
    public static final class Links extends WebCrawler {
        @Override
        public boolean shouldVisit(Page referringPage, WebURL url) {
            return true;
        }
    }

    public static void main(String[] arguments) throws Exception {
        CrawlConfig config = new CrawlConfig();
        config.setCrawlStorageFolder(".");
        config.setAllowSingleLevelDomain(true);
        config.setUserAgentString(arguments[1]);
        config.setPolitenessDelay(0);
        config.setConnectionTimeout(2000);
        config.setSocketTimeout(2000);
        config.setThreadMonitoringDelaySeconds(1);
        config.setThreadShutdownDelaySeconds(1);
        config.setCleanupDelaySeconds(1);
        BasicURLNormalizer normalizer = BasicURLNormalizer.newBuilder().build();
        HSQLDBFrontierConfiguration frontier = new HSQLDBFrontierConfiguration(config, 2);
        PageFetcher fetcher = new PageFetcher(config, normalizer);
        RobotstxtConfig rules = new RobotstxtConfig();
        rules.setUserAgentName(arguments[1]);
        RobotstxtServer robots = new RobotstxtServer(rules, fetcher, frontier.getWebURLFactory());
        CrawlController controller = new CrawlController(config, normalizer, fetcher, robots, frontier);
        controller.addSeed(arguments[0]);
        controller.start(Links.class, 1);
    }
}
