import { alternatives, bareOf } from './glob.ts';

/**
 * Stands in a path for what only the shell knows. It may be anything that a glob leaves open, but
 * not what the glob spells out: else every variable would mean every file.
 */
export const UNKNOWN = '\uE001';
/** Stand in a path for what the shell fills in from the names of files. */
export const ANY_NAME = '\uE002';
export const ANY_SIGN = '\uE003';
export const ANY_PATH = '\uE004';

export const isOpen = (path: string): boolean => /[\uE001-\uE004]/.test(path);

const MOST_CHARACTERS = 1000;

/**
 * May one of the paths that an open path stands for be one that the glob means? It says yes where
 * it is not sure, and where the path is too long to tell.
 */
export function mayMatchPath(glob: string, open: string): boolean {
  if (open.length > MOST_CHARACTERS) return true;
  const path = automatonOf(partsOfOpen(open));
  const bare = bareOf(glob);
  return [bare, `${bare}/**`]
    .flatMap(alternatives)
    .some((one) => overlap(automatonOf(partsOfGlob(one.normalize('NFC'))), path));
}

/** A character, all but these, or one that nobody knows. */
type Signs = { readonly is: string } | { readonly isNot: string } | { readonly isUnknown: true };

type Part =
  | { readonly kind: 'one'; readonly signs: Signs }
  /** Any number of them; the first is one of `first`. */
  | { readonly kind: 'many'; readonly first: Signs; readonly rest: Signs }
  /** Any number of folders, each with its slash. */
  | { readonly kind: 'folders' };

const ANY: Signs = { isNot: '' };
const OF_NAME: Signs = { isNot: '/' };
/** The shell's wildcards pass by names that begin with a dot. */
const OF_SEEN_NAME: Signs = { isNot: '/.' };

const one = (signs: Signs): Part => ({ kind: 'one', signs });
const many = (first: Signs, rest = first): Part => ({ kind: 'many', first, rest });

/** Classes and groups stand for anything within a name: nothing is missed by that. */
function partsOfGlob(glob: string): Part[] {
  const token =
    /\\(.)|((?<=^|\/)\*\*\/)|((?<=^|\/)\*\*$)|([?*+@!]\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\]|[()*!+@[\]])|(\?)|./gsu;
  return [...glob.matchAll(token)].map(([sign, literal, folders, all, names, single]): Part => {
    if (literal !== undefined) return one({ is: literal });
    if (folders !== undefined) return { kind: 'folders' };
    if (all !== undefined) return many(ANY);
    if (names !== undefined) return many(OF_NAME);
    return single === undefined ? one({ is: sign }) : one(OF_NAME);
  });
}

function partsOfOpen(path: string): Part[] {
  return [...path.normalize('NFC')].map((sign, index, signs): Part => {
    const before = signs[index - 1];
    const first = before === undefined || before === '/' ? OF_SEEN_NAME : OF_NAME;
    if (sign === UNKNOWN) return many({ isUnknown: true });
    if (sign === ANY_PATH) return many(first, ANY);
    if (sign === ANY_NAME) return many(first, OF_NAME);
    return one(sign === ANY_SIGN ? first : { is: sign });
  });
}

interface Edge {
  /** null = without a character. */
  readonly signs: Signs | null;
  readonly to: number;
}

/** Edges by state; the first state begins, the last one ends. */
type Automaton = readonly (readonly Edge[])[];

function automatonOf(parts: readonly Part[]): Automaton {
  const states: Edge[][] = [[]];
  for (const part of parts) addPart(states, part);
  return states;
}

function addPart(states: Edge[][], part: Part): void {
  const last = states.length - 1;
  if (part.kind === 'one') {
    states[last]?.push({ signs: part.signs, to: last + 1 });
    states.push([]);
    return;
  }
  const [first, rest] = part.kind === 'many' ? [part.first, part.rest] : [ANY, ANY];
  const end: Edge = { signs: part.kind === 'many' ? null : { is: '/' }, to: last + 2 };
  states[last]?.push({ signs: first, to: last + 1 }, { signs: null, to: last + 2 });
  states.push([{ signs: rest, to: last + 1 }, end], []);
}

/** Is there a text that both accept? */
function overlap(one: Automaton, other: Automaton): boolean {
  const width = other.length;
  const seen = new Uint8Array(one.length * width);
  const open = [0];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const [at, there] = [Math.floor(state / width), state % width];
    if (at === one.length - 1 && there === width - 1) return true;
    for (const next of stepsFrom(one[at] ?? [], other[there] ?? [], at, there)) {
      const found = next.at * width + next.there;
      if (seen[found] === 1) continue;
      seen[found] = 1;
      open.push(found);
    }
  }
  return false;
}

function* stepsFrom(edges: readonly Edge[], others: readonly Edge[], at: number, there: number) {
  for (const { signs, to } of edges) if (signs === null) yield { at: to, there };
  for (const { signs, to } of others) if (signs === null) yield { at, there: to };
  for (const edge of edges) {
    for (const other of others) {
      if (edge.signs !== null && other.signs !== null && haveCommon(edge.signs, other.signs)) {
        yield { at: edge.to, there: other.to };
      }
    }
  }
}

function haveCommon(glob: Signs, path: Signs): boolean {
  if ('is' in glob && 'is' in path) return glob.is === path.is;
  if ('is' in glob) return 'isNot' in path && !path.isNot.includes(glob.is);
  return 'isNot' in glob && !('is' in path && glob.isNot.includes(path.is));
}
