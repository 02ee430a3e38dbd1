import type { Invocation } from '../read/invocation.ts';
import { environmentBetween } from './environment.ts';
import { type FlagTable, flagsOf, takesManyTargets } from './flags.ts';

export type Comparison =
  | { readonly kind: 'same' }
  /** Tokens that only the run has, and that may have narrowed it. */
  | { readonly kind: 'narrowed'; readonly tokens: readonly string[] }
  | { readonly kind: 'tampered'; readonly reason: string }
  /** Another program, or it lacks tokens of the citation (none named: another program). */
  | { readonly kind: 'different'; readonly missing: readonly string[] };

/** Does the run do what is cited? Order of flags doesn't matter, their values do. */
export function compareInvocations(cited: Invocation, ran: Invocation): Comparison {
  if (cited.program !== ran.program || cited.hasSucceeded !== ran.hasSucceeded) {
    return { kind: 'different', missing: [] };
  }
  const table = flagsOf(cited.program);
  const [wanted, found] = toUnits(cited.args, ran.args, table);
  const missing = lacking(wanted, found);
  if (missing.length > 0) return { kind: 'different', missing };
  const environment = environmentBetween(cited.environment, ran.environment);
  if (environment.kind !== 'same') return environment;
  const extra = extraUnits(wanted, found).filter((unit) => !isHarmless(unit, wanted, cited, table));
  return extra.length > 0 ? { kind: 'narrowed', tokens: extra } : { kind: 'same' };
}

interface Units {
  /** `--flag`, `--flag=value`. */
  readonly flags: readonly string[];
  readonly plain: readonly string[];
}

/** Flags with their values, and the words between them in their order. */
function toUnits(cited: readonly string[], ran: readonly string[], table: FlagTable) {
  const alone = new Set([...flagsWithoutValue(cited), ...flagsWithoutValue(ran)]);
  const isAlone = (flag: string) =>
    table.isBoolean(flag) || (alone.has(flag) && !table.takesValue(flag));
  return [unitsOf(cited, isAlone), unitsOf(ran, isAlone)] as const;
}

function isFlag(word: string): boolean {
  return /^-[^\d]/.test(word);
}

/** A flag that no plain word follows takes none, here or in the other spelling. */
function flagsWithoutValue(args: readonly string[]): string[] {
  return args.filter((word, index) => isFlag(word) && !hasValueAt(args, index + 1));
}

function hasValueAt(args: readonly string[], index: number): boolean {
  const next = args[index];
  return next !== undefined && !isFlag(next) && !next.startsWith('<');
}

function unitsOf(args: readonly string[], isAlone: (flag: string) => boolean): Units {
  const flags: string[] = [];
  const plain: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = (args[index] ?? '').replace(/^(-[a-zA-Z])(\d+)$/, '$1=$2');
    if (word === '--') {
      // Behind it all words are plain, also those that look like flags.
      const behind = args.slice(index + 1);
      if (behind.some(isFlag)) plain.push('--');
      plain.push(...behind);
      break;
    }
    if (!isFlag(word)) plain.push(withoutDot(word));
    else if (word.includes('=') || isAlone(word) || !hasValueAt(args, index + 1)) flags.push(word);
    else flags.push(`${word}=${args[++index]}`);
  }
  return { flags, plain };
}

/** `./src/` and `src` are the same place. */
function withoutDot(word: string): string {
  const bare = word.replace(/^(\.\/)+(?=.)/, '').replace(/(?<=[^/])\/+$/, '');
  return bare === '' ? word : bare;
}

function lacking(wanted: Units, found: Units): string[] {
  return [...without(wanted.flags, found.flags), ...missingInOrder(wanted.plain, found.plain)];
}

function without(words: readonly string[], taken: readonly string[]): string[] {
  const rest = [...taken];
  return words.filter((word) => {
    const index = rest.indexOf(word);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** Plain words keep their order: `cp a b` is not `cp b a`. */
function missingInOrder(wanted: readonly string[], found: readonly string[]): string[] {
  let from = 0;
  return wanted.filter((word) => {
    const index = found.indexOf(word, from);
    if (index >= 0) from = index + 1;
    return index < 0;
  });
}

function extraUnits(wanted: Units, found: Units): string[] {
  return [...without(found.flags, wanted.flags), ...without(found.plain, wanted.plain)];
}

function isHarmless(
  unit: string,
  wanted: Units,
  { program }: Invocation,
  table: FlagTable,
): boolean {
  if (unit === '--' || table.isNeutral(unit)) return true;
  const addsTarget = !isFlag(unit) && wanted.plain.length > 0 && takesManyTargets(program);
  return addsTarget && !unit.includes('=') && !unit.startsWith('<');
}
