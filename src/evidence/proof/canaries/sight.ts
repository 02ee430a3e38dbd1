import { randomBytes } from 'node:crypto';
import type { Scope } from '../../../../schema/scope.ts';
import type { Judge } from '../../../proof/canaries/judge.ts';
import type { Round } from '../../../proof/canaries/series.ts';
import {
  brokenAgain,
  type Complaint,
  complaintsIn,
  renamedTo,
} from '../../../proof/canaries/sight.ts';
import { isCode } from '../../../proof/scope/code-files.ts';
import { scopeTest } from '../../../proof/scope/scope.ts';
import type { CheckRun } from '../../run-check.ts';
import { textsOf, underGlobs } from '../judge-texts.ts';
import type { ProofTree } from '../proof-tree.ts';

/** Each costs a run, or two. */
const MOST_BROKEN = 3;

export interface Sight {
  readonly tree: ProofTree;
  readonly scope: Scope;
  readonly judge: Judge;
  /** What the check printed as it failed on the original. */
  readonly failed: string;
  readonly run: (round: Round, label: string) => Promise<CheckRun>;
}

/**
 * Why a check that compares nothing may have lost sight of what it complained about: a file of the
 * work is gone, or may be broken again. A file with another name is looked at by that.
 *
 * @returns null where it sees
 */
export async function whyBlind({ tree, scope, judge, failed, run }: Sight): Promise<string | null> {
  const { store, entries, original = new Map() } = tree;
  const isWork = scopeTest(scope);
  const work = [...original.keys()].filter((path) => isWork(path) && isRead(path));
  const known = new Set(original.keys());
  const complaints = complaintsIn(failed, work, (path) => known.has(path));
  const walked = underGlobs(
    work,
    judge.texts.map(({ text }) => text),
  );
  const isThere = (path: string) => entries.get(path)?.kind === 'file';
  const seen = [...complaints.map(({ path }) => path), ...walked];
  const left = work.filter((path) => !isThere(path));
  const came = [...entries.keys()].filter((path) => isWork(path) && !original.has(path));
  const nowOf = new Map(left.map((path) => [path, renamedTo(path, left, came)]));
  const gone = seen.find((path) => !isThere(nowOf.get(path) ?? path));
  if (gone !== undefined) return `${gone}, at which it looked on the original, is gone`;
  for (const [index, complaint] of complaints.slice(0, MOST_BROKEN).entries()) {
    if (!(await isNoticed(complaint, index))) {
      return `it does not notice where ${complaint.path} is broken again, of which it complained on the original`;
    }
  }
  return null;

  async function isNoticed(complaint: Complaint, index: number): Promise<boolean> {
    const path = nowOf.get(complaint.path) ?? complaint.path;
    const [before] = await textsOf(store, original, [complaint.path]);
    const [now] = await textsOf(store, entries, [path]);
    if (before === undefined || now === undefined) return false;
    const word = `gk${randomBytes(4).toString('hex')}`;
    const texts = brokenAgain({ ...complaint, path }, before.text, now.text, word);
    for (const [at, text] of texts.entries()) {
      const ran = await run(new Map([[path, text]]), `broken${index + 1}.${at + 1}`);
      if (ran.exitCode !== 0 && !ran.couldNotRun && !ran.wasEnded) return true;
    }
    return false;
  }
}

const isRead = (path: string): boolean => isCode(path) || /\.(?:json|ya?ml|toml)$/.test(path);
