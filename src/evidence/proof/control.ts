import { randomBytes } from 'node:crypto';
import { withQuestions } from '../../proof/canaries/questions.ts';
import type { Judge, Round } from '../../proof/canaries/rounds.ts';
import type { CheckRun } from '../run-check.ts';
import type { ProofTree } from './proof-tree.ts';

export interface Control {
  readonly judge: Judge;
  /** The texts that were other ones. */
  readonly round: Round;
  readonly tree: ProofTree;
  readonly original: ProofTree;
  /** As the rounds ran. */
  readonly play: (round: Round, label: string, on: ProofTree) => Promise<CheckRun>;
  /** As a person runs it: a reporter may take the lines that tell what failed. */
  readonly playPlainly: (round: Round, label: string, on: ProofTree) => Promise<CheckRun>;
}

/**
 * What failed with other values passes with its own, in a place that is made in the same way, and
 * later: neither the time nor the age of a file told them apart. The same run asks the language what
 * the host knows. Only where it fails there are more runs: what can't be asked there is not asked,
 * and what does not hold on the original either is not the work's doing.
 *
 * @returns why it does not count as noticed; null where it does
 */
export async function whyNotHeld(control: Control): Promise<string | null> {
  const { judge, round, tree, original, play, playPlainly } = control;
  const { texts, data } = judge;
  const own = new Map([...texts, ...data].map(({ path, text }) => [path, text]));
  const same: Round = new Map([...round.keys()].map((path) => [path, own.get(path) ?? '']));
  const word = `gk${randomBytes(8).toString('hex')}`;
  const questions = texts.flatMap(({ path, text }): [string, string][] => {
    const asking = path === null ? null : withQuestions(path, text, word);
    return path === null || asking === null ? [] : [[path, asking]];
  });
  const asking: Round = new Map([...same, ...questions]);
  if ((await play(asking, 'control', tree)).isMet) return null;
  if (questions.length === 0) return NOT_AGAIN;
  if (!(await play(same, 'control2', tree)).isMet) return NOT_AGAIN;
  const answer = new RegExp(`${word} (\\S+)`);
  const found = answer.exec((await playPlainly(asking, 'asked', tree)).output);
  if (found === null) return null;
  const before = await playPlainly(asking, 'asked-original', original);
  return answer.test(before.output) ? null : `${BENT}: ${found[1]}`;
}

const NOT_AGAIN =
  'it does not pass where the same files are written anew with their own values, as the other values were';
const BENT = 'the work answers what its judge asks the language';
