"""What is told beside a text: its inline codes and the terms of a glossary in it. Pure: texts in, ranges out."""
