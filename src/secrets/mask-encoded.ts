/** Letters of base64 and hex, over lines; what is shorter holds no secret. */
const RUN = /[A-Za-z0-9+/_-]{9,}(?:\r?\n[A-Za-z0-9+/_-]+)*/g;
const LINE_ENDS = /\r?\n/g;

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

const joined = (run: string): string => run.replace(LINE_ENDS, '');

function replaceIn(run: string, forms: readonly string[], replace: () => string): string {
  const spans = spansOf(joined(run), forms);
  if (spans.length === 0) return run;
  let at = 0;
  let shown = '';
  for (const letter of run) {
    if (letter === '\n' || letter === '\r') {
      shown += letter;
      continue;
    }
    const span = spans.find(([start, end]) => at >= start && at < end);
    if (span === undefined) shown += letter;
    else if (at === span[0]) shown += replace();
    at += 1;
  }
  return shown;
}

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

const LAST_RUN = /[A-Za-z0-9+/_-]+(?:\r?\n[A-Za-z0-9+/_-]+)*(?:\r?\n)?$/;
/** Less of an encoded secret tells nothing of it. */
const LEAST_PART = 4;

/** The place where an encoded secret begins that goes on behind the end; else the end. */
export function beforeEncodedPart(text: string, end: number, encoded: readonly string[]): number {
  const longest = encoded[0]?.length;
  if (longest === undefined) return end;
  const from = Math.max(0, end - 2 * longest - 16);
  const run = LAST_RUN.exec(text.slice(from, end))?.[0];
  if (run === undefined) return end;
  const letters = joined(run);
  const parts = encoded.map((form) => partAtEnd(letters, form));
  const part = Math.max(0, ...parts);
  if (part === 0) return end;
  let left = part;
  let at = end;
  while (left > 0) {
    at -= 1;
    const letter = text.charAt(at);
    if (letter !== '\n' && letter !== '\r') left -= 1;
  }
  return at;
}

function partAtEnd(letters: string, form: string): number {
  for (let length = Math.min(form.length - 1, letters.length); length >= LEAST_PART; length -= 1) {
    if (letters.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
