# Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in this folder.
#
# Fill in `allowed`; the rest reads requests and writes replies, one line of JSON each.

use strict;
use warnings;

use IO::Handle;
use JSON::PP;
use MIME::Base64 qw(decode_base64);

# May $agent (such as "FooBot") fetch $url (such as "http://example.com/fish"), given this robots.txt? The file is a string
# of bytes.
sub allowed {
    my ($robots, $agent, $url) = @_;
    # FILL IN: call your parser. If it dies, only this check fails.
    return 1;
}

# What $url is made of, for a parser that wants something else. Remove what you do not need.

# The URL of the robots.txt.
sub robots_url { my ($url) = @_; $url =~ m{^([^/]*//[^/?#]*)}; return "$1/robots.txt" }

# The path and the query, without the fragment.
sub path { my ($url) = @_; $url =~ s{^[^/]*//[^/?#]*/?}{/}; $url =~ s/#.*//s; return $url }

# The URL with every byte outside ASCII percent-encoded.
sub encoded { my ($url) = @_; utf8::encode($url); $url =~ s/([\x80-\xff])/sprintf '%%%02X', ord $1/eg; return $url }

my %hello = (protocol => 1, name => 'my-parser', language => 'perl', ops => ['match']);

sub verdict {
    my ($robots, $check) = @_;
    my $allowed = eval { allowed($robots, $check->{agent}, $check->{url}) ? 'allow' : 'disallow' };
    return $allowed // { error => substr("$@", 0, 500) };
}

sub answer {
    my ($request) = @_;
    return %hello if $request->{op} eq 'hello';
    return (error => "unknown op $request->{op}") if $request->{op} ne 'match';
    # A file that is not UTF-8 is encoded in Base64.
    my $robots = $request->{robots};
    if (defined $robots) {
        utf8::encode($robots);
    } else {
        $robots = decode_base64($request->{robots_base64});
    }
    return (verdicts => [map { verdict($robots, $_) } @{ $request->{checks} }]);
}

open my $wire, '>&', \*STDOUT or die $!;
open STDOUT, '>&', \*STDERR or die $!;    # nothing else may print to the output of the protocol
$wire->autoflush(1);
my $json = JSON::PP->new->utf8;
while (my $line = <STDIN>) {
    my $request = $json->decode($line);
    print {$wire} $json->encode({ id => $request->{id}, answer($request) }), "\n";
}
