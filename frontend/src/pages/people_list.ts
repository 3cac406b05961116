/* textarea[data-people=ID]: a list of people, a line each; the number of them goes into the field of that id. */

const HEADINGS = [
  "name",
  "email",
  "e-mail",
  "mail",
  "languages",
  "language",
  "username",
  "user name",
  "user",
  "account",
  "password",
];

export function bindPeopleLists(root: ParentNode): void {
  for (const list of root.querySelectorAll<HTMLTextAreaElement>("textarea[data-people]")) {
    if (list.dataset.bound) continue;
    list.dataset.bound = "people";
    const number = document.getElementById(list.dataset.people ?? "");
    list.addEventListener("input", () => {
      const count = peopleIn(list.value);
      if (number instanceof HTMLInputElement && count) number.value = String(count);
    });
  }
}

export function peopleIn(text: string): number {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim());
  return lines.length - (isHeader(lines[0] ?? "") ? 1 : 0);
}

/* Such a list is kept on no device. A column nobody knows may be anything. */
export function holdsPasswords(text: string): boolean {
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim()) ?? "";
  const cells = cellsOf(first);
  return isHeader(first) ? cells.some((cell) => cell === "password" || !HEADINGS.includes(cell)) : cells.length > 2;
}

function isHeader(line: string): boolean {
  return cellsOf(line).some((cell) => HEADINGS.includes(cell));
}

function cellsOf(line: string): string[] {
  return line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"|"$/g, "").toLowerCase());
}
