# Adapts webrobots (https://github.com/knu/webrobots), the parser of Mechanize, as Debian packages it (ruby-webrobots).
#
# Every adaptation, and there is no other:
#
# - The file goes in through the documented option `http_get`, as octets (a string of the encoding ASCII-8BIT), which is
#   what the library's own `http_get` gives it.
# - The agent is fixed when the object is made: there is a new one for each run of checks with one agent. Crawl delays
#   are ignored (`crawl_delay: :ignore`), or it would sleep.
# - `allowed?` is given the whole URL, as it is. True is "allow", false is "disallow". A file that it cannot parse makes
#   it allow everything, and say so in `error`; that is not asked.
# - `sitemaps` is asked for http://example.com/ and the agent `*`.
# - An exception of `allowed?`, for a URL that Ruby does not take for instance, is the error of that one check; any other
#   that of the whole request. Error texts are cut at 500 characters.
# - Octets that are not UTF-8 are written as U+FFFD.
require 'json'
require 'webrobots'

HELLO = { protocol: 1, name: 'webrobots', version: Webrobots::VERSION, language: 'ruby',
          homepage: 'https://github.com/knu/webrobots', ops: %w[match sitemaps] }.freeze

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
