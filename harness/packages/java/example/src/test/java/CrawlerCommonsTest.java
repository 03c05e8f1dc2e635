import crawlercommons.robots.SimpleRobotRulesParser;
import io.github.robotspec.RobotsTxtTest;
import java.util.Set;

class CrawlerCommonsTest extends RobotsTxtTest {
    @Override
    protected boolean isAllowed(byte[] robots, String agent, String url) {
        var names = SimpleRobotRulesParser.sanitizeRobotNames(Set.of(agent));
        var parser = new SimpleRobotRulesParser();
        return parser.parseContent("https://example.com/robots.txt", robots, "text/plain", names).isAllowed(url);
    }
}
