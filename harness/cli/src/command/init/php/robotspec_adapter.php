<?php
// Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in this folder.
//
// Fill in `allowed`; the rest reads requests and writes replies, one line of JSON each.

declare(strict_types=1);

/**
 * May $agent (such as "FooBot") fetch $url (such as "http://example.com/fish"), given this robots.txt?
 */
function allowed(string $robots, string $agent, string $url): bool
{
    // FILL IN: call your parser. If it throws, only this check fails.
    return true;
}

// What $url is made of, for a parser that wants something else. Remove what you do not need.

/** The URL of the robots.txt. */
function robots_url(string $url): string
{
    return preg_replace('~^([^/]*//[^/?#]*).*~s', '$1/robots.txt', $url);
}

/** The path and the query, without the fragment. */
function path(string $url): string
{
    return preg_replace(['~^[^/]*//[^/?#]*/?~', '~#.*~s'], ['/', ''], $url);
}

/** The URL with every byte outside ASCII percent-encoded. */
function encoded(string $url): string
{
    return preg_replace_callback('~[\x80-\xff]~', fn($byte) => sprintf('%%%02X', ord($byte[0])), $url);
}

const HELLO = ['protocol' => 1, 'name' => 'my-parser', 'language' => 'php', 'ops' => ['match']];

function verdict(string $robots, array $check): string|array
{
    try {
        return allowed($robots, $check['agent'], $check['url']) ? 'allow' : 'disallow';
    } catch (Throwable $exception) {
        return ['error' => substr(get_class($exception) . ': ' . $exception->getMessage(), 0, 500)];
    }
}

function answer(array $request): array
{
    if ($request['op'] === 'hello') {
        return HELLO;
    }
    if ($request['op'] !== 'match') {
        return ['error' => "unknown op {$request['op']}"];
    }
    // A file that is not UTF-8 is encoded in Base64.
    $robots = $request['robots'] ?? base64_decode($request['robots_base64']);
    return ['verdicts' => array_map(fn($check) => verdict($robots, $check), $request['checks'])];
}

// Nothing else may print to standard output: other output and warnings go to standard error.
ini_set('display_errors', 'stderr');
ob_start(function (string $printed): string {
    fwrite(STDERR, $printed);
    return '';
}, 1);

while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    $reply = ['id' => $request['id']] + answer($request);
    fwrite(STDOUT, json_encode($reply, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
}
