import crawlercommons.robots.SimpleRobotRulesParser;
import java.util.Set;

record MyParser(byte[] robots) {
    boolean isAllowed(String agent, String url) {
        var names = SimpleRobotRulesParser.sanitizeRobotNames(Set.of(agent));
        var parser = new SimpleRobotRulesParser();
        return parser.parseContent("https://example.com/robots.txt", robots, "text/plain", names).isAllowed(url);
    }
}
