import { randomBytes } from 'node:crypto';
import type { Scope } from '../../../../schema/scope.ts';
import type { Judge } from '../../../proof/canaries/judge.ts';
import { type Cases, partsWithTests } from '../../../proof/canaries/parts.ts';
import { partsOfValue, withOtherValues } from '../../../proof/canaries/recorded/data.ts';
import { workModules } from '../../../proof/canaries/recorded/modules.ts';
import type { Recordable } from '../../../proof/canaries/recorded/names.ts';
import {
  recording,
  type Sites,
  sitesIn,
  type Told,
  toldIn,
  toldTwice,
  type Wants,
  wantsOf,
} from '../../../proof/canaries/recorded/wants.ts';
import type { Rounds } from '../../../proof/canaries/rounds.ts';
import type { Round } from '../../../proof/canaries/series.ts';
import { isCode, nameOf } from '../../../proof/scope/code-files.ts';
import { isJudgeLike } from '../../../proof/scope/judge-like.ts';
import { scopeTest } from '../../../proof/scope/scope.ts';
import type { CheckRun } from '../../run-check.ts';
import { textsOf } from '../judge-texts.ts';
import type { ProofTree } from '../proof-tree.ts';
import type { Hear } from './runs.ts';

export interface Recorded {
  readonly wants: Wants;
  /** Tests of which something was told. */
  readonly tests: ReadonlySet<string>;
  /** What another recording tells as well; null where that is nothing. */
  readonly again: () => Promise<Sure | null>;
  /**
   * The judge's data with other values for what it compares with, and the tests that have to notice:
   * the work is given none of them. Null where its data holds none.
   */
  readonly otherData: () => Promise<OtherData | null>;
}

interface OtherData {
  readonly round: Round;
  readonly asked: readonly Cases[];
}

interface Sure {
  readonly wants: Wants;
  /** All that the first one told. */
  readonly isSame: boolean;
  /** Whether the texts that ask for it pass where nothing is the work's. */
  readonly canBeSaid: () => Promise<boolean>;
}

const MOST_MANIFESTS = 100;

/**
 * What the judge compares with where nothing of the work is loaded. Code is that of the original, and
 * data that of the work, which may rightly have other data.
 *
 * @param failing tests that fail in a run; the check itself has an empty name
 * @returns null where nothing can be told so
 */
export async function recordWants(
  { tree, scope, judge }: { tree: ProofTree; scope: Scope; judge: Judge },
  hear: Hear,
  failing: (ran: CheckRun) => readonly string[],
): Promise<Recorded | null> {
  const { original } = tree;
  if (original === undefined || judge.failedAt === undefined) return null;
  const word = `gk${randomBytes(8).toString('hex')}`;
  const sites = await sitesOf({ tree, scope, judge }, original, word);
  if (sites.sites.length === 0) return null;
  const code = [...original].filter(([path]) => isCode(path));
  const data = [...tree.entries].filter(([path]) => !isCode(path));
  const without = { ...tree, entries: new Map([...code, ...data]) };
  const round: Round = recording(sites, word);
  const record = async (label: string, more: Round = new Map()): Promise<Told> => {
    const ran = await hear(new Map([...round, ...more]), label, without, `.${word}`);
    if (ran.wasEnded) return new Map();
    const failed = new Set(failing(ran));
    const isWhole = new Map(
      sites.sites.map(({ id, tests }) => [`${id}`, !tests.some((test) => failed.has(test))]),
    );
    return new Map(
      [...toldIn(ran.heard ?? '')].filter(([key]) => isWhole.get(key.split('.', 1)[0] ?? '')),
    );
  };
  const token = () => randomBytes(6).toString('hex');
  const told = await record('recorded');
  const wants = wantsOf(sites, told, word, token);
  if (wants === null) return null;
  const again = async (): Promise<Sure | null> => {
    const sure = toldTwice(told, await record('recorded2'));
    const found = wantsOf(sites, sure, word, token);
    if (found === null) return null;
    const canBeSaid = async () => {
      const ran = await hear(found.withoutWork, 'wants-alone', without, found.file);
      return !ran.wasEnded && failing(ran).length === 0;
    };
    return { wants: found, isSame: sure.size === told.size, canBeSaid };
  };
  const otherData = async (): Promise<OtherData | null> => {
    const values = new Set(
      wants.apart.flatMap(({ values }) => [...values].flatMap((said) => partsOfValue(said))),
    );
    const other = withOtherValues(judge, values);
    if (other.size === 0) return null;
    const now = await record('recorded-other', other);
    // Where it is told nothing, or the same, it comes from elsewhere.
    const asked = wants.apart.filter(({ key, values }) => {
      const told = now.get(key);
      return told !== undefined && ![...told].every((said) => values.has(said));
    });
    // Each part once, however much of it is another one.
    const parts = [...new Set(asked.map(({ tests }) => tests))];
    return parts.length === 0 ? null : { round: other, asked: parts };
  };
  return { wants, tests: new Set(wants.tests), again, otherData };
}

/**
 * What judges has other data in these rounds, which tests have to notice. Of tests of which nothing
 * was told, the names of their rows tell what they want.
 */
export async function otherDataOf(
  recorded: Recorded | null,
  rows: Rounds['rows'],
): Promise<readonly OtherData[]> {
  const data = await recorded?.otherData();
  const isTold = (cases: Cases) => cases.every((test) => recorded?.tests.has(test) === true);
  const named = rows.flatMap(({ round, cases }): OtherData[] => {
    const asked = cases.filter((one) => !isTold(one));
    return asked.length === 0 ? [] : [{ round, asked }];
  });
  return data ? [data, ...named] : named;
}

async function sitesOf(
  { tree, scope, judge }: { tree: ProofTree; scope: Scope; judge: Judge },
  original: NonNullable<ProofTree['original']>,
  word: string,
): Promise<Sites> {
  const paths = new Set([...tree.entries.keys(), ...original.keys()]);
  const judging = new Set([...judge.texts, ...judge.data].flatMap(({ path }) => path ?? []));
  const isWork = scopeTest(scope);
  const isJudge = (path: string) =>
    judging.has(path) || (!isWork(path) && (isJudgeLike(path) || !isCode(path)));
  const manifests = [...paths]
    .filter((path) => nameOf(path) === 'package.json')
    .slice(0, MOST_MANIFESTS);
  const packages = (await textsOf(tree.store, tree.entries, manifests)).flatMap(
    ({ text }) => /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? [],
  );
  const known = new Map<Recordable, ReturnType<typeof workModules>>();
  const modules = (language: Recordable) => {
    const own = known.get(language) ?? workModules({ paths, isJudge, packages }, language);
    known.set(language, own);
    return own;
  };
  const isFile = (path: string) => paths.has(path) && isCode(path) && !isJudge(path);
  return sitesIn(partsWithTests(judge), modules, word, isFile);
}
