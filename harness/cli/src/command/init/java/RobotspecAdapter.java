import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Connects a robots.txt parser to robotspec through the adapter protocol: run {@code robotspec run} in this folder.
 *
 * <p>Fill in {@code allowed}; the rest reads requests and writes replies, one line of JSON each. Java has no JSON
 * library, so this file contains a small reader. A parser in a jar needs the class path, in robotspec.toml:
 * {@code java -cp my-parser.jar RobotspecAdapter.java}.
 */
public final class RobotspecAdapter {
    /**
     * May {@code agent} (such as "FooBot") fetch {@code url} (such as "http://example.com/fish"), given this robots.txt?
     */
    static boolean allowed(byte[] robots, String agent, String url) throws Exception {
        // FILL IN: call your parser. If it throws, only this check fails.
        return true;
    }

    // What `url` is made of, for a parser that wants something else. Remove what you do not need.

    /** The URL of the robots.txt. */
    static String robotsUrl(String url) {
        return url.replaceFirst("(?s)^([^/]*//[^/?#]*).*", "$1/robots.txt");
    }

    /** The path and the query, without the fragment. */
    static String path(String url) {
        return url.replaceFirst("^[^/]*//[^/?#]*/?", "/").replaceFirst("(?s)#.*", "");
    }

    /** The URL with every byte outside ASCII percent-encoded. */
    static String encoded(String url) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : url.getBytes(StandardCharsets.UTF_8)) {
            encoded.append(b < 0 ? String.format("%%%02X", b) : String.valueOf((char) b));
        }
        return encoded.toString();
    }

    static final String HELLO = "\"protocol\":1,\"name\":\"my-parser\",\"language\":\"java\",\"ops\":[\"match\"]";

    static String verdict(byte[] robots, Map<?, ?> check) {
        try {
            boolean allowed = allowed(robots, (String) check.get("agent"), (String) check.get("url"));
            return allowed ? "\"allow\"" : "\"disallow\"";
        } catch (Exception | StackOverflowError failure) {
            return "{" + error(failure.toString()) + "}";
        }
    }

    static String answer(Map<?, ?> request) {
        if ("hello".equals(request.get("op"))) {
            return HELLO;
        }
        if (!"match".equals(request.get("op"))) {
            return error("unknown op " + request.get("op"));
        }
        // A file that is not UTF-8 is encoded in Base64.
        byte[] robots = request.containsKey("robots_base64")
                ? Base64.getDecoder().decode((String) request.get("robots_base64"))
                : ((String) request.get("robots")).getBytes(StandardCharsets.UTF_8);
        List<String> verdicts = new ArrayList<>();
        for (Object check : (List<?>) request.get("checks")) {
            verdicts.add(verdict(robots, (Map<?, ?>) check));
        }
        return "\"verdicts\":[" + String.join(",", verdicts) + "]";
    }

    /** An error as JSON in ASCII characters. */
    static String error(String message) {
        StringBuilder json = new StringBuilder("\"error\":\"");
        for (char c : message.substring(0, Math.min(message.length(), 500)).toCharArray()) {
            boolean isPlain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
            json.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return json.append('"').toString();
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream wire = System.out;
        System.setOut(System.err); // nothing else may print to the output of the protocol
        InputStream input = new BufferedInputStream(System.in);
        for (String line = readLine(input); line != null; line = readLine(input)) {
            Map<?, ?> request = (Map<?, ?>) new Json(line).value();
            wire.write(("{\"id\":" + request.get("id") + "," + answer(request) + "}\n").getBytes(StandardCharsets.UTF_8));
            wire.flush();
        }
    }

    /** Reads a line. BufferedReader is not suitable: it also ends a line at a carriage return. */
    static String readLine(InputStream input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int value = input.read(); value != -1; value = input.read()) {
            if (value == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            line.write(value);
        }
        return null;
    }

    /** Reads JSON: an object as a Map, an array as a List, a string as a String, any other value as its text. */
    static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            char first = peek();
            if (first == '"') {
                return string();
            }
            if (first == '{') {
                Map<String, Object> object = new HashMap<>();
                for (at++; peek() != '}'; ) {
                    skip(',');
                    peek();
                    String key = string();
                    peek();
                    skip(':');
                    object.put(key, value());
                }
                at++;
                return object;
            }
            if (first == '[') {
                List<Object> array = new ArrayList<>();
                for (at++; peek() != ']'; ) {
                    skip(',');
                    array.add(value());
                }
                at++;
                return array;
            }
            int start = at;
            while (at < text.length() && ",]} \t\r".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(start, at);
        }

        /** Returns the next character after white space. */
        private char peek() {
            while (" \t\r".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return text.charAt(at);
        }

        private void skip(char c) {
            if (text.charAt(at) == c) {
                at++;
            }
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    string.append(text.charAt(at));
                    continue;
                }
                char escape = text.charAt(++at);
                int known = "bfnrt".indexOf(escape);
                if (escape == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    string.append(known < 0 ? escape : "\b\f\n\r\t".charAt(known));
                }
            }
            at++;
            return string.toString();
        }
    }
}
