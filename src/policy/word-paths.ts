import { alternatives } from '../../schema/glob.ts';
import { ANY_NAME, ANY_PATH, ANY_SIGN, UNKNOWN } from '../../schema/glob-overlap.ts';
import type { SegmentWord } from '../shell/read/given-code.ts';

/** Braces of a word that stand for more than this are not looked at one by one. */
const MOST_ALTERNATIVES = 256;

/**
 * The paths that a word of a command may name: itself, and what stands in it behind a flag or one
 * of the signs by which programs part a name from other things. What the shell fills in is open.
 * Null = they are too many.
 */
export function pathsIn({ text, isFixed }: SegmentWord): readonly string[] | null {
  if (isFixed) return readingsOf(text);
  const meant = alternatives(text);
  if (meant.length > MOST_ALTERNATIVES) return null;
  const inside = text.split(/[\s{}'"`;|&<>]+/);
  return [...new Set([...meant, ...inside].map(opened).flatMap(readingsOf))];
}

/** A folder that a line changes to, likewise. */
export const folderIn = ({ text, isFixed }: SegmentWord): readonly string[] | null => {
  if (text === '-') return [UNKNOWN];
  if (isFixed) return [text];
  const meant = alternatives(text);
  return meant.length > MOST_ALTERNATIVES ? null : meant.map(opened);
};

const PARTS = /[=:,@()]/;
const MOST_FLAGS = 8;

/** `-Cfolder`, `--file=name`, `HEAD:name`, `@name`, `type=bind,src=name`, `host:name`. */
function readingsOf(text: string): string[] {
  const behind = ['=', ':', ',', '@'].map((sign) => text.slice(text.indexOf(sign) + 1));
  const [, flags = ''] = /^-([A-Za-z]+)/.exec(text) ?? [];
  const glued = [...flags.slice(0, MOST_FLAGS)].map((_, index) => text.slice(index + 2));
  const between = text.split(PARTS).flatMap((part) => [part, part.replace(/^[-+?!]+/, '')]);
  const parts = [text, ...behind, ...between, ...glued];
  return [...new Set(parts)].filter((part) => part !== '' && part !== '-');
}

const FILLED_IN =
  /\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{[^}]*\}|`[^`]*`|\$(?:\w+|[?!#$@*-])|(?:^|(?<=[=:,@]))~[^/]*|(\*\*+)|([?*+@!]\([^)]*\)|\*)|(\?|\[[^\]]*\])/g;

const opened = (text: string): string =>
  text.replace(FILLED_IN, (_, path?: string, name?: string, sign?: string) => {
    if (path !== undefined) return ANY_PATH;
    if (name !== undefined) return ANY_NAME;
    return sign === undefined ? UNKNOWN : ANY_SIGN;
  });
