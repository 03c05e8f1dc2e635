module robotspec/adapter

go 1.24.0

require robotspec/wire v0.0.0

require github.com/jimsmart/grobotstxt v1.0.3

replace robotspec/wire => ../go-wire
