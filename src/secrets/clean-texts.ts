/** Characters to remember; texts longer than a part of it are searched each time. */
const REMEMBERED = 2_000_000;
const LONGEST = 100_000;

/** Texts in which no secret was found: the same one is masked wherever it is stored or sent. */
export class CleanTexts {
  readonly #known = new Set<string>();
  #characters = 0;

  has(text: string): boolean {
    return this.#known.has(text);
  }

  add(text: string): void {
    if (text.length > LONGEST) return;
    if (this.#characters > REMEMBERED) this.#forget();
    this.#known.add(text);
    this.#characters += text.length;
  }

  #forget(): void {
    this.#known.clear();
    this.#characters = 0;
  }
}
