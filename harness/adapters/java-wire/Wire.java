import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;

/** The adapter protocol for adapters in Java: one JSON object on a line for each request and each reply. */
final class Wire {
    /** Answers a request. */
    interface Op {
        JsonObject answer(JsonObject request) throws Exception;
    }

    /** Whether an agent may fetch a URL. */
    interface Allowed {
        boolean test(String agent, String url) throws Exception;
    }

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private Wire() {}

    /** The bytes of the robots.txt in a request. */
    static byte[] robots(JsonObject request) {
        return request.has("robots_base64")
                ? Base64.getDecoder().decode(request.get("robots_base64").getAsString())
                : request.get("robots").getAsString().getBytes(StandardCharsets.UTF_8);
    }

    /** The result for each check. An exception or an error of Java is the error of that one check. */
    static JsonObject verdicts(JsonObject request, Allowed allowed) {
        JsonArray verdicts = new JsonArray();
        for (var element : request.getAsJsonArray("checks")) {
            JsonObject check = element.getAsJsonObject();
            try {
                boolean isAllowed = allowed.test(check.get("agent").getAsString(), check.get("url").getAsString());
                verdicts.add(isAllowed ? "allow" : "disallow");
            } catch (Exception | StackOverflowError reason) {
                verdicts.add(error(reason));
            }
        }
        JsonObject reply = new JsonObject();
        reply.add("verdicts", verdicts);
        return reply;
    }

    static JsonObject sitemaps(Collection<String> urls) {
        JsonObject reply = new JsonObject();
        reply.add("sitemaps", GSON.toJsonTree(urls));
        return reply;
    }

    /** Answers each request with its operation. An exception or an error of Java is the error of the whole request. */
    static void serve(String name, String version, String homepage, String artifact, Map<String, Op> ops) throws IOException {
        JsonObject hello = new JsonObject();
        hello.addProperty("protocol", 1);
        hello.addProperty("name", name);
        hello.addProperty("version", version);
        hello.addProperty("language", "java");
        hello.addProperty("homepage", homepage);
        hello.addProperty("package", artifact + " (Maven)");
        hello.add("ops", GSON.toJsonTree(ops.keySet()));
        InputStream in = System.in;
        OutputStream out = System.out;
        System.setOut(System.err); // a parser that prints must not write to the wire
        // BufferedReader.readLine would also split at a carriage return.
        for (String line = readLine(in); line != null; line = readLine(in)) {
            JsonObject reply;
            JsonObject request = new JsonObject();
            try {
                request = GSON.fromJson(line, JsonObject.class);
                String op = request.get("op").getAsString();
                if (op.equals("hello")) {
                    reply = hello;
                } else if (ops.containsKey(op)) {
                    reply = ops.get(op).answer(request);
                } else {
                    throw new IllegalArgumentException("unknown op " + op);
                }
            } catch (Exception | StackOverflowError reason) {
                reply = error(reason);
            }
            reply.add("id", request.get("id"));
            out.write((GSON.toJson(reply) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /** The version of a Maven package that contains its properties, such as "org.example/parser". */
    static String version(String artifact) throws IOException {
        try (InputStream file = Wire.class.getResourceAsStream("/META-INF/maven/" + artifact + "/pom.properties")) {
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version");
        }
    }

    private static String readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static JsonObject error(Throwable reason) {
        String text = reason.toString();
        JsonObject reply = new JsonObject();
        reply.addProperty("error", text.substring(0, Math.min(text.length(), 500)));
        return reply;
    }
}
