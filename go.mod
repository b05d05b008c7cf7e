module docpin

go 1.26
