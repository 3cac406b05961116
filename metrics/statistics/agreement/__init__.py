"""How far annotators agree, with each other and beyond chance."""
