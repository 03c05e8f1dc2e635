module robotspec/wire

go 1.24.0
