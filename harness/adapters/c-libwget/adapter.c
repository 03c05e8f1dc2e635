/*
 * Adapts libwget, the library of GNU Wget2 (https://gitlab.com/gnuwget/wget2), as Debian packages it (wget2-dev).
 *
 * The complete list of adaptations:
 *
 * - wget_robots_parse() takes the file as a string that ends at a zero byte: a file with a zero byte ends there.
 * - It receives the agent as it is, and returns the list of the disallowed paths of that agent: there is a new list for
 *   each sequence of checks with one agent. It returns no list for an empty file.
 * - Its caller has to compare. A URL is "disallow" if its path and query start with one of the paths, compared byte by
 *   byte as they are, else "allow". The path and query are the part after the authority and before `#`, with a slash at
 *   the start if it has none.
 * - Sitemaps are those of the list for the agent `*`. If one is not UTF-8, the whole request is an error.
 * - Its header does not contain its version (but 0.0.1): the build sets PACKAGE_VERSION to that of the package.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>
#include <wget.h>

static json_t *error(const char *text)
{
	return json_pack("{s:s}", "error", text);
}

/* The file as a string; the caller frees it. */
static char *body(json_t *request)
{
	json_t *robots = json_object_get(request, "robots");
	json_t *base64 = json_object_get(request, "robots_base64");

	if (json_is_string(robots)) {
		char *text = malloc(json_string_length(robots) + 1);
		if (text)
			memcpy(text, json_string_value(robots), json_string_length(robots) + 1);
		return text;
	}
	if (json_is_string(base64)) {
		char *text = malloc(json_string_length(base64) + 1);
		if (text)
			text[wget_base64_decode(text, json_string_value(base64), json_string_length(base64))] = 0;
		return text;
	}
	return NULL;
}

/* The part of a URL after its authority, with a slash at the start. The caller frees it. */
static char *path_and_query(const char *url)
{
	const char *authority = strstr(url, "://");
	const char *path = authority ? authority + 3 : url;
	path += strcspn(path, "/?#");
	size_t length = strcspn(path, "#");
	char *result = malloc(length + 2);

	if (result)
		sprintf(result, "%s%.*s", *path == '/' ? "" : "/", (int) length, path);
	return result;
}

static bool is_disallowed(wget_robots_t *robots, const char *path)
{
	for (int at = 0; robots && at < wget_vector_size(robots->paths); at++) {
		wget_string_t *rule = wget_vector_get(robots->paths, at);
		if (strncmp(path, rule->p, rule->len) == 0)
			return true;
	}
	return false;
}

static json_t *match(json_t *request, const char *robots_txt)
{
	json_t *verdicts = json_array(), *check;
	wget_robots_t *robots = NULL;
	const char *parsed_for = NULL;
	size_t at;

	json_array_foreach(json_object_get(request, "checks"), at, check) {
		const char *agent = json_string_value(json_object_get(check, "agent"));
		const char *url = json_string_value(json_object_get(check, "url"));
		if (!agent || !url) {
			json_array_append_new(verdicts, error("a check has no agent or no url"));
			continue;
		}
		if (!parsed_for || strcmp(parsed_for, agent) != 0) {
			wget_robots_free(&robots);
			robots = wget_robots_parse(robots_txt, agent);
			parsed_for = agent;
		}
		char *path = path_and_query(url);
		json_array_append_new(verdicts, json_string(is_disallowed(robots, path) ? "disallow" : "allow"));
		free(path);
	}
	wget_robots_free(&robots);
	return json_pack("{s:o}", "verdicts", verdicts);
}

static json_t *sitemaps(const char *robots_txt)
{
	json_t *found = json_array();
	wget_robots_t *robots = wget_robots_parse(robots_txt, "*");
	bool is_utf8 = true;

	for (int at = 0; robots && at < wget_vector_size(robots->sitemaps); at++) {
		if (json_array_append_new(found, json_string(wget_vector_get(robots->sitemaps, at))) != 0)
			is_utf8 = false;
	}
	wget_robots_free(&robots);
	if (is_utf8)
		return json_pack("{s:o}", "sitemaps", found);
	json_decref(found);
	return error("a sitemap is not UTF-8");
}

static json_t *answer(json_t *request)
{
	const char *op = json_string_value(json_object_get(request, "op"));

	if (!op)
		return error("not a request");
	if (strcmp(op, "hello") == 0)
		return json_pack("{s:i,s:s,s:s,s:s,s:s,s:s,s:[s,s]}", "protocol", 1, "name", "libwget", "version",
			PACKAGE_VERSION, "language", "c", "homepage", "https://gitlab.com/gnuwget/wget2", "package",
			"wget2-dev (Debian)", "ops", "match", "sitemaps");
	if (strcmp(op, "match") != 0 && strcmp(op, "sitemaps") != 0)
		return error("unknown op");

	char *robots_txt = body(request);
	if (!robots_txt)
		return error("neither robots nor robots_base64");
	json_t *reply = strcmp(op, "match") == 0 ? match(request, robots_txt) : sitemaps(robots_txt);
	free(robots_txt);
	return reply;
}

int main(void)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;

	while ((length = getline(&line, &capacity, stdin)) > 0) {
		json_error_t fault;
		json_t *request = json_loadb(line, length, JSON_ALLOW_NUL, &fault);
		json_t *id = json_object_get(request, "id");
		json_t *reply = request ? answer(request) : error(fault.text);

		json_object_set_new(reply, "id", id ? json_incref(id) : json_null());
		json_dumpf(reply, stdout, JSON_COMPACT);
		putchar('\n');
		fflush(stdout);
		json_decref(reply);
		json_decref(request);
	}
	free(line);
	return 0;
}
