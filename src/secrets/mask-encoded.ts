/** Where a program began a new line: also as JSON writes it, and before it indents the next one. */
const BREAK = String.raw`(?:\r?\n|(?:\\r)?\\n)[ \t]*`;
const BREAKS = new RegExp(BREAK, 'g');
/** A break, or one letter. */
const PARTS = new RegExp(`${BREAK}|.`, 'g');
/** Letters of base64 and hex, over lines; what is shorter holds no secret. */
const RUN = new RegExp(`[A-Za-z0-9+/_-]{9,}(?:${BREAK}[A-Za-z0-9+/_-]+)*`, 'g');

/**
 * Replaces encoded secrets, also where a program broke them into lines; line ends stay.
 * @param replace what stands for a found one
 */
export function replaceEncoded(
  given: string,
  encoded: readonly string[],
  replace: () => string,
): string {
  const shortest = encoded.at(-1)?.length;
  if (shortest === undefined || given.length < shortest) return given;
  const runs = given.match(RUN)?.filter((run) => run.length >= shortest) ?? [];
  // One text of all runs, as looking through each for each secret costs many times more.
  const searched = runs.map(joined).join(' ');
  const present = encoded.filter((form) => searched.includes(form));
  if (present.length === 0) return given;
  return given.replace(RUN, (run) => replaceIn(run, present, replace));
}

const joined = (run: string): string => run.replace(BREAKS, '');

function replaceIn(run: string, forms: readonly string[], replace: () => string): string {
  const spans = spansOf(joined(run), forms);
  if (spans.length === 0) return run;
  let at = 0;
  let shown = '';
  for (const [part] of run.matchAll(PARTS)) {
    if (isBreak(part)) {
      shown += part;
      continue;
    }
    const span = spans.find(([start, end]) => at >= start && at < end);
    if (span === undefined) shown += part;
    else if (at === span[0]) shown += replace();
    at += 1;
  }
  return shown;
}

const isBreak = (part: string): boolean => /^[\r\n\\]/.test(part);

/** Where the forms stand, those that touch as one. */
function spansOf(text: string, forms: readonly string[]): [number, number][] {
  const found: [number, number][] = [];
  for (const form of forms) {
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
      found.push([at, at + form.length]);
    }
  }
  const merged: [number, number][] = [];
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** The beginning of a break at the end of a text, which may not be whole yet. */
const BEGUN_BREAK = String.raw`\\(?:r\\?)?|\r`;
const ENDS_IN_BEGUN = new RegExp(`(?:${BEGUN_BREAK})$`);
/** A run with the break at its end. */
const OPEN_RUN = new RegExp(
  `[A-Za-z0-9+/_-]+(?:${BREAK}[A-Za-z0-9+/_-]+)*(?:${BREAK}|${BEGUN_BREAK})?`,
  'g',
);
/** Fewer letters at the end of a word are the word's: encoded lines are longer. */
const LEAST_PART = 4;
const LEAST_RUN = 9;
/** Characters that the breaks within a secret may take. */
const LONGEST_BREAKS = 1000;

/** Where the encoded secret begins in which the cut lies, else the cut. */
export function startOfEncoded(text: string, cut: number, encoded: readonly string[]): number {
  const longest = encoded[0]?.length;
  if (longest === undefined || cut === 0) return cut;
  const reach = 2 * longest + LONGEST_BREAKS;
  const from = Math.max(0, cut - reach);
  for (const { 0: run, index } of text.slice(from, cut + reach).matchAll(OPEN_RUN)) {
    const begin = from + index;
    if (begin >= cut) return cut;
    if (begin + run.length < cut) continue;
    const isOpen = begin + run.length === text.length;
    return begin + startInRun(run, { cut: cut - begin, isOpen, encoded });
  }
  return cut;
}

interface CutRun {
  readonly cut: number;
  /** The text ends with it. */
  readonly isOpen: boolean;
  readonly encoded: readonly string[];
}

function startInRun(given: string, { cut, isOpen, encoded }: CutRun): number {
  const run = given.replace(ENDS_IN_BEGUN, '');
  const letters = joined(run);
  const places = letters.length === run.length ? null : placesOf(run);
  const before = places?.filter((place) => place < cut).length ?? cut;
  const isWord = letters.length < LEAST_RUN && /\s$/.test(given);
  const starts = encoded.map((form) => {
    const first = Math.max(0, before - form.length + 1);
    const whole = letters.slice(first, before + form.length - 1).indexOf(form);
    if (whole !== -1) return first + whole;
    return letters.length - (isOpen ? partAtEnd(letters, form, isWord ? LEAST_PART : 1) : 0);
  });
  const start = Math.min(before, ...starts);
  return start === before ? cut : (places?.[start] ?? start);
}

/** Where its letters stand. */
const placesOf = (run: string): number[] =>
  [...run.matchAll(PARTS)].flatMap(({ 0: part, index }) => (isBreak(part) ? [] : index));

function partAtEnd(letters: string, form: string, least: number): number {
  for (let length = Math.min(form.length - 1, letters.length); length >= least; length -= 1) {
    if (letters.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
