// Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in the parent folder.
//
// Fill in `Allowed`; the rest reads requests and writes replies, one line of JSON each.

using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

static class Program
{
    /// <summary>
    /// May <c>agent</c> (such as "FooBot") fetch <c>url</c> (such as "http://example.com/fish"), given this robots.txt?
    /// </summary>
    static bool Allowed(byte[] robots, string agent, string url)
    {
        // FILL IN: call your parser. If it throws, only this check fails.
        return true;
    }

    // What `url` is made of, for a parser that wants something else. Remove what you do not need.

    /// <summary>The URL of the robots.txt.</summary>
    static string RobotsUrl(string url) => Regex.Match(url, "^[^/]*//[^/?#]*").Value + "/robots.txt";

    /// <summary>The path and the query, without the fragment.</summary>
    static string PathOf(string url) => Regex.Replace(url, "^[^/]*//[^/?#]*/?", "/").Split('#')[0];

    /// <summary>The URL with every byte outside ASCII percent-encoded.</summary>
    static string Encoded(string url) => Regex.Replace(url, "[^\\x00-\\x7f]+", match => Uri.EscapeDataString(match.Value));

    static JsonNode Verdict(byte[] robots, JsonNode check)
    {
        try
        {
            return Allowed(robots, (string)check["agent"]!, (string)check["url"]!) ? "allow" : "disallow";
        }
        catch (Exception exception)
        {
            return new JsonObject { ["error"] = $"{exception.GetType().Name}: {exception.Message}" };
        }
    }

    static JsonObject Answer(JsonNode request)
    {
        switch ((string)request["op"]!)
        {
            case "hello":
                return new JsonObject
                {
                    ["protocol"] = 1,
                    ["name"] = "my-parser",
                    ["language"] = "csharp",
                    ["ops"] = new JsonArray("match"),
                };
            case "match":
                // A file that is not UTF-8 is encoded in Base64.
                byte[] robots = request["robots"] is JsonNode text
                    ? Encoding.UTF8.GetBytes((string)text!)
                    : Convert.FromBase64String((string)request["robots_base64"]!);
                var verdicts = request["checks"]!.AsArray().Select(check => Verdict(robots, check!));
                return new JsonObject { ["verdicts"] = new JsonArray(verdicts.ToArray()) };
            default:
                return new JsonObject { ["error"] = "unknown op" };
        }
    }

    static void Main()
    {
        using var wire = Console.OpenStandardOutput();
        Console.SetOut(Console.Error); // nothing else may print to the output of the protocol
        using var input = new BufferedStream(Console.OpenStandardInput());
        while (ReadLine(input) is byte[] line)
        {
            var request = JsonNode.Parse(line)!;
            var reply = Answer(request);
            reply["id"] = (long)request["id"]!;
            wire.Write(Encoding.UTF8.GetBytes(reply.ToJsonString() + "\n"));
            wire.Flush();
        }
    }

    /// <summary>Reads a line. TextReader is not suitable: it also ends a line at a carriage return.</summary>
    static byte[]? ReadLine(Stream input)
    {
        var line = new MemoryStream();
        for (int value = input.ReadByte(); value != -1; value = input.ReadByte())
        {
            if (value == '\n') return line.ToArray();
            line.WriteByte((byte)value);
        }
        return null;
    }
}
