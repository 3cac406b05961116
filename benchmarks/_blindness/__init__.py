"""Whether control items can be recognised without reading: campaigns, what is served of them, and who looks at it."""
