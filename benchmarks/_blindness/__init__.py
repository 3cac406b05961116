"""Whether control items can be told without reading: campaigns, what is served of them, and who looks at it."""
