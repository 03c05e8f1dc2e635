module robotspec/adapter

go 1.24.0

require robotspec/wire v0.0.0

require github.com/temoto/robotstxt v1.1.1

replace robotspec/wire => ../go-wire
