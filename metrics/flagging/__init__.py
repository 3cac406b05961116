"""What an organiser should look at in outputs, told by the texts alone. Pure: texts in, flags out."""
