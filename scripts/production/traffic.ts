import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.ts';
import { prepare, type Work, wantedOf } from './work.ts';

/** A goal that was begun. */
export interface Going extends Work {
  readonly goalId: string;
}

export interface Lane {
  readonly workspace: string;
  readonly folder: string;
}

export interface Traffic {
  /** Goals that are over and proven, in these workspaces or in all. */
  proven(workspaces?: readonly string[]): number;
  /** Until so many more are. @returns after how many seconds */
  untilMore(count: number, workspaces?: readonly string[]): Promise<number>;
  /** Begins no more, and waits for those that are under way. */
  stop(): Promise<void>;
}

/** Longer than a pool of a dead machine takes to be taken, and a task of its to be given out again. */
const PATIENCE_MS = 240_000;
const LOOK_EVERY_MS = 250;
const ACCEPTED = { result: 'A person looked at it.' };

export interface Goals {
  readonly all: readonly Going[];
  /** Their original was kept on a machine that is gone, so nothing can be proven of them any more. */
  readonly unprovable: ReadonlySet<string>;
  /** Those that are under way there are of these from now on. */
  loseOriginals(workspaces: readonly string[]): void;
  begin(lane: Lane, isWaiting?: boolean): Promise<Going>;
  /** A person accepts what can't be proven, once asked. @throws when it ends otherwise, or not at all */
  untilProven(goal: Going): Promise<void>;
  /** Goals follow each other in each workspace until they are told to stop. */
  follow(lanes: readonly Lane[]): Traffic;
}

export function goalsOf({ ask }: Service): Goals {
  const all: Going[] = [];
  const unprovable = new Set<string>();
  const over = new Set<string>();
  let numbers = 0;
  const goals: Goals = {
    ...{ all, unprovable },
    loseOriginals(workspaces) {
      for (const { goalId, workspace } of all)
        if (workspaces.includes(workspace) && !over.has(goalId)) unprovable.add(goalId);
    },
    async begin(lane, isWaiting = false) {
      numbers += 1;
      const work = { ...lane, number: numbers, isWaiting };
      prepare(work);
      const { goalId } = await ask('/v1/goals', wantedOf(work), randomBytes(8).toString('hex'));
      const going = { ...work, goalId };
      all.push(going);
      return going;
    },
    async untilProven({ goalId, workspace }) {
      let goal = await ask(`/v1/goals/${goalId}`);
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
        if (isAsWanted(goal, unprovable.has(goalId))) return void over.add(goalId);
        if (unprovable.has(goalId) && goal.pause?.reason === 'unverified_claim')
          await ask(`/v1/goals/${goalId}/complete`, ACCEPTED, `accept-${goalId}`);
        else if (goal.status !== 'active') break;
        await sleep(LOOK_EVERY_MS);
        goal = await ask(`/v1/goals/${goalId}`);
      }
      const { status, activity, completion } = goal;
      throw new Error(
        `${goalId} in ${workspace} is ${status}: ${JSON.stringify({ activity, completion })}`,
      );
    },
    follow: (lanes) => follow(goals, lanes),
  };
  return goals;
}

interface Ended {
  readonly status: string;
  readonly completion?: { readonly verification?: string } | null;
}

/** Proven, or accepted by a person where nothing can be proven. */
export const isAsWanted = ({ status, completion }: Ended, isUnprovable: boolean): boolean =>
  status === 'complete' &&
  (completion?.verification === 'verified' ||
    (isUnprovable && completion?.verification === 'accepted_by_person'));

function follow({ begin, untilProven }: Goals, lanes: readonly Lane[]): Traffic {
  const proven = new Map<string, number>();
  let isStopping = false;
  const run = async (lane: Lane) => {
    while (!isStopping) {
      await untilProven(await begin(lane));
      proven.set(lane.workspace, (proven.get(lane.workspace) ?? 0) + 1);
    }
  };
  const running = Promise.all(lanes.map(run));
  // Told to whoever waits next.
  running.catch(() => {});
  const everywhere = lanes.map(({ workspace }) => workspace);
  const count = (workspaces: readonly string[]) =>
    workspaces.reduce((sum, workspace) => sum + (proven.get(workspace) ?? 0), 0);
  return {
    proven: (workspaces = everywhere) => count(workspaces),
    async untilMore(more, workspaces = everywhere) {
      const begun = performance.now();
      const wanted = count(workspaces) + more;
      while (count(workspaces) < wanted) await Promise.race([sleep(100), running]);
      return (performance.now() - begun) / 1000;
    },
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
