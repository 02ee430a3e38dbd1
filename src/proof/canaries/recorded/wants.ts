import { folderOf } from '../../scope/code-files.ts';
import { join } from '../../scope/tree.ts';
import { isTyped, languageOf } from '../opposites.ts';
import type { Span } from '../spans.ts';
import { type Edit, edited } from './edits.ts';
import { workNamesIn } from './from-work.ts';
import { goesOn } from './goes-on.ts';
import type { IsWork } from './modules.ts';
import type { Recordable } from './names.ts';
import { type Script, scriptInJavascript } from './scripts-js.ts';
import { scriptInPython } from './scripts-python.ts';
import { type Compared, comparedIn } from './sides.ts';
import { type Loaded, loadedIn } from './without-work.ts';

/*
 * What a test expects is the same with the work as without it. So it is told once where nothing of
 * the work is loaded, and asked where the work runs: who changes it in memory, wherever it comes
 * from, makes it another one.
 */

/** Where tests may compare. */
export interface Asking {
  readonly path: string;
  readonly text: string;
  readonly parts: readonly Region[];
}

export interface Region {
  readonly span: Span;
  /** Tests that have to pass where nothing is the work's, so that it was walked whole. */
  readonly tests: readonly string[];
}

export interface Site extends Compared {
  readonly id: number;
  readonly path: string;
  readonly tests: readonly string[];
}

export interface Sites {
  readonly asking: readonly Asking[];
  readonly sites: readonly Site[];
  readonly loaded: ReadonlyMap<string, Loaded>;
}

export const recordable = (path: string): Recordable | null => {
  const language = languageOf(path);
  return language === 'js' || language === 'python' ? language : null;
};

/**
 * All that is compared in these texts with what they don't say themselves.
 *
 * @param isFile whether a path is code that may be the work
 */
export function sitesIn(
  asking: readonly Asking[],
  isWork: (language: Recordable) => IsWork,
  word: string,
  isFile: (path: string) => boolean = () => false,
): Sites {
  const loaded = new Map<string, Loaded>();
  const sites: Site[] = [];
  for (const { path, text, parts } of asking) {
    const language = recordable(path);
    if (language === null) continue;
    const nothing = nothingOf(word, language);
    const own = loadedIn(text, path, language, isWork(language), nothing);
    const runs = (said: string) =>
      [join(folderOf(path), said), join('', said)].some((one) => one !== null && isFile(one));
    const names = workNamesIn(text, language, own.work, own.free, runs);
    const edits = [...own.edits, ...goesOn(text, language, names, nothing)];
    loaded.set(path, { ...own, edits });
    for (const { span, tests } of parts) {
      for (const compared of comparedIn(text, language, [span], names)) {
        sites.push({ ...compared, id: sites.length, path, tests });
      }
    }
  }
  return { asking, sites, loaded };
}

const nothingOf = (word: string, language: Recordable): string =>
  language === 'js' ? `${word}n()` : `${word}n`;

/** The texts as they tell what is compared in them, where nothing is the work's. */
export const recording = (all: Sites, word: string): ReadonlyMap<string, string> =>
  saidAgain(all, { word, sets: null, isWithoutWork: true });

/** What a site compared, by site and side. */
export type Told = ReadonlyMap<string, ReadonlySet<string>>;

/** @param lines what the recording told */
export function toldIn(lines: string): Told {
  const told = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const line of lines.split('\n')) {
    const [site, side, said] = line.startsWith('[') ? (JSON.parse(line) as unknown[]) : [];
    if (typeof site !== 'number' || typeof side !== 'number') continue;
    const key = `${site}.${side}`;
    if (typeof said === 'string') told.set(key, (told.get(key) ?? new Set()).add(said));
    else unknown.add(key);
  }
  return new Map([...told].filter(([key]) => !unknown.has(key)));
}

/** What both tell: lots and clocks say something else each time. */
export const toldTwice = (one: Told, other: Told): Told =>
  new Map(
    [...one].filter(([key, values]) => {
      const again = other.get(key);
      return again?.size === values.size && [...values].every((said) => again.has(said));
    }),
  );

/** What nobody can change in place. */
const PLAIN = /^(?:s\d+:|(?:number|boolean|undefined|bigint|int|float|bool|bytes|NoneType) |null$)/;
const MOST_SIGNS = 1_000_000;

export interface Wants {
  readonly texts: ReadonlyMap<string, string>;
  /** The same with nothing that is the work's. */
  readonly withoutWork: ReadonlyMap<string, string>;
  /** Names of the file that hears of it. */
  readonly file: string;
  /** What is told of values that the work is not given. */
  readonly apart: readonly Apart[];
  /** All tests of which something was told. */
  readonly tests: readonly string[];
  /** The lines at which what a test expects was not the same, or was never come to. */
  readonly missing: (lines: string) => readonly string[];
}

export interface Apart {
  readonly key: string;
  readonly values: ReadonlySet<string>;
  readonly tests: readonly string[];
}

/** The texts as they ask for what was told; null where nothing was, or too much. */
export function wantsOf(all: Sites, told: Told, word: string, token: () => string): Wants | null {
  const isFilled = new Set(
    all.sites.flatMap(({ id, mayBeFilled }) =>
      mayBeFilled.flatMap((may, at) => (may ? [`${id}.${at}`] : [])),
    ),
  );
  const isSame = ([key, values]: readonly [string, ReadonlySet<string>]) =>
    !isFilled.has(key) || [...values].every((said) => PLAIN.test(said));
  const sets = new Map(
    [...told]
      .filter(isSame)
      .map(([key, values]) => [key, new Map([...values].map((said) => [said, token()]))]),
  );
  const { asking } = all;
  const sites = all.sites.filter(({ id }) => sets.has(`${id}.0`) || sets.has(`${id}.1`));
  const signs = [...told.values()].flatMap((values) => [...values]).join('').length;
  if (sites.length === 0 || signs > MOST_SIGNS) return null;
  const missing = (lines: string) => {
    const heard = new Set(lines.split('\n'));
    const isMet = (key: string) =>
      sets.has(key) && [...(sets.get(key)?.values() ?? [])].every((one) => heard.has(one));
    const isOther = ({ id, isOptional }: Site) =>
      heard.has(`!${id}`) || !(isOptional || isMet(`${id}.0`) || isMet(`${id}.1`));
    return sites.filter(isOther).map((site) => lineOf(asking, site));
  };
  const said = (isWithoutWork: boolean) =>
    saidAgain({ ...all, sites }, { word, sets, isWithoutWork });
  const apart = sites.flatMap(({ id, isApart, tests }): Apart[] => {
    const key = [`${id}.1`, `${id}.0`].find((one) => sets.has(one));
    const values = key === undefined ? undefined : told.get(key);
    return isApart && key !== undefined && values !== undefined ? [{ key, values, tests }] : [];
  });
  const tests = sites.flatMap((site) => site.tests);
  return { apart, tests, texts: said(false), withoutWork: said(true), file: fileOf(word), missing };
}

const fileOf = (word: string): string => `.${word}`;

function lineOf(asking: readonly Asking[], { path, sides }: Site): string {
  const text = asking.find((one) => one.path === path)?.text ?? '';
  const at = (sides[1] ?? sides[0] ?? [0])[0];
  return `${path}:${text.slice(0, at).split('\n').length}`;
}

type Sets = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Manner {
  readonly word: string;
  /** What each side has to be; null where that is told. */
  readonly sets: Sets | null;
  readonly isWithoutWork: boolean;
}

function saidAgain({ asking, sites, loaded }: Sites, manner: Manner): Map<string, string> {
  const { word, sets, isWithoutWork } = manner;
  return new Map(
    asking.flatMap(({ path, text }): [string, string][] => {
      const language = recordable(path);
      if (language === null) return [];
      const without = isWithoutWork ? (loaded.get(path)?.edits ?? []) : [];
      const here = sites.filter((site) => site.path === path && isApart(site, without));
      const wraps = wrapsOf(here, word, (key) => sets?.has(key) ?? true);
      if (wraps.length + without.length === 0) return [];
      const ids = new Set(here.map(({ id }) => `${id}`));
      const own = [...(sets ?? [])].filter(([key]) => ids.has(key.split('.', 1)[0] ?? ''));
      const script: Script = {
        ...{ word, file: fileOf(word), isTyped: isTyped(path), isWithoutWork },
        sets: sets === null ? null : new Map(own),
      };
      const edits = [...without, ...wraps];
      if (language === 'js') return [[path, edited(text, edits) + scriptInJavascript(script)]];
      const at = PY_BEGIN.exec(text)?.index;
      return at === undefined
        ? []
        : [[path, edited(text, [{ at, end: at, now: scriptInPython(script) }, ...edits])]];
    }),
  );
}

const isApart = ({ sides }: Site, edits: readonly Edit[]): boolean =>
  sides.every((side) => !edits.some(({ at, end }) => side && at < side[1] && side[0] < end));

function wrapsOf(sites: readonly Site[], word: string, isAsked: (key: string) => boolean): Edit[] {
  return sites.flatMap(({ id, sides }) =>
    sides.flatMap((side, at) =>
      side === null || !isAsked(`${id}.${at}`)
        ? []
        : [
            { at: side[0], end: side[0], now: `${word}(${id}, ${at}, ` },
            { at: side[1], end: side[1], now: ')' },
          ],
    ),
  );
}

const PY_BEGIN = /^(?:import\s+\w|from\s+(?!__future__)[\w.]+\s+import\b)/m;
