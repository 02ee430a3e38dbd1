const LONGEST = 400;

/** One line, one full stop: the texts of models, tools and providers have neither in mind. */
export function oneSentence(text: string): string {
  const line = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\.+ (?=\S)/g, '; ');
  if (line === '') return 'No reason was given.';
  if (line.length > LONGEST) return `${line.slice(0, LONGEST - 1)}…`;
  if (/[.!?…]$/.test(line)) return line;
  return line.length < LONGEST ? `${line}.` : `${line.slice(0, LONGEST - 1)}…`;
}

/** Says one thing more. */
export const andThen = (sentence: string, more: string): string =>
  `${sentence.replace(/\.$/, '')}; ${more}`;
