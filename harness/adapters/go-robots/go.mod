module robotspec/adapter

go 1.24.0

require (
	github.com/benjaminestes/robots/v2 v2.0.5
	robotspec/wire v0.0.0
)

require (
	golang.org/x/net v0.0.0-20191116160921-f9c825593386 // indirect
	golang.org/x/text v0.3.0 // indirect
)

replace robotspec/wire => ../go-wire
