const AROUND = 60;

/** The first text that holds the words, cut to what stands around them; else the first one. */
export function wordsAround(texts: readonly string[], words: string): string {
  const needle = words.toLowerCase();
  const text = texts.find((one) => one.toLowerCase().includes(needle)) ?? texts[0] ?? '';
  const flat = oneLine(text);
  const start = Math.max(0, flat.toLowerCase().indexOf(oneLine(needle)) - AROUND / 2);
  return `${start > 0 ? '…' : ''}${flat.slice(start, start + 2 * AROUND)}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** All that a turn says, its decision last. */
export const textsOfTurn = (turn: {
  readonly messages: readonly { readonly text: string }[];
  readonly decision: { readonly sentence: string } | null;
}): string[] => [...turn.messages.map(({ text }) => text), turn.decision?.sentence ?? ''];
