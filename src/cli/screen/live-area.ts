import stringWidth from 'string-width';

/** What a live area needs of a terminal. */
export interface Drawable {
  write(text: string): unknown;
  readonly columns?: number;
}

const ERASE_BELOW = '\u001b[J';
/** Lines that are drawn at once appear at once, where the terminal knows of it. */
const [BEGIN, END] = ['\u001b[?2026h', '\u001b[?2026l'];

/** Lines at the foot of a terminal, below what scrolls away; it never leaves half of one behind. */
export interface LiveArea {
  /** Writes lines that stay, and draws the area below them. */
  draw(staying: readonly string[], foot: readonly string[]): void;
  /** Takes the area away, and leaves the cursor where it stood. */
  remove(): void;
}

export function liveArea(terminal: Drawable): LiveArea {
  let drawn: readonly string[] = [];
  const up = (): string => {
    const columns = Math.max(1, terminal.columns ?? 80);
    // A terminal that became narrower has broken lines in several.
    const rows = drawn.reduce(
      (sum, text) => sum + Math.max(1, Math.ceil(stringWidth(text) / columns)),
      0,
    );
    return rows === 0 ? '' : `\r\u001b[${rows}A${ERASE_BELOW}`;
  };
  return {
    draw(staying, foot) {
      if (staying.length === 0 && same(drawn, foot)) return;
      const text = [...staying, ...foot].map((one) => `${one}\n`).join('');
      terminal.write(`${BEGIN}${up()}${text}${END}`);
      drawn = foot;
    },
    remove() {
      if (drawn.length === 0) return;
      terminal.write(up());
      drawn = [];
    },
  };
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index]);
