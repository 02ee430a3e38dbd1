import { Refusal } from '../../contract/failures.ts';
import type { RewindTo } from '../../contract/mutation.ts';
import { withoutLineEnds } from '../foreign-text.ts';

interface Named {
  readonly name: string;
  readonly turn: number;
  readonly kind: 'turn' | 'before_rewind' | 'after_rewind';
}

/**
 * The checkpoint that has the state after a turn: its own, or the newest one until then, because a
 * turn that wrote nothing has none. What stood before a rewind belongs to no turn.
 *
 * @param checkpoints oldest first
 */
export function checkpointAt<Checkpoint extends Named>(
  checkpoints: readonly Checkpoint[],
  turn: number,
): Checkpoint | null {
  const lasting = checkpoints.filter(({ kind }) => kind !== 'before_rewind');
  const own = lasting.find((one) => one.kind === 'turn' && one.turn === turn);
  return own ?? lasting.findLast((one) => one.turn <= turn) ?? null;
}

/**
 * @param checkpoints oldest first
 * @throws Refusal
 */
export function rewindTarget<Checkpoint extends Named>(
  checkpoints: readonly Checkpoint[],
  { to }: RewindTo,
): Checkpoint {
  const found =
    to === 'before_rewind'
      ? checkpoints.findLast(({ kind }) => kind === 'before_rewind')
      : checkpointAt(checkpoints, to.turn);
  if (found !== undefined && found !== null) return found;
  if (to !== 'before_rewind') throw noCheckpoint(checkpoints, to.turn);
  const why = 'Nothing was rewound, so there is nothing to take back';
  throw new Refusal('not_found', why, { turns: turnsOf(checkpoints) });
}

/** Why none has the state after a turn. */
export const noCheckpointText = (turn: number): string =>
  `has no checkpoint of turn ${turn}: it wrote nothing until then, or none could be made of what it wrote`;

export const noCheckpoint = (checkpoints: readonly Named[], turn: number): Refusal =>
  new Refusal('not_found', `The goal ${noCheckpointText(turn)}`, { turns: turnsOf(checkpoints) });

const turnsOf = (checkpoints: readonly Named[]): number[] =>
  checkpoints.filter(({ kind }) => kind === 'turn').map(({ turn }) => turn);

interface Told {
  readonly by: string;
  readonly target: Named;
  readonly changed: number;
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

const SHOWN_PATHS = 20;

/** The message to the model with its next turn; paths are data, one line each. */
export function rewoundText({ by, target, changed, left }: Told): string {
  const state =
    target.kind === 'turn'
      ? `the state after turn ${target.turn}`
      : 'what they were at another time';
  const kept = left.slice(0, SHOWN_PATHS).map(({ path, why }) => `- ${oneLine(path)}: ${why}`);
  return [
    `A person (${oneLine(by)}) has taken the files of the workspace and your todo list back to ${state}: ${changed} files changed.`,
    'What you did and saw since then is undone: look at the files again before you build on them, and run checks again before you cite them.',
    ...(kept.length === 0 ? [] : ['These files are not as they were then:', ...kept]),
  ].join('\n');
}

/**
 * Ordered for files that are others' work by now: only a person can say what is to become of it.
 */
export const OTHERS_WROTE =
  'others wrote in the workspace since it was ordered: look at the diff, and order it again if it is still wanted';

export const notRewoundText = (reason: string): string =>
  `A person wanted to take the workspace back to an earlier state, and that failed: ${oneLine(reason)}. Some files may be as they were then: look before you build on them.`;

const oneLine = (text: string): string => withoutLineEnds(text).slice(0, 300);
