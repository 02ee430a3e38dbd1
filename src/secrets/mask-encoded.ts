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

/** Its second group is a break that may not be whole yet. */
const LAST_RUN = new RegExp(
  String.raw`([A-Za-z0-9+/_-]+(?:${BREAK}[A-Za-z0-9+/_-]+)*)(${BREAK}|\\(?:r\\?)?|\r)?$`,
);
/** Fewer letters at the end of a word are the word's: encoded lines are longer. */
const LEAST_PART = 4;
const LEAST_RUN = 9;
/** Characters that the breaks within a secret may take. */
const LONGEST_BREAKS = 1000;

/** The place where an encoded secret begins that goes on behind the end, else the end. */
export function beforeEncoded(text: string, end: number, encoded: readonly string[]): number {
  return beforeWhole(text, beforePart(text, end, encoded), encoded);
}

/** Of an encoded secret that lies on both sides of the cut. */
function beforeWhole(text: string, cut: number, encoded: readonly string[]): number {
  const longest = encoded[0]?.length;
  if (longest === undefined || cut === text.length) return cut;
  const reach = 2 * longest + LONGEST_BREAKS;
  const from = Math.max(0, cut - reach);
  for (const { 0: run, index } of text.slice(from, cut + reach).matchAll(RUN)) {
    const begin = from + index;
    if (begin >= cut || begin + run.length <= cut) continue;
    const places = [...run.matchAll(PARTS)].flatMap(({ 0: one, index: at }) =>
      isBreak(one) ? [] : begin + at,
    );
    const starts = spansOf(joined(run), encoded).flatMap(([first, end]) => {
      const [start = cut, last = start] = [places[first], places[end - 1]];
      return start < cut && last >= cut ? start : [];
    });
    return Math.min(cut, ...starts);
  }
  return cut;
}

/** Of one of which only the first letters are there. */
function beforePart(text: string, end: number, encoded: readonly string[]): number {
  const longest = encoded[0]?.length;
  if (longest === undefined) return end;
  const from = Math.max(0, end - 2 * longest - LONGEST_BREAKS);
  const found = LAST_RUN.exec(text.slice(from, end));
  if (found === null) return end;
  const [, run = ''] = found;
  const letters = joined(run);
  const isWord = letters.length < LEAST_RUN && /\s/.test(text.charAt(end - 1));
  const least = isWord ? LEAST_PART : 1;
  const part = Math.max(0, ...encoded.map((form) => partAtEnd(letters, form, least)));
  if (part === 0) return end;
  const places = [...run.matchAll(PARTS)].filter(([one]) => !isBreak(one));
  return from + found.index + (places.at(-part)?.index ?? 0);
}

function partAtEnd(letters: string, form: string, least: number): number {
  for (let length = Math.min(form.length - 1, letters.length); length >= least; length -= 1) {
    if (letters.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
