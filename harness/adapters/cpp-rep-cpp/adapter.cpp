// Adapts rep-cpp (https://github.com/seomoz/rep-cpp), the C++ library of Moz, as the Python package reppy contains it.
//
// The complete list of adaptations:
//
// - `Robots` receives the bytes of the file and the URL of the file, which `robotsUrl` returns for the URL of a check. The
//   adapter parses the file again for every check.
// - `allowed` receives the whole URL and the agent as they are. True is "allow", false is "disallow".
// - Sitemaps are those of `sitemaps`. If one is not UTF-8, the whole request is an error.
// - An exception of a check is the error of that one check. Any other is the error of the whole request.
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "robots.h"

using json = nlohmann::json;

static std::string from_base64(const std::string& text)
{
    static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string octets;
    unsigned bits = 0, count = 0;
    for (char digit : text.substr(0, text.find('='))) {
        bits = bits << 6 | static_cast<unsigned>(digits.find(digit));
        count += 6;
        if (count >= 8) {
            count -= 8;
            octets += static_cast<char>(bits >> count & 0xff);
        }
    }
    return octets;
}

static std::string body(const json& request)
{
    auto base64 = request.find("robots_base64");
    return base64 == request.end() ? request.at("robots").get<std::string>() : from_base64(*base64);
}

static json match(const json& request)
{
    json verdicts = json::array();
    for (const json& check : request.at("checks")) {
        try {
            std::string url = check.at("url");
            Rep::Robots robots(body(request), Rep::Robots::robotsUrl(url));
            verdicts.push_back(robots.allowed(url, check.at("agent")) ? "allow" : "disallow");
        } catch (const std::exception& reason) {
            verdicts.push_back({{"error", reason.what()}});
        }
    }
    return {{"verdicts", verdicts}};
}

static json answer(const json& request)
{
    const std::string op = request.at("op");
    if (op == "hello") {
        return {{"protocol", 1}, {"name", "rep-cpp"}, {"version", REPPY_VERSION}, {"language", "c++"},
                {"homepage", "https://github.com/seomoz/rep-cpp"}, {"package", "reppy (PyPI)"}, {"ops", {"match", "sitemaps"}}};
    }
    if (op == "match") {
        return match(request);
    }
    if (op == "sitemaps") {
        return {{"sitemaps", Rep::Robots(body(request), "http://example.com/robots.txt").sitemaps()}};
    }
    throw std::invalid_argument("unknown op " + op);
}

int main()
{
    for (std::string line; std::getline(std::cin, line);) {
        json request, reply;
        std::string text;
        try {
            request = json::parse(line);
            reply = answer(request);
            reply["id"] = request["id"];
            text = reply.dump();
        } catch (const std::exception& reason) {
            reply = {{"error", reason.what()}, {"id", request.is_object() ? request["id"] : json()}};
            text = reply.dump(-1, ' ', false, json::error_handler_t::replace);
        }
        std::cout << text << std::endl;
    }
}
