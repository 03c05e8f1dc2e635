import com.google.gson.JsonObject;
import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * Adapts crawler-commons (https://github.com/crawler-commons/crawler-commons), which Apache Nutch and StormCrawler use.
 *
 * <p>The complete list of adaptations:
 *
 * <ul>
 *   <li>The library takes bytes, and receives them unchanged, with the content type text/plain.
 *   <li>The library wants names of agents in lower case; its own `sanitizeRobotNames` prepares them. It parses the file
 *       once for each check. `isAllowed` receives the whole URL. True is "allow", false is "disallow".
 *   <li>Sitemaps are those of the rules for any crawler, `getSitemaps`.
 *   <li>An exception of a check is the error of that one check. Error texts are cut at 500 characters.
 * </ul>
 */
final class Adapter {
    private static final String ROBOTS_TXT = "https://example.com/robots.txt";

    private Adapter() {}

    private static SimpleRobotRules parse(JsonObject request, Set<String> agents) {
        var names = SimpleRobotRulesParser.sanitizeRobotNames(agents);
        return new SimpleRobotRulesParser().parseContent(ROBOTS_TXT, Wire.robots(request), "text/plain", names);
    }

    public static void main(String[] args) throws IOException {
        String version = Wire.version("com.github.crawler-commons/crawler-commons");
        Map<String, Wire.Op> ops = Map.of(
                "match",
                        request -> Wire.verdicts(request, (agent, url) -> parse(request, Set.of(agent)).isAllowed(url)),
                "sitemaps", request -> Wire.sitemaps(parse(request, Set.of()).getSitemaps()));
        Wire.serve("crawler-commons", version, "https://github.com/crawler-commons/crawler-commons",
            "com.github.crawler-commons:crawler-commons", ops);
    }
}
