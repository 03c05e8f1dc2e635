# Adapts webrobots (https://github.com/knu/webrobots), the parser of Mechanize, as Debian packages it (ruby-webrobots).
#
# The complete list of adaptations:
#
# - The file is passed through the documented option `http_get`, as bytes (a string with the encoding ASCII-8BIT), which
#   is what the library's own `http_get` returns.
# - The object takes the agent: there is a new one for each sequence of checks with one agent. Crawl delays are ignored
#   (`crawl_delay: :ignore`), because the library would sleep.
# - `allowed?` receives the whole URL as it is. True is "allow", false is "disallow". For a file that it cannot parse, the
#   library allows everything and reports this in `error`, which the adapter does not read.
# - `sitemaps` is called for http://example.com/ and the agent `*`.
# - An exception of `allowed?`, for example for a URL that Ruby refuses, is the error of that one check. Any other is the
#   error of the whole request. Error texts are cut at 500 characters.
# - Bytes that are not UTF-8 are written as U+FFFD.
require 'json'
require 'webrobots'

HELLO = { protocol: 1, name: 'webrobots', version: Webrobots::VERSION, language: 'ruby',
          homepage: 'https://github.com/knu/webrobots', package: 'ruby-webrobots (Debian)',
          ops: %w[match sitemaps] }.freeze

def body(request)
  request.key?('robots_base64') ? request['robots_base64'].unpack1('m') : request.fetch('robots').b
end

def parser(agent, body)
  WebRobots.new(agent, http_get: ->(_url) { body }, crawl_delay: :ignore)
end

def text(string)
  string.dup.force_encoding(Encoding::UTF_8).scrub("\u{fffd}")
end

def error(exception)
  { error: text("#{exception.class}: #{exception.message}")[0, 500] }
end

def match(body, checks)
  parser = nil
  checks.map do |check|
    parser = parser(check['agent'], body) unless parser&.user_agent == check['agent']
    parser.allowed?(check['url']) ? 'allow' : 'disallow'
  rescue StandardError => e
    error(e)
  end
end

def answer(request)
  case request['op']
  when 'hello' then HELLO
  when 'match' then { verdicts: match(body(request), request['checks']) }
  when 'sitemaps' then { sitemaps: parser('*', body(request)).sitemaps('http://example.com/').map { text(_1) } }
  else { error: "unknown op #{request['op'].inspect}" }
  end
end

wire = $stdout.dup # whatever prints, the wire carries the protocol alone
$stdout.reopen($stderr)
wire.binmode.sync = true
$stdin.binmode.each_line("\n") do |line|
  id = nil
  begin
    request = JSON.parse(line)
    id = request['id']
    reply = answer(request)
  rescue StandardError => e
    reply = error(e)
  end
  wire.write(JSON.generate({ id: id }.merge(reply)), "\n")
end
