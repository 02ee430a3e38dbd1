import { ownValue } from '../../../schema/own-value.ts';
import type { Script, Word } from './script.ts';

export interface Unwrapped {
  readonly words: readonly Word[];
  /** The variables that `env` and its like set. */
  readonly assignments: ReadonlyMap<string, string>;
}

/** Flags that take the next word, then how many words come before the command itself. */
interface Wrapper {
  readonly valued: readonly string[];
  readonly plain: RegExp;
  readonly operands: number;
}

const noFlags = /^$/;
const wrappers: Readonly<Record<string, Wrapper>> = {
  time: { valued: ['-f', '-o'], plain: /^(-p|-v|-a|--\w+.*)$/, operands: 0 },
  command: { valued: [], plain: /^-p$/, operands: 0 },
  builtin: { valued: [], plain: noFlags, operands: 0 },
  nohup: { valued: [], plain: noFlags, operands: 0 },
  chronic: { valued: [], plain: noFlags, operands: 0 },
  nice: { valued: ['-n'], plain: /^(-\d+|-n-?\d+|--adjustment=.*)$/, operands: 0 },
  ionice: { valued: ['-c', '-n'], plain: /^(-[cn]\d|-t)$/, operands: 0 },
  stdbuf: { valued: ['-i', '-o', '-e'], plain: /^(-[ioe].+|--\w+=.*)$/, operands: 0 },
  timeout: {
    // Not --preserve-status: it lets a command that was cut short count as a success.
    valued: ['-k', '-s'],
    plain: /^(-k.+|-s.+|-v|--(foreground|verbose|signal=.*|kill-after=.*))$/,
    operands: 1,
  },
  'xvfb-run': { valued: ['-s', '-n'], plain: /^(-a|--\w[\w-]*(=.*)?)$/, operands: 0 },
  env: { valued: ['-u'], plain: /^(-i|-|--ignore-environment|--unset=.*)$/, operands: 0 },
  'cross-env': { valued: [], plain: noFlags, operands: 0 },
};
const aliases: Readonly<Record<string, string>> = { gtimeout: 'timeout', gtime: 'time' };
const assignment = /^([A-Za-z_]\w*)=(.*)$/s;

/** Takes away what only times, limits or equips the command. */
export function unwrap(words: readonly Word[]): Unwrapped {
  const assignments = new Map<string, string>();
  let rest = words;
  for (;;) {
    const inner = innerOf(rest, assignments);
    if (inner === null) return { words: rest, assignments };
    rest = inner;
  }
}

function innerOf(words: readonly Word[], assignments: Map<string, string>): readonly Word[] | null {
  const name = (words[0]?.text ?? '').replace(/^\/(usr\/(local\/)?)?bin\//, '');
  const known = ownValue(aliases, name) ?? name;
  const wrapper = Object.hasOwn(wrappers, known) ? wrappers[known] : undefined;
  if (wrapper === undefined) return null;
  let at = 1;
  for (let flag = words[at]?.text; flag?.startsWith('-'); flag = words[at]?.text) {
    at += 1;
    if (flag === '--') break;
    if (wrapper.valued.includes(flag)) at += 1;
    else if (!wrapper.plain.test(flag)) return null;
  }
  const rest = words.slice(at + wrapper.operands);
  const inner = /^(cross-)?env$/.test(known) ? withoutAssignments(rest, assignments) : rest;
  return inner.length === 0 ? null : inner;
}

function withoutAssignments(
  words: readonly Word[],
  assignments: Map<string, string>,
): readonly Word[] {
  const [first, ...rest] = words;
  const [, name, value] = assignment.exec(first?.text ?? '') ?? [];
  if (name === undefined || value === undefined) return words;
  assignments.set(name, value);
  return withoutAssignments(rest, assignments);
}

const shells = /^(\/(usr\/)?bin\/)?(ba|da|z|k|a)?sh$/;

/** The code that `bash -c` and its like run. */
export function scriptOfShell(words: readonly Word[]): Script | null {
  if (!shells.test(words[0]?.text ?? '')) return null;
  return words.find(({ script }) => script !== undefined)?.script ?? null;
}
