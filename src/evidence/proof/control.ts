import { randomBytes } from 'node:crypto';
import { isSameFailure } from '../../proof/canaries/own-words.ts';
import { withQuestions } from '../../proof/canaries/questions.ts';
import type { Judge, Round } from '../../proof/canaries/rounds.ts';
import type { CheckRun } from '../run-check.ts';
import type { OwnWords } from './own-words.ts';
import type { ProofTree } from './proof-tree.ts';

export interface Control {
  readonly judge: Judge;
  /** The texts that were other ones. */
  readonly round: Round;
  readonly tree: ProofTree;
  readonly original: ProofTree;
  /** What the check printed as it failed there; null where it held. */
  readonly failed: string | null;
  readonly own: OwnWords | null;
  /** As the rounds ran. */
  readonly play: (round: Round, label: string, on: ProofTree) => Promise<CheckRun>;
  /** As a person runs it: a reporter may take the lines that tell what failed. */
  readonly playPlainly: (round: Round, label: string, on: ProofTree) => Promise<CheckRun>;
}

/**
 * What failed with other values passes with its own, in a place that is made in the same way, and
 * later: neither the time nor the age of a file told them apart. The same run asks the language what
 * the host knows, and has other names for the judge's own words. Only where it fails there are more
 * runs: what can't be asked there is not asked, and what does not hold on the original either is not
 * the work's doing.
 *
 * @returns why it does not count as noticed; null where it does
 */
export async function whyNotHeld(control: Control): Promise<string | null> {
  const { judge, round, tree, original, play, playPlainly, own } = control;
  const texts = new Map([...judge.texts, ...judge.data].map(({ path, text }) => [path, text]));
  const same: Round = new Map([...round.keys()].map((path) => [path, texts.get(path) ?? '']));
  const word = `gk${randomBytes(8).toString('hex')}`;
  const withAsked = (round: Round): Round => withQuestionsOf(judge, round, word);
  const asking = withAsked(same);
  const renamed = withOtherNames(same, own);
  const whole = withAsked(renamed);
  if ((await play(whole, 'control', tree)).isMet) return null;
  const isAsking =
    asking.size > same.size || [...asking].some(([path, text]) => same.get(path) !== text);
  if (!isAsking && own === null) return NOT_AGAIN;
  if (!(await play(same, 'control2', tree)).isMet) return NOT_AGAIN;
  if (isAsking) {
    const answer = new RegExp(`${word} (\\S+)`);
    const found = answer.exec((await playPlainly(asking, 'asked', tree)).output);
    const before = found && (await playPlainly(asking, 'asked-original', original));
    if (before && !answer.test(before.output)) return `${BENT}: ${found?.[1]}`;
  }
  return own !== null && (await leansOnNames(control, renamed, own)) ? TAKEN : null;
}

function withQuestionsOf({ texts }: Judge, round: Round, word: string): Round {
  const questions = texts.flatMap(({ path, text }): [string, string][] => {
    const asking = path === null ? null : withQuestions(path, round.get(path) ?? text, word);
    return path === null || asking === null ? [] : [[path, asking]];
  });
  return new Map([...round, ...questions]);
}

function withOtherNames(round: Round, own: OwnWords | null): Round {
  if (own === null) return round;
  const texts = new Map<string | null, string>([...own.texts, ...round]);
  return new Map([...texts].map(([path, text]) => [path, path === null ? text : own.rename(text)]));
}

/** It fails where the judge's own words have other names, and the original fails as it did before. */
async function leansOnNames(
  { tree, original, failed, playPlainly }: Control,
  renamed: Round,
  { undo }: OwnWords,
): Promise<boolean> {
  if ((await playPlainly(renamed, 'renamed', tree)).isMet) return false;
  const before = await playPlainly(renamed, 'renamed-original', original);
  return failed === null
    ? before.isMet
    : !before.isMet && isSameFailure(undo(before.output), failed);
}

const NOT_AGAIN =
  'it does not pass where the same files are written anew with their own values, as the other values were';
const TAKEN =
  'it fails where words that its judge defines have other names: the work has taken one';
const BENT = 'the work answers what its judge asks the language';
