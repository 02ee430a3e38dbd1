import { stat } from 'node:fs/promises';
import type { Checkpoints } from '../../schema/checkpoint.ts';
import type { Goal } from '../../schema/goal.ts';
import type { ChangesPort } from '../contract/changes.ts';
import type { StoredCheckpoint } from '../contract/checkpoints.ts';
import { Refusal } from '../contract/failures.ts';
import { checkpointAt } from '../record/mutation/rewind.ts';
import { diffSnapshots } from './diff.ts';
import { withPresent } from './peek.ts';
import { hasStore, storeOf } from './store.ts';
import { StoreFailed, type StorePlace } from './store-git.ts';

export interface ChangesGround {
  readonly home: string;
  /** The host of this process. */
  readonly host: string;
  readonly mask: <Value>(value: Value) => Value;
  readonly checkpoints: (goalId: string) => Promise<StoredCheckpoint[]>;
  readonly rewinds: (goalId: string) => Promise<Checkpoints['rewinds']>;
  readonly hostOf: (workspace: string) => Promise<string | null>;
}

export function createChanges(ground: ChangesGround): ChangesPort {
  return {
    async checkpoints(goalId) {
      const [stored, rewinds] = await Promise.all([
        ground.checkpoints(goalId),
        ground.rewinds(goalId),
      ]);
      const checkpoints = stored.map(({ commit: _, todoRevision: __, ...shown }) => shown);
      return ground.mask({ checkpoints, rewinds });
    },

    async diff(goal, query) {
      const { goalId } = goal;
      const all = await ground.checkpoints(goalId);
      const ends = { from: endOf(all, query.from ?? 'first'), to: endOf(all, query.to ?? 'now') };
      await assertHere(ground, goal);
      const isNow = ends.from === 'now' || ends.to === 'now';
      const show = async (place: StorePlace, present: string, leftOut: readonly string[]) => {
        const [from, to] = [ends.from, ends.to].map((end) =>
          end === 'now' ? present : end.commit,
        );
        const page = await diffSnapshots(place, from ?? '', to ?? '', query);
        const [shownFrom, shownTo] = [ends.from, ends.to].map((end) => nameOf(end));
        return { from: shownFrom ?? '', to: shownTo ?? '', ...page, leftOut: leftOut.slice(0, 20) };
      };
      const made = isNow
        ? withPresent(ground.home, goalId, goal.workspace.path, show)
        : show(storeOf(ground.home, goalId), '', []);
      return ground.mask(await made.catch(asRefusal));
    },
  };
}

type End = StoredCheckpoint | 'now';

const nameOf = (end: End): string => (end === 'now' ? end : end.name);

/** @throws Refusal */
function endOf(all: readonly StoredCheckpoint[], asked: string): End {
  if (asked === 'now') return asked;
  const found =
    asked === 'first'
      ? all[0]
      : (all.find(({ name }) => name === asked) ??
        (/^\d+$/.test(asked) ? checkpointAt(all, Number(asked)) : null));
  if (found) return found;
  const why =
    all.length === 0
      ? 'The goal has no checkpoint: it wrote nothing yet, or none could be made'
      : `There is no checkpoint ${asked}`;
  throw new Refusal('not_found', why, { checkpoints: all.map(({ name }) => name).slice(0, 100) });
}

async function assertHere(
  { home, host, hostOf }: ChangesGround,
  { goalId, workspace }: Pick<Goal, 'goalId' | 'workspace'>,
): Promise<void> {
  const own = await hostOf(workspace.name);
  if (own !== null && own !== host) {
    throw new Refusal('unsupported', `The files are on ${own}: ask an API that runs there`, {
      host: own,
    });
  }
  if (!(await hasStore(storeOf(home, goalId)))) {
    throw new Refusal(
      'not_found',
      'The checkpoints of the goal are gone: it was cleared, or is long over',
    );
  }
  if ((await stat(workspace.path).catch(() => null)) === null) {
    throw new Refusal(
      'not_found',
      `There is no folder ${workspace.path} any more: give "to" as a turn`,
    );
  }
}

function asRefusal(error: unknown): never {
  if (!(error instanceof StoreFailed)) throw error;
  throw new Refusal('not_found', `The checkpoints can't be read: ${error.message}`);
}
