import { randomBytes } from 'node:crypto';
import type { Judge } from '../../../proof/canaries/judge.ts';
import { withMark } from '../../../proof/canaries/marks.ts';
import { failingAlone } from '../../../proof/canaries/only-fails.ts';
import { isSameFailure } from '../../../proof/canaries/own-words.ts';
import { withQuestions } from '../../../proof/canaries/questions.ts';
import type { Wants } from '../../../proof/canaries/recorded/wants.ts';
import type { Round } from '../../../proof/canaries/series.ts';
import { nameOf } from '../../../proof/scope/code-files.ts';
import type { ProofTree } from '../proof-tree.ts';
import type { ChangedRun } from '../run.ts';
import type { OwnNames } from './own-words.ts';
import type { Recorded } from './recorded.ts';
import type { Hear, Play } from './runs.ts';
import { listed } from './words.ts';

export interface Control {
  readonly judge: Judge;
  /** The texts that were other ones. */
  readonly round: Round;
  readonly tree: ProofTree;
  readonly original: ProofTree;
  /** What the check printed as it failed there; null where it held. */
  readonly failed: string | null;
  readonly own: OwnNames | null;
  /** What the judge compares with, as it is without the work; null where nothing tells. */
  readonly recorded: Recorded | null;
  readonly hear: Hear;
  /** As the rounds ran. */
  readonly play: Play;
  /** As a person runs it: a reporter may take the lines that tell what failed. */
  readonly playPlainly: Play;
}

/**
 * What failed with other values passes with its own, in a place that is made in the same way, and
 * later: neither the time nor the age of a file told them apart. The same run asks the language what
 * the host knows, has other names for the judge's own words, and a comment more at the end of each
 * file: work that goes by the judge's text, byte by byte, is told by any of them. Only where it fails
 * there are more runs: what can't be asked there is not asked, and what does not hold on the original
 * either is not the work's doing.
 *
 * @returns why it does not count as noticed; null where it does
 */
export async function whyNotHeld(control: Control): Promise<string | null> {
  const { judge, round, tree, original, play, playPlainly, own, recorded, hear } = control;
  const texts = new Map([...judge.texts, ...judge.data].map(({ path, text }) => [path, text]));
  const same: Round = new Map([...round.keys()].map((path) => [path, texts.get(path) ?? '']));
  const word = `gk${randomBytes(8).toString('hex')}`;
  const withAsked = (round: Round): Round => withQuestionsOf(judge, round, word);
  const asking = withAsked(same);
  const alone = failingAloneIn(judge, same);
  const wanting: Round = new Map([...same, ...(recorded?.wants.texts ?? [])]);
  const marking = (round: Round): Round => withMarks(round, word);
  const whole = marking(withAsked(failingAloneIn(judge, own?.renames[0]?.(wanting) ?? wanting)));
  const ran: ChangedRun =
    recorded === null
      ? await play(whole, 'control', tree)
      : await hear(whole, 'control', tree, recorded.wants.file);
  const isSame = recorded === null || recorded.wants.missing(ran.heard ?? '').length === 0;
  if (ran.isMet && isSame) return null;
  const isAsking = isOther(asking, same);
  const isAlone = isOther(alone, same);
  const isMarked = isOther(marking(same), same);
  if (!isAsking && !isAlone && !isMarked && own === null && recorded === null) return NOT_AGAIN;
  if (!ran.isMet && !(await play(same, 'control2', tree)).isMet) return NOT_AGAIN;
  const changed = recorded === null ? null : await whyOtherWants(control, recorded, same);
  if (changed !== null || ran.isMet) return changed;
  if (isAlone && !(await play(alone, 'alone', tree)).isMet) return REACHED;
  if (isAsking) {
    const answer = new RegExp(`${word} (\\S+)`);
    const found = answer.exec((await playPlainly(asking, 'asked', tree)).output);
    const before = found && (await playPlainly(asking, 'asked-original', original));
    if (before && !answer.test(before.output)) return `${BENT}: ${found?.[1]}`;
  }
  if (own !== null && (await leansOnNames(control, same, own))) return TAKEN;
  return isMarked && (await leansOn(control, marking(same), 'marked')) ? KNOWN : null;
}

/**
 * What a test compares with is another one than without the work, or is never come to. What is
 * another one each time is not the work's doing, and what can't be said so with nothing of it neither.
 */
async function whyOtherWants(
  { tree, hear }: Control,
  { wants, again }: Recorded,
  same: Round,
): Promise<string | null> {
  const look = async ({ texts, file, missing }: Wants, label: string) => {
    const ran = await hear(new Map([...same, ...texts]), label, tree, file);
    return { isMet: ran.isMet, lines: missing(ran.heard ?? '') };
  };
  const first = await look(wants, 'wants');
  if (first.isMet && first.lines.length === 0) return null;
  const sure = await again();
  if (sure === null) return null;
  const { isMet, lines } = sure.isSame ? first : await look(sure.wants, 'wants2');
  if (isMet && lines.length === 0) return null;
  return isMet || (await sure.canBeSaid()) ? `${OTHER}: ${listed(lines)}` : null;
}

const withMarks = (round: Round, word: string): Round =>
  new Map(
    [...round].map(([path, text]) => [path, path === null ? text : withMark(path, text, word)]),
  );

const isOther = (one: Round, other: Round): boolean =>
  one.size > other.size || [...one].some(([path, text]) => other.get(path) !== text);

/** Where the original failed at a line that only fails, it fails there by the language alone. */
function failingAloneIn({ texts, failedAt = () => [] }: Judge, round: Round): Round {
  const failing = texts.flatMap(({ path, text }): [string, string][] => {
    if (path === null) return [];
    const before = round.get(path) ?? text;
    const now = failingAlone(path, before, failedAt(path));
    return now === before ? [] : [[path, now]];
  });
  return new Map([...round, ...failing]);
}

function withQuestionsOf({ texts }: Judge, round: Round, word: string): Round {
  const names = new Set(
    [...texts.flatMap(({ path }) => path ?? []), ...round.keys()].map((path) => nameOf(path ?? '')),
  );
  const isJudge = (path: string) => names.has(nameOf(path));
  const questions = texts.flatMap(({ path, text }): [string, string][] => {
    const asking =
      path === null ? null : withQuestions(path, round.get(path) ?? text, word, isJudge);
    return path === null || asking === null ? [] : [[path, asking]];
  });
  return new Map([...round, ...questions]);
}

/**
 * It fails where the judge's own names are other ones, and the original fails as it did before. Where
 * the original fails in another way, those names are more than names, and one kind is asked alone.
 */
async function leansOnNames(
  control: Control,
  same: Round,
  { renames, undo }: OwnNames,
): Promise<boolean> {
  for (const [at, rename] of renames.entries()) {
    const label = `renamed${at === 0 ? '' : at + 1}`;
    if (await leansOn(control, rename(same), label, undo)) return true;
  }
  return false;
}

/** It fails with these texts, and the original does as it did before. */
async function leansOn(
  { tree, original, failed, playPlainly }: Control,
  round: Round,
  label: string,
  undo = (output: string) => output,
): Promise<boolean> {
  if ((await playPlainly(round, label, tree)).isMet) return false;
  const before = await playPlainly(round, `${label}-original`, original);
  if (failed === null) return before.isMet;
  return !before.isMet && isSameFailure(undo(before.output), failed);
}

const NOT_AGAIN =
  'it does not pass where the same files are written anew with their own values, as the other values were';
const TAKEN =
  'it fails where what its judge defines has other names: the work has taken or changed it';
const KNOWN =
  'it fails where a file of its judge ends in one more comment: the work knows that file';
const OTHER = 'what its tests compare with is not the same as without the work';
const REACHED = 'it comes to a line of its judge that only fails';
const BENT = 'the work answers what its judge asks the language';
