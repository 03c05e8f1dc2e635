/* Connects a robots.txt parser to robotspec through the adapter protocol: build it, then run `robotspec run` in this folder.
 *
 *     cc -O2 -o robotspec_adapter robotspec_adapter.c
 *
 * Fill in `allowed`; the rest reads requests and writes replies, one line of JSON each. C has no JSON library, so
 * this file contains a small reader. */

#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a URL is made of, for a parser that wants something else. Each writes to `to`, which needs room for three times the
 * bytes of the URL and 12 more. Remove what you do not need. */

static inline size_t origin(const char *url)
{
    const char *authority = strstr(url, "//") + 2;
    return (size_t)(authority - url) + strcspn(authority, "/?#");
}

/* The URL of the robots.txt. */
static inline char *robots_url(char *to, const char *url)
{
    sprintf(to, "%.*s/robots.txt", (int)origin(url), url);
    return to;
}

/* The path and the query, without the fragment. */
static inline char *path(char *to, const char *url)
{
    const char *rest = url + origin(url);
    sprintf(to, "%s%.*s", *rest == '/' ? "" : "/", (int)strcspn(rest, "#"), rest);
    return to;
}

/* The URL with every byte outside ASCII percent-encoded. */
static inline char *encoded(char *to, const char *url)
{
    char *end = to;
    for (; *url; url++)
        end += sprintf(end, *url & 0x80 ? "%%%02X" : "%c", (unsigned char)*url);
    *end = 0;
    return to;
}

/* May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt? It has `length`
 * bytes, some of which may be zero, and one more zero byte follows. */
static bool allowed(const char *robots, size_t length, const char *agent, const char *url)
{
    /* FILL IN: call your parser. */
    (void)robots, (void)length, (void)agent, (void)url;
    return true;
}

#define HELLO "\"protocol\":1,\"name\":\"my-parser\",\"language\":\"c\",\"ops\":[\"match\"]"

typedef struct {
    char *bytes;
    size_t length;
} Text;

typedef struct {
    char *agent, *url;
} Check;

typedef struct {
    unsigned long long id;
    char *op;
    Text robots;
    Check *checks;
    size_t count;
} Request;

static const char *at; /* the place in the line that is read */

static void *room(void *old, size_t size)
{
    void *room = realloc(old, size);
    if (!room) {
        perror("robotspec_adapter");
        exit(1);
    }
    return room;
}

static char next(void)
{
    at += strspn(at, " \t\r\n");
    return *at;
}

static bool take(char c)
{
    if (next() != c)
        return false;
    at++;
    return true;
}

static void want(char c)
{
    if (!take(c)) {
        fprintf(stderr, "robotspec_adapter: `%c` is missing before: %.100s\n", c, at);
        exit(1);
    }
}

static unsigned hexadecimal(void)
{
    char digits[5] = "";
    strncpy(digits, at, 4);
    at += strlen(digits);
    return (unsigned)strtoul(digits, NULL, 16);
}

/* Reads the digits after `\u`, and writes the character in UTF-8. */
static char *escaped(char *end)
{
    unsigned c = hexadecimal();
    if (c >= 0xD800 && c < 0xDC00 && at[0] == '\\' && at[1] == 'u') {
        at += 2;
        c = 0x10000 + ((c - 0xD800) << 10) + (hexadecimal() - 0xDC00);
    }
    if (c < 0x80) {
        *end++ = (char)c;
        return end;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *end++ = (char)((0xF00 >> more & 0xFF) | c >> 6 * more);
    while (more--)
        *end++ = (char)(0x80 | (c >> 6 * more & 0x3F));
    return end;
}

static Text string(void)
{
    want('"');
    size_t length = 0;
    while (at[length] && at[length] != '"')
        length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    char *bytes = room(NULL, length + 1), *end = bytes; /* a character is never longer than its escape */
    while (*at && *at != '"') {
        if (*at != '\\') {
            *end++ = *at++;
            continue;
        }
        char escape = at[1];
        const char *known = escape ? strchr("b\bf\fn\nr\rt\t", escape) : NULL;
        at += escape ? 2 : 1;
        if (escape == 'u')
            end = escaped(end);
        else
            *end++ = known ? known[1] : escape;
    }
    want('"');
    *end = 0;
    return (Text){bytes, (size_t)(end - bytes)};
}

static void skip_value(void)
{
    if (next() == '"') {
        free(string().bytes);
    } else if (*at == '{' || *at == '[') {
        for (at++; next() != '}' && *at != ']' && *at;) {
            skip_value();
            if (*at == ',' || *at == ':')
                at++;
        }
        at += *at != 0;
    } else {
        at += strcspn(at, ",:]}");
    }
    next();
}

/* Decodes in place, because the result is shorter. */
static Text decoded(Text base64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0;
    int count = 0;
    char *end = base64.bytes;
    for (size_t i = 0; i < base64.length && base64.bytes[i] != '='; i++) {
        bits = bits << 6 | (unsigned)(strchr(digits, base64.bytes[i]) - digits);
        count += 6;
        if (count >= 8) {
            count -= 8;
            *end++ = (char)(bits >> count & 0xFF);
        }
    }
    *end = 0;
    return (Text){base64.bytes, (size_t)(end - base64.bytes)};
}

static void read_checks(Request *request)
{
    for (want('['); !take(']'); take(',')) {
        Check check = {NULL, NULL};
        for (want('{'); !take('}'); take(',')) {
            char *key = string().bytes;
            want(':');
            if (!strcmp(key, "agent"))
                check.agent = string().bytes;
            else if (!strcmp(key, "url"))
                check.url = string().bytes;
            else
                skip_value();
            free(key);
        }
        request->checks = room(request->checks, (request->count + 1) * sizeof check);
        request->checks[request->count++] = check;
    }
}

static Request read_request(const char *line)
{
    Request request = {0};
    at = line;
    for (want('{'); !take('}'); take(',')) {
        char *key = string().bytes;
        want(':');
        if (!strcmp(key, "id")) {
            request.id = strtoull(at, NULL, 10);
            skip_value();
        } else if (!strcmp(key, "op"))
            request.op = string().bytes;
        else if (!strcmp(key, "robots"))
            request.robots = string();
        else if (!strcmp(key, "robots_base64")) /* a file that is not UTF-8 */
            request.robots = decoded(string());
        else if (!strcmp(key, "checks"))
            read_checks(&request);
        else
            skip_value();
        free(key);
    }
    return request;
}

static void answer(const Request *request, FILE *wire)
{
    fprintf(wire, "{\"id\":%llu,", request->id);
    if (!strcmp(request->op, "hello")) {
        fputs(HELLO, wire);
    } else if (!strcmp(request->op, "match")) {
        fputs("\"verdicts\":[", wire);
        for (size_t i = 0; i < request->count; i++) {
            Check check = request->checks[i];
            bool allow = allowed(request->robots.bytes, request->robots.length, check.agent, check.url);
            fprintf(wire, "%s\"%s\"", i ? "," : "", allow ? "allow" : "disallow");
        }
        fputs("]", wire);
    } else {
        fputs("\"error\":\"unknown op\"", wire);
    }
    fputs("}\n", wire);
    fflush(wire);
}

int main(void)
{
    FILE *wire = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO); /* nothing else may print to the output of the protocol */
    char *line = NULL;
    size_t size = 0;
    while (wire && getline(&line, &size, stdin) > 0) {
        Request request = read_request(line);
        answer(&request, wire);
        for (size_t i = 0; i < request.count; i++) {
            free(request.checks[i].agent);
            free(request.checks[i].url);
        }
        free(request.checks);
        free(request.robots.bytes);
        free(request.op);
    }
    free(line);
    return 0;
}
