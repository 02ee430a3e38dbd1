import { type ParseToken, parseAnsiSequences } from 'ansi-sequence-parser';

const ESC = '\u001b';

export interface TerminalSpan {
  readonly text: string;
  /** Names of classes: a tone of the console for each colour, so that all can be read. */
  readonly look: string;
}

/** The pieces of a line with their looks. */
export const spansOf = (text: string): TerminalSpan[] =>
  parseAnsiSequences(text)
    .map((token) => ({ text: token.value.replaceAll(ESC, ''), look: lookOf(token) }))
    .filter((span) => span.text !== '');

const HUES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

function lookOf({ foreground, decorations }: ParseToken): string {
  const hue = foreground === null ? null : hueOf(foreground);
  return [
    ...(hue === null ? [] : [`ansi-${hue}`]),
    ...(decorations.has('bold') ? ['ansi-bold'] : []),
    ...(decorations.has('dim') ? ['ansi-black'] : []),
    ...(decorations.has('italic') ? ['ansi-italic'] : []),
    ...(decorations.has('underline') ? ['ansi-underline'] : []),
  ].join(' ');
}

type Colour = NonNullable<ParseToken['foreground']>;

/** The nearest of eight: a command's own shades may be unreadable on the page. */
function hueOf(colour: Colour): (typeof HUES)[number] | null {
  if (colour.type === 'named') {
    const name = colour.name.replace(/^bright/, '').toLowerCase();
    return HUES.find((hue) => hue === name) ?? null;
  }
  if (colour.type === 'rgb') return nearest(colour.rgb);
  const { index } = colour;
  if (index < 16) return HUES[index % 8] ?? null;
  if (index >= 232) return index < 244 ? 'black' : 'white';
  const cube = index - 16;
  const level = (part: number) => (part % 6) * 51;
  return nearest([level(Math.floor(cube / 36)), level(Math.floor(cube / 6)), level(cube)]);
}

/** A part is in the hue where it is nearly as strong as the strongest. */
function nearest(rgb: readonly number[]): (typeof HUES)[number] {
  const [most, least] = [Math.max(...rgb), Math.min(...rgb)];
  if (most - least < 40) return most < 140 ? 'black' : 'white';
  const isStrong = (part = 0) => (part - least > (most - least) * 0.6 ? 1 : 0);
  const [red, green, blue] = rgb;
  return HUES[isStrong(red) + 2 * isStrong(green) + 4 * isStrong(blue)] ?? 'white';
}
