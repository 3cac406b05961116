/* Words of the interface: English in the code, other languages from the page's catalogue. */

type Plurals = Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Readonly<Record<string, string | Plurals>>;
export type Values = Readonly<Record<string, string | number>>;

let catalogue: Catalogue = {};
let plurals = new Intl.PluralRules("en");

export function speak(words: Catalogue, language: string): void {
  catalogue = words;
  plurals = new Intl.PluralRules(language || "en");
}

export function t(text: string, values: Values = {}): string {
  const translated = catalogue[text];
  return fill(typeof translated === "string" ? translated : text, values);
}

/** The catalogue stores plurals under their English singular, by the plural rules of its language. */
export function tn(one: string, many: string, n: number, values: Values = {}): string {
  const forms = catalogue[one];
  const english = n === 1 ? one : many;
  const text = typeof forms === "object" ? (forms[plurals.select(n)] ?? forms.other ?? english) : english;
  return fill(text, { n, ...values });
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}
