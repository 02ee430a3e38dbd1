/** A line as it is kept: its text with the colours that hold in it, and nothing else that acts. */
export interface TerminalRow {
  readonly key: number;
  /** Letters and colour sequences only. */
  readonly text: string;
  /** Stands for output that was left out before the next line. */
  readonly isGap?: true;
}

/** What is kept of a command's output: the newest lines, however much it prints. */
export interface Screen {
  readonly rows: readonly TerminalRow[];
  /** The line that has no end yet, as it came. */
  readonly open: string;
  /** Colours that hold where the open line begins. */
  readonly colours: string;
  readonly nextKey: number;
  /** Ended lines and characters that came. */
  readonly lines: number;
  readonly characters: number;
}

/** The most lines that are kept. */
export const MOST_ROWS = 2000;
/** The most characters of one line that are shown. */
const MOST_WIDTH = 4000;
/** More at once than this is read from its end. */
const MOST_AT_ONCE = 400_000;

export const emptyScreen: Screen = {
  ...{ rows: [], open: '', colours: '', nextKey: 1, lines: 0, characters: 0 },
};

/** The screen with more output on it. */
export function printed(screen: Screen, piece: string, isCut = false): Screen {
  const isTooLong = piece.length > MOST_AT_ONCE;
  const text = isTooLong ? piece.slice(-MOST_AT_ONCE) : piece;
  const hasGap = isCut || isTooLong;
  const rows = [...screen.rows];
  let { nextKey, colours, lines } = screen;
  const end = (line: string) => {
    rows.push({ key: nextKey, text: lineOf(colours, line) });
    colours = coloursBehind(colours + line);
    nextKey += 1;
  };
  let before = screen.open;
  if (hasGap) {
    if (before !== '') end(before);
    rows.push({ key: nextKey, text: '', isGap: true });
    nextKey += 1;
    before = '';
    colours = '';
  }
  const parts = (before + text).split('\n');
  const open = parts.pop() ?? '';
  for (const line of parts) end(line);
  lines += parts.length;
  return {
    rows: rows.length > MOST_ROWS ? rows.slice(-MOST_ROWS) : rows,
    open: open.length > 2 * MOST_WIDTH ? open.slice(-MOST_WIDTH) : open,
    ...{ colours, nextKey, lines },
    characters: screen.characters + piece.length,
  };
}

/** All lines, also the one that has no end yet. */
export function rowsOnScreen({ rows, open, colours, nextKey }: Screen): readonly TerminalRow[] {
  if (open === '') return rows;
  return [...rows, { key: nextKey, text: lineOf(colours, open) }];
}

const ESC = '\u001b';
/** Whole or broken off: strings of titles and links, then what moves or colours, then the rest. */
const SEQUENCE = new RegExp(
  [
    `(?:${ESC}[PX^_\\]]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007${ESC}\\u009c]*(?:\\u0007|${ESC}\\\\|\\u009c)?`,
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);
const COLOUR = new RegExp(`^${ESC}\\[[0-9;]*m$`);
const COLOURS = new RegExp(`${ESC}\\[[0-9;]*m`, 'g');
const RESET = new RegExp(`^${ESC}\\[[0;]*m$`);
/** Sequences that are remembered from line to line: more colours than these hold in no line. */
const MOST_HELD = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out
const CONTROL = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;
/** What can't be seen, or moves what stands beside it. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Of a line that returned to its beginning, what was printed last; nothing moves a cursor. */
function lineOf(colours: string, raw: string): string {
  const line = raw.replace(SEQUENCE, (one) => (COLOUR.test(one) ? one : ''));
  const tries = line.split('\r');
  const shown = tries.findLast((part) => part.replace(COLOURS, '') !== '') ?? '';
  const before = tries.slice(0, tries.indexOf(shown)).join('');
  const text = shown
    .replace(CONTROL, '')
    .replace(
      UNSEEN,
      (one) => `<U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
  const cut = text.length > MOST_WIDTH ? `${text.slice(0, MOST_WIDTH)}…` : text;
  return coloursBehind(colours + before) + cut;
}

/** The sequences since the last that took all colours back. */
function coloursBehind(text: string): string {
  const all = text.match(COLOURS) ?? [];
  const reset = all.findLastIndex((one) => RESET.test(one));
  return all
    .slice(reset + 1)
    .slice(-MOST_HELD)
    .join('');
}
