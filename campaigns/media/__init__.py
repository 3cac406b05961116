"""Files of pictures, sound and video: recognised by their content, cleaned, stored by their hash."""
