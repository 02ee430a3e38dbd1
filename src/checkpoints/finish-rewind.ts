import type { Rewind } from '../../schema/checkpoint.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { PendingRewind } from '../contract/checkpoints.ts';
import { Superseded } from '../contract/failures.ts';
import type { JournalPort } from '../contract/journal.ts';
import { notRewoundText, OTHERS_WROTE, rewoundText } from '../record/mutation/rewind.ts';
import { EffectsLost } from '../workspace/helper/errors.ts';
import { editedMeanwhile, keepBefore } from './keep-before.ts';
import { restoreTree } from './restore.ts';
import type { RewindPorts } from './rewind-ports.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { storeOf } from './store.ts';
import { readTree } from './tree.ts';

/** More paths than these are counted, not named. */
const NAMED_PATHS = 2000;

/** The outcome for the files. */
interface Done {
  readonly changed: number;
  readonly left: NonNullable<Rewind['left']>;
  /** Null if it is unknown. */
  readonly after: Snapshot | null;
}

interface Failed {
  readonly reason: string;
  readonly code: NonNullable<Rewind['code']>;
}

/**
 * Carries out the rewind that a person ordered, unless it is done. The present files are kept
 * first. An interrupted rewind is continued by the next try, because every part is idempotent.
 */
export async function finishRewind(
  ports: RewindPorts,
  goalId: string,
  attempt: Attempt,
): Promise<void> {
  const pending = await ports.checkpoints.pendingRewind(goalId);
  if (pending === null) return;
  const { number, by, target, turn, settled } = pending;
  const call = { callId: `rewind.${number}`, turn, step: 0, tool: 'rewind' } as const;
  const args = { checkpoint: target.name, turn: target.turn, by };
  const write = { ...call, effect: 'write' } as const;
  const { fence } = attempt;
  await ports.journal.startCall(fence, { ...write, arguments: args, hasRun: true });
  const done =
    settled === null
      ? await restoreAndSettle(ports, attempt, pending, write)
      : await settledBefore(ports, goalId, pending, settled);
  await conclude(ports, attempt, pending, done);
}

type Write = Pick<
  Parameters<JournalPort['settleCall']>[1],
  'callId' | 'turn' | 'step' | 'tool' | 'effect'
>;

async function restoreAndSettle(
  ports: RewindPorts,
  attempt: Attempt,
  pending: PendingRewind,
  write: Write,
): Promise<Done | Failed> {
  const { by, target } = pending;
  const { fence } = attempt;
  const found = await restore(ports, attempt, pending);
  const rewind = { by, checkpoint: target.name };
  const own = { ...write, providerId: null, wrote: true };
  if ('reason' in found) {
    const receipt = { origin: 'person', rewind, reason: found.reason } as const;
    const { reason: text } = found;
    await ports.journal.settleCall(fence, { ...own, outcome: 'failed', receipt, text });
    return found;
  }
  const { paths, ...done } = found;
  const { changed, left } = done;
  await ports.journal.settleCall(fence, {
    ...own,
    outcome: 'succeeded',
    receipt: {
      origin: 'person',
      rewind: { ...rewind, changed, left },
      writes: paths.slice(0, NAMED_PATHS),
    },
    text: rewoundText({ by, target, changed, left }),
    todos: await ports.checkpoints.todosAt(fence.goalId, target.todoRevision),
  });
  return done;
}

/** An earlier try restored the files, so later changes are people's own. */
async function settledBefore(
  { home, journal }: RewindPorts,
  goalId: string,
  { target }: PendingRewind,
  { outcome, receipt }: NonNullable<PendingRewind['settled']>,
): Promise<Done | Failed> {
  if (outcome !== 'succeeded') return { reason: receipt.reason ?? 'it failed', code: 'failed' };
  const place = storeOf(home, goalId);
  const { workspace } = await journal.brief(goalId);
  const after = await readTree(place, target.commit)
    .then((then) => takeSnapshot(place, workspace.path, then.entries.keys()))
    .catch(orNobodyKnows(null));
  const { changed = receipt.writes?.length ?? 0, left = [] } = receipt.rewind ?? {};
  return { changed, left, after };
}

async function conclude(
  ports: RewindPorts,
  { fence }: Attempt,
  { number, by, target, turn }: PendingRewind,
  done: Done | Failed,
): Promise<void> {
  const { checkpoints } = ports;
  const edited = await editedMeanwhile(ports, fence.goalId, number).catch(orNobodyKnows([]));
  const also = edited.length === 0 ? {} : { edited };
  if ('reason' in done) {
    const end = { number, state: 'failed', ...done, ...also } as const;
    return await checkpoints.endRewind(fence, end, notRewoundText(done.reason));
  }
  const { changed, left, after } = done;
  if (after !== null) {
    const named = { ...after, name: `a${number}`, turn, kind: 'after_rewind' } as const;
    await checkpoints.keep(fence, named, false);
  }
  const end = { number, state: 'done', changed, left, ...also } as const;
  await checkpoints.endRewind(fence, end, rewoundText({ by, target, changed, left }));
}

/** Returns a reason if a retry would fail the same way. */
async function restore(
  ports: RewindPorts,
  { fence, effects }: Attempt,
  pending: PendingRewind,
): Promise<(Done & { readonly paths: readonly string[] }) | Failed> {
  if (pending.haveOthersWritten) return { reason: OTHERS_WROTE, code: 'others_wrote' };
  const place = storeOf(ports.home, fence.goalId);
  const { workspace } = await ports.journal.brief(fence.goalId);
  try {
    const { present, before } = await keepBefore(ports, fence, workspace.path, pending);
    const tree = { place, workspace: workspace.path, effects };
    const target = pending.target.commit;
    const { changed, left, after } = await restoreTree({ ...tree, target, present, before });
    return { paths: changed, changed: changed.length, left, after };
  } catch (error) {
    if (isOver(error)) throw error;
    return { reason: (error as Error).message.slice(0, 500), code: 'failed' };
  }
}

/** The attempt lost its helper, its lease or the database; a later attempt goes on. */
const isOver = (error: unknown): boolean =>
  error instanceof EffectsLost ||
  error instanceof Superseded ||
  (error as Error).name === 'DatabaseUnavailable';

function orNobodyKnows<Instead>(instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (isOver(error)) throw error;
    return instead;
  };
}
