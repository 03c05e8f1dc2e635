// Connects a robots.txt parser to robotspec through the adapter protocol: build it, then run `robotspec run` in this folder.
//
//     c++ -std=c++17 -O2 -o robotspec_adapter robotspec_adapter.cpp
//
// Fill in `allowed`; the rest reads requests and writes replies, one line of JSON each. C++ has no JSON library, so
// this file contains a small reader.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

// What a URL is made of, for a parser that wants something else. Remove what you do not need.

inline std::size_t origin(const std::string &url) {
    return std::min(url.find_first_of("/?#", url.find("//") + 2), url.size());
}

// The URL of the robots.txt.
inline std::string robots_url(const std::string &url) {
    return url.substr(0, origin(url)) + "/robots.txt";
}

// The path and the query, without the fragment.
inline std::string path(const std::string &url) {
    std::string rest = url.substr(origin(url), url.find('#') - origin(url));
    return rest[0] == '/' ? rest : "/" + rest;
}

// The URL with every byte outside ASCII percent-encoded.
inline std::string encoded(const std::string &url) {
    std::string text;
    for (unsigned char byte : url) {
        char escape[4];
        std::snprintf(escape, sizeof escape, byte & 0x80 ? "%%%02X" : "%c", byte);
        text += escape;
    }
    return text;
}

// May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt?
static bool allowed(const std::string &robots, const std::string &agent, const std::string &url) {
    // FILL IN: call your parser. If it throws, only this check fails.
    (void)robots, (void)agent, (void)url;
    return true;
}

static const char HELLO[] = R"("protocol":1,"name":"my-parser","language":"c++","ops":["match"])";

struct Check {
    std::string agent, url;
};

struct Request {
    std::string id, op, robots;
    std::vector<Check> checks;
};

static std::string decoded(const std::string &base64) {
    static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (char digit : base64) {
        if (digit == '=') break;
        bits = bits << 6 | static_cast<unsigned>(digits.find(digit));
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFF);
        }
    }
    return bytes;
}

// Reads a request from a line of JSON.
class Reader {
public:
    explicit Reader(const std::string &line) : line(line) {}

    Request request() {
        Request request;
        members([&](const std::string &key) {
            if (key == "id") request.id = scalar();
            else if (key == "op") request.op = string();
            else if (key == "robots") request.robots = string();
            else if (key == "robots_base64") request.robots = decoded(string()); // a file that is not UTF-8
            else if (key == "checks") checks(request.checks);
            else skip();
        });
        return request;
    }

private:
    const std::string &line;
    std::size_t at = 0;

    char next() {
        at = line.find_first_not_of(" \t\r", at);
        if (at == std::string::npos) throw std::runtime_error("the request is cut off");
        return line[at];
    }

    bool take(char c) {
        if (next() != c) return false;
        at++;
        return true;
    }

    void want(char c) {
        if (!take(c)) throw std::runtime_error(std::string("a request without ") + c);
    }

    template <typename Member> void members(Member member) {
        for (want('{'); !take('}'); take(',')) {
            std::string key = string();
            want(':');
            member(key);
        }
    }

    void checks(std::vector<Check> &checks) {
        for (want('['); !take(']'); take(',')) {
            Check check;
            members([&](const std::string &key) {
                if (key == "agent") check.agent = string();
                else if (key == "url") check.url = string();
                else skip();
            });
            checks.push_back(check);
        }
    }

    std::string scalar() {
        next();
        std::size_t start = at;
        at = line.find_first_of(",]} \t\r", at);
        return line.substr(start, at - start);
    }

    void skip() {
        if (next() == '"') string();
        else if (line[at] == '{') members([&](const std::string &) { skip(); });
        else if (take('[')) for (; !take(']'); take(',')) skip();
        else scalar();
    }

    unsigned hexadecimal() {
        at += 4;
        return static_cast<unsigned>(std::stoul(line.substr(at - 4, 4), nullptr, 16));
    }

    std::string string() {
        static const std::string known = "b\bf\fn\nr\rt\t";
        std::string text;
        want('"');
        while (line.at(at) != '"') {
            if (line[at] != '\\') {
                text += line[at++];
                continue;
            }
            char escape = line.at(at + 1);
            std::size_t place = known.find(escape);
            at += 2;
            if (escape == 'u') character(text);
            else text += place == std::string::npos ? escape : known[place + 1];
        }
        at++;
        return text;
    }

    // Reads the digits after `\u`, and writes the character in UTF-8.
    void character(std::string &text) {
        unsigned c = hexadecimal();
        if (c >= 0xD800 && c < 0xDC00 && line.compare(at, 2, "\\u") == 0) {
            at += 2;
            c = 0x10000 + ((c - 0xD800) << 10) + (hexadecimal() - 0xDC00);
        }
        if (c < 0x80) {
            text += static_cast<char>(c);
            return;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        text += static_cast<char>((0xF00 >> more & 0xFF) | c >> 6 * more);
        while (more--) text += static_cast<char>(0x80 | (c >> 6 * more & 0x3F));
    }
};

// A message as a JSON string of ASCII characters.
static std::string quoted(const std::string &message) {
    std::string json = "\"";
    for (char c : message.substr(0, 500)) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        json += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? std::string(1, c) : escape;
    }
    return json + "\"";
}

static std::string verdict(const std::string &robots, const Check &check) {
    try {
        return allowed(robots, check.agent, check.url) ? "\"allow\"" : "\"disallow\"";
    } catch (const std::exception &exception) {
        return "{\"error\":" + quoted(exception.what()) + "}";
    }
}

static std::string answer(const Request &request) {
    if (request.op == "hello") return HELLO;
    if (request.op != "match") return "\"error\":" + quoted("unknown op " + request.op);
    std::string verdicts;
    for (const Check &check : request.checks) {
        verdicts += (verdicts.empty() ? "" : ",") + verdict(request.robots, check);
    }
    return "\"verdicts\":[" + verdicts + "]";
}

int main() {
    std::ios::sync_with_stdio(false);
    std::ostream wire(std::cout.rdbuf());
    std::cout.rdbuf(std::cerr.rdbuf()); // nothing else may print to the output of the protocol
    for (std::string line; std::getline(std::cin, line);) {
        Request request = Reader(line).request();
        wire << "{\"id\":" << request.id << "," << answer(request) << "}" << std::endl;
    }
}
