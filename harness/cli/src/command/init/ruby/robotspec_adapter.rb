# Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in this folder.
#
# Fill in `allowed?`; the rest reads requests and writes replies, one line of JSON each.

require 'json'

# May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt? The file is a
# string of bytes (ASCII-8BIT).
def allowed?(robots, agent, url)
  # FILL IN: call your parser. If it raises, only this check fails.
  true
end

# What `url` is made of, for a parser that wants something else. Remove what you do not need.

# The URL of the robots.txt.
def robots_url(url) = "#{url[%r{\A[^/]*//[^/?#]*}]}/robots.txt"

# The path and the query, without the fragment.
def path(url) = url.sub(%r{\A[^/]*//[^/?#]*/?}, '/').sub(/#.*/m, '')

# The URL with every byte outside ASCII percent-encoded.
def encoded(url) = url.gsub(/[^\x00-\x7f]/) { |character| character.bytes.map { |byte| format('%%%02X', byte) }.join }

HELLO = { protocol: 1, name: 'my-parser', language: 'ruby', ops: ['match'] }.freeze

def verdict(robots, check)
  allowed?(robots, check['agent'], check['url']) ? 'allow' : 'disallow'
rescue StandardError => e
  { error: "#{e.class}: #{e.message}".scrub[0, 500] }
end

def answer(request)
  case request['op']
  when 'hello' then HELLO
  when 'match'
    # A file that is not UTF-8 is encoded in Base64.
    robots = request.key?('robots') ? request['robots'].b : request['robots_base64'].unpack1('m')
    { verdicts: request['checks'].map { |check| verdict(robots, check) } }
  else { error: "unknown op #{request['op']}" }
  end
end

wire = $stdout
$stdout = $stderr # nothing else may print to the output of the protocol
$stdin.set_encoding(Encoding::UTF_8)
$stdin.each_line("\n") do |line|
  request = JSON.parse(line)
  wire.write(JSON.generate({ id: request['id'] }.merge(answer(request))), "\n")
  wire.flush
end
