#!/usr/bin/perl
# Adapts WWW::RobotRules (https://metacpan.org/pod/WWW::RobotRules), the parser of LWP::RobotUA, as Debian packages it
# (libwww-robotrules-perl).
#
# The complete list of adaptations:
#
# - The file is passed as bytes, as LWP::RobotUA passes it (`$response->content`).
# - The object takes the agent, and the library takes the URL of the robots.txt: there is a new object for each sequence
#   of checks with one agent and origin, and the URL of the file is /robots.txt of that origin.
# - The agent and the URL are also passed as bytes, as they are. The library makes a `URI` of the URL.
# - `allowed` 1 is "allow", 0 is "disallow", and -1, "nothing known of this server", is the error of that one check.
# - The library does not read sitemaps.
# - An exception is the error of that one check. Error texts are cut at 500 characters.
use strict;
use warnings;

use JSON::PP;
use MIME::Base64 qw(decode_base64);
use WWW::RobotRules;

my $json = JSON::PP->new->utf8->canonical;
my %hello = (
    protocol => 1,
    name     => 'WWW::RobotRules',
    version  => WWW::RobotRules->VERSION,
    language => 'perl',
    homepage => 'https://metacpan.org/pod/WWW::RobotRules',
    package  => 'libwww-robotrules-perl (Debian)',
    ops      => ['match'],
);

sub to_bytes {
    my ($text) = @_;
    utf8::encode($text);
    return $text;
}

sub error {
    my ($exception) = @_;
    chomp $exception;
    return { error => substr $exception, 0, 500 };
}

sub match {
    my ($request) = @_;
    my $base64 = $request->{robots_base64};
    my $robots = defined $base64 ? decode_base64($base64) : to_bytes($request->{robots} // die "no robots\n");
    my ($rules, $parsed) = (undef, '');
    my @verdicts;
    for my $check (@{ $request->{checks} }) {
        my ($agent, $url) = map { to_bytes($_) } @{$check}{qw(agent url)};
        my $verdict = eval {
            my ($origin) = $url =~ m{^([^:/?#]+://[^/?#]*)} or die "no origin\n";
            if ($parsed ne "$agent\n$origin") {
                $rules = WWW::RobotRules->new($agent);
                $rules->parse("$origin/robots.txt", $robots);
                $parsed = "$agent\n$origin";
            }
            my $allowed = $rules->allowed($url);
            die "allowed returned -1\n" if $allowed < 0;
            $allowed ? 'allow' : 'disallow';
        };
        push @verdicts, $verdict // error($@);
    }
    return { verdicts => \@verdicts };
}

sub answer {
    my ($request) = @_;
    my $op = $request->{op} // '';
    return \%hello if $op eq 'hello';
    return match($request) if $op eq 'match';
    return { error => "unknown op $op" };
}

# A print of the library must not write to the wire.
open my $wire, '>&', \*STDOUT or die $!;
open STDOUT, '>&', \*STDERR or die $!;
binmode STDIN;
binmode $wire;
$wire->autoflush(1);
while (my $line = <STDIN>) {
    my $id;
    my $reply = eval {
        my $request = $json->decode($line);
        $id = $request->{id};
        answer($request);
    } // error($@);
    print {$wire} $json->encode({ %$reply, id => $id }), "\n";
}
