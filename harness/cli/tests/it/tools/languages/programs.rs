//! The languages whose adapter is a program, and the code that the tests insert into each adapter.

/// The commands and the texts for the test of the adapter of a language.
pub(crate) struct Language {
    pub(crate) name: &'static str,
    /// A command that succeeds if the tools of the language are installed.
    pub(crate) tool: &'static str,
    pub(crate) build: Option<&'static str>,
    pub(crate) adapter: &'static str,
    /// The file with the code to replace.
    pub(crate) file: &'static str,
    /// The generated code that the test replaces.
    pub(crate) blank: &'static str,
    /// The code that the test inserts. Its verdict depends on every byte of the input.
    pub(crate) filled: &'static str,
}

/// Every language whose adapter is a program.
pub(crate) const PROGRAMS: [Language; 10] = [
    Language {
        name: "python",
        tool: "python3 --version",
        build: None,
        adapter: "python3 robotspec_adapter.py",
        file: "robotspec_adapter.py",
        blank: "    return True",
        filled: "    print('noise')
    sum = 0
    for byte in robots + (agent + url + robots_url(url) + path(url) + encoded(url)).encode():
        sum = (sum * 31 + byte) % 65521
    return sum % 2 == 0",
    },
    Language {
        name: "node",
        tool: "node --version",
        build: None,
        adapter: "node robotspec-adapter.mjs",
        file: "robotspec-adapter.mjs",
        blank: "  return true;",
        filled: "  console.log('noise');
  let sum = 0;
  const text = agent + url + robotsUrl(url) + path(url) + encoded(url);
  for (const byte of Buffer.concat([robots, Buffer.from(text)])) sum = (sum * 31 + byte) % 65521;
  return sum % 2 === 0;",
    },
    Language {
        name: "go",
        tool: "go version",
        build: Some("go build -o robotspec/adapter robotspec/main.go"),
        adapter: "robotspec/adapter",
        file: "robotspec/main.go",
        blank: "\treturn true",
        filled: "\tfmt.Println(\"noise\")
	sum := 0
	for _, b := range append(robots[:len(robots):len(robots)], []byte(agent+url+robotsURL(url)+path(url)+encoded(url))...) {
		sum = (sum*31 + int(b)) % 65521
	}
	return sum%2 == 0",
    },
    Language {
        name: "java",
        tool: "java --version",
        build: None,
        adapter: "java RobotspecAdapter.java",
        file: "RobotspecAdapter.java",
        blank: "        return true;",
        filled: "        System.out.println(\"noise\");
        int sum = 0;
        for (byte b : robots) sum = (sum * 31 + (b & 0xFF)) % 65521;
        String text = agent + url + robotsUrl(url) + path(url) + encoded(url);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) sum = (sum * 31 + (b & 0xFF)) % 65521;
        return sum % 2 == 0;",
    },
    Language {
        name: "ruby",
        tool: "ruby --version",
        build: None,
        adapter: "ruby robotspec_adapter.rb",
        file: "robotspec_adapter.rb",
        blank: "  true\n",
        filled: "  puts 'noise'
  (robots + (agent + url + robots_url(url) + path(url) + encoded(url)).b).each_byte.reduce(0) { |sum, byte| (sum * 31 + byte) % 65521 }.even?\n",
    },
    Language {
        name: "php",
        tool: "php --version",
        build: None,
        adapter: "php robotspec_adapter.php",
        file: "robotspec_adapter.php",
        blank: "    return true;",
        filled: "    echo 'noise';
    $sum = 0;
    $bytes = $robots . $agent . $url . robots_url($url) . path($url) . encoded($url);
    for ($i = 0; $i < strlen($bytes); $i++) $sum = ($sum * 31 + ord($bytes[$i])) % 65521;
    return $sum % 2 === 0;",
    },
    Language {
        name: "perl",
        tool: "perl --version",
        build: None,
        adapter: "perl robotspec_adapter.pl",
        file: "robotspec_adapter.pl",
        blank: "    return 1;",
        filled: "    print \"noise\";
    my $sum = 0;
    my $text = $agent . $url . robots_url($url) . path($url) . encoded($url);
    utf8::encode($text);
    $sum = ($sum * 31 + $_) % 65521 for unpack 'C*', $robots . $text;
    return $sum % 2 == 0;",
    },
    Language {
        name: "c",
        tool: "cc --version",
        build: Some("cc -O2 -Wall -Werror -o robotspec_adapter robotspec_adapter.c"),
        adapter: "./robotspec_adapter",
        file: "robotspec_adapter.c",
        blank: "    (void)robots, (void)length, (void)agent, (void)url;
    return true;",
        filled: "    puts(\"noise\");
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++) sum = (sum * 31 + (unsigned char)robots[i]) % 65521;
    for (; *agent; agent++) sum = (sum * 31 + (unsigned char)*agent) % 65521;
    char *to = malloc(3 * strlen(url) + 12);
    for (int i = 0; i < 4; i++) {
        const char *text = i == 0 ? url : i == 1 ? robots_url(to, url) : i == 2 ? path(to, url) : encoded(to, url);
        for (; *text; text++) sum = (sum * 31 + (unsigned char)*text) % 65521;
    }
    free(to);
    return sum % 2 == 0;",
    },
    Language {
        name: "cpp",
        tool: "c++ --version",
        build: Some("c++ -std=c++17 -O2 -Wall -Werror -o robotspec_adapter robotspec_adapter.cpp"),
        adapter: "./robotspec_adapter",
        file: "robotspec_adapter.cpp",
        blank: "    (void)robots, (void)agent, (void)url;
    return true;",
        filled: "    std::cout << \"noise\";
    unsigned sum = 0;
    for (char c : robots + agent + url + robots_url(url) + path(url) + encoded(url)) sum = (sum * 31 + static_cast<unsigned char>(c)) % 65521;
    return sum % 2 == 0;",
    },
    Language {
        name: "csharp",
        tool: "dotnet --version",
        build: Some("dotnet build robotspec --configuration Release --output robotspec/build"),
        adapter: "dotnet robotspec/build/adapter.dll",
        file: "robotspec/Program.cs",
        blank: "        return true;",
        filled: "        Console.WriteLine(\"noise\");
        int sum = 0;
        foreach (byte b in robots) sum = (sum * 31 + b) % 65521;
        foreach (byte b in Encoding.UTF8.GetBytes(agent + url + RobotsUrl(url) + PathOf(url) + Encoded(url))) sum = (sum * 31 + b) % 65521;
        return sum % 2 == 0;",
    },
];
