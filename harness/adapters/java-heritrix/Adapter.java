import com.google.gson.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.logging.LogManager;
import org.archive.modules.net.Robotstxt;
import org.archive.url.UsableURIFactory;

/**
 * Adapts the parser of Heritrix (https://github.com/internetarchive/heritrix3), the crawler of the Internet Archive.
 *
 * <p>The complete list of adaptations:
 *
 * <ul>
 *   <li>The parser reads text. The file is decoded as UTF-8; in any other file, bytes that are not UTF-8 become U+FFFD.
 *   <li>The parser compares agents with names in lower case, so that the agent is passed in lower case.
 *   <li>As `ObeyRobotsPolicy` does, `getPathQuery` of the URL, which Heritrix has normalised, is passed to `allows`.
 *   <li>True is "allow", false is "disallow". The parser does not read sitemaps.
 *   <li>An exception of a check is the error of that one check. Error texts are cut at 500 characters.
 * </ul>
 */
final class Adapter {
    private Adapter() {}

    private static Robotstxt parse(JsonObject request) throws IOException {
        var bytes = new ByteArrayInputStream(Wire.robots(request));
        return new Robotstxt(new InputStreamReader(bytes, StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws IOException {
        LogManager.getLogManager().reset();
        String version = Wire.version("org.archive.heritrix/heritrix-modules");
        Map<String, Wire.Op> ops = Map.of("match", request -> {
            var robots = parse(request);
            return Wire.verdicts(request,
                    (agent, url) -> robots.getDirectivesFor(agent.toLowerCase(Locale.ROOT))
                            .allows(UsableURIFactory.getInstance(url).getPathQuery()));
        });
        Wire.serve("heritrix", version, "https://github.com/internetarchive/heritrix3",
            "org.archive.heritrix:heritrix-modules", ops);
    }
}
