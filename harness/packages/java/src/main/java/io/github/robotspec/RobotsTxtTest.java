package io.github.robotspec;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.annotations.SerializedName;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.Reader;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** The cases of robotspec as tests of a robots.txt parser: a test for each row whose verdict an edition decides. */
public abstract class RobotsTxtTest {
    private static final Map<String, Set<String>> LEVELS =
            Map.of("must", Set.of("must"), "should", Set.of("must", "should"));

    private static final long MOST_SECONDS = 1000000;

    /** Returns whether an agent may fetch a URL. What it throws is a failure of the test. */
    protected abstract boolean isAllowed(byte[] robots, String agent, String url) throws Exception;

    /** The edition that judges, such as rfc9309 or google-2026. */
    protected String edition() {
        return "rfc9309";
    }

    /** With {@code must}, only requirements are tested, with {@code should} also recommendations. */
    protected String level() {
        return "should";
    }

    /** A file with an id of a test in each line. Those tests are skipped as long as they fail. */
    protected Path knownFailures() {
        return Path.of("known-failures.txt");
    }

    /** The time after which a row without an answer has failed. */
    protected Duration timeout() {
        return Duration.ofSeconds(5);
    }

    @TestFactory
    final Stream<DynamicTest> rows() throws IOException {
        Cases cases = read();
        Map<String, Clause> clauses = cases.clauses.stream().collect(Collectors.toMap(clause -> clause.id, clause -> clause));
        List<String> editions = cases.editions.stream().map(edition -> edition.id).toList();
        if (!editions.contains(edition()) || !LEVELS.containsKey(level())) {
            throw new IllegalArgumentException("edition() is one of " + String.join(", ", editions)
                    + ", and level() is must or should; they are " + edition() + " and " + level());
        }
        if (timeout().toSeconds() >= MOST_SECONDS || timeout().compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException(
                    "timeout() is a time above 0 and below " + MOST_SECONDS + " seconds; it is " + timeout());
        }
        List<Check> rows = cases.checks.stream().filter(this::isJudged).toList();
        Set<String> known = readKnown(rows.stream().map(row -> row.id).collect(Collectors.toSet()));
        return rows.stream().map(row ->
                DynamicTest.dynamicTest(row.id, () -> judge(row, clauses.get(row.clauses.get(0)), known.contains(row.id))));
    }

    private boolean isJudged(Check check) {
        String level = check.levels == null ? "must" : check.levels.getOrDefault(edition(), "must");
        return check.op.equals("match") && Set.of("allow", "disallow").contains(check.ruling(edition()))
                && LEVELS.get(level()).contains(level);
    }

    private Set<String> readKnown(Set<String> ids) throws IOException {
        List<String> lines;
        try {
            lines = Files.exists(knownFailures()) ? Files.readAllLines(knownFailures()) : List.of();
        } catch (CharacterCodingException error) {
            throw new IllegalArgumentException(knownFailures() + ": the list is not UTF-8", error);
        }
        Set<String> known = new HashSet<>();
        for (int index = 0; index < lines.size(); index++) {
            String line = (index == 0 ? lines.get(index).replaceFirst("^\uFEFF", "") : lines.get(index)).strip();
            if (line.isEmpty() || line.startsWith("#")) continue;
            if (!ids.contains(line)) {
                throw new IllegalArgumentException(
                        knownFailures() + ", line " + (index + 1) + ": no test has the id " + line);
            }
            known.add(line);
        }
        return known;
    }

    private void judge(Check row, Clause clause, boolean isKnown) throws Exception {
        byte[] robots = row.robotsBase64 == null
                ? row.robots.getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(row.robotsBase64);
        String expected = row.ruling(edition());
        String got;
        Throwable cause = null;
        // A parser that hangs keeps its thread, which does not keep the run.
        FutureTask<Boolean> answer = new FutureTask<>(() -> isAllowed(robots, row.agent, row.url));
        Thread thread = new Thread(answer, row.id);
        thread.setDaemon(true);
        thread.start();
        try {
            got = answer.get(timeout().toMillis(), TimeUnit.MILLISECONDS) ? "allow" : "disallow";
        } catch (TimeoutException late) {
            answer.cancel(true);
            got = "no answer in " + timeout().toMillis() / 1000.0 + " s";
        } catch (ExecutionException thrown) {
            cause = thrown.getCause();
            got = cause.toString();
        }
        if (got.equals(expected)) {
            if (isKnown) throw new AssertionError("passes now: remove " + row.id + " from " + knownFailures());
        } else if (isKnown) {
            throw new TestAbortedException("in " + knownFailures());
        } else {
            if (!Set.of("", "0").contains(System.getenv().getOrDefault("ROBOTSPEC_RECORD", ""))) addToList(knownFailures(), row.id);
            throw new AssertionFailedError(message(row, clause, robots, expected, got), expected, got, cause);
        }
    }

    /** Adds an id to a list, unless it has it: threads and processes that run side by side may test the same rows. */
    private static synchronized void addToList(Path list, String id) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(list.toFile(), "rw"); FileLock lock = file.getChannel().lock()) {
            byte[] bytes = new byte[(int) file.length()];
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (text.lines().anyMatch(line -> line.strip().equals(id))) return;
            // The last line may have no end.
            String before = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
            file.write((before + id + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private String message(Check row, Clause clause, byte[] robots, String expected, String got) {
        Reasons reasons = row.reasons == null ? null : row.reasons.get(edition());
        List<Integer> marked = reasons == null || reasons.lines == null ? List.of() : reasons.lines;
        List<String> message = new ArrayList<>(List.of(
                row.id + ": expected " + expected + ", got " + got,
                edition() + ", " + clause.sections.getOrDefault(edition(), "") + ": " + clause.statement,
                "agent " + cut(row.agent),
                "url   " + cut(row.url)));
        List<String> lines = new String(robots, StandardCharsets.UTF_8).lines().toList();
        int shown = 0;
        for (int number = 1; number <= lines.size(); number++) {
            if (number > 20 && !marked.stream().limit(5).toList().contains(number)) continue;
            shown++;
            String mark = marked.contains(number) ? ">" : " ";
            message.add(String.format("%s %4d | %s", mark, number, cut(lines.get(number - 1))));
        }
        if (shown < lines.size()) message.add("       … " + (lines.size() - shown) + " more lines");
        if (reasons != null && reasons.sentences != null) {
            reasons.sentences.forEach(sentence -> message.add(cut(sentence)));
        }
        return String.join("\n", message);
    }

    private static String cut(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "… (" + text.length() + " characters)";
    }

    private static Cases read() throws IOException {
        try (Reader reader = new InputStreamReader(
                new GZIPInputStream(RobotsTxtTest.class.getResourceAsStream("cases.json.gz")), StandardCharsets.UTF_8)) {
            return new Gson().fromJson(reader, Cases.class);
        }
    }

    /** What `robotspec export` writes, as far as it is used here. */
    private static final class Cases {
        List<Clause> editions;
        List<Clause> clauses;
        List<Check> checks;
    }

    private static final class Clause {
        String id;
        String statement;
        Map<String, String> sections;
    }

    private static final class Check {
        String id;
        String op;
        String robots;

        @SerializedName("robots-base64")
        String robotsBase64;

        String agent;
        String url;
        List<String> clauses;
        /** What each edition expects. Other questions have answers of other forms. */
        Map<String, JsonElement> expected;
        Map<String, String> levels;
        Map<String, Reasons> reasons;

        String ruling(String edition) {
            JsonElement expected = this.expected.get(edition);
            return expected == null ? "none" : expected.getAsJsonObject().get("ruling").getAsString();
        }
    }

    private static final class Reasons {
        List<Integer> lines;
        List<String> sentences;
    }
}
