import { withPresent } from './peek.ts';
import type { StorePlace } from './store-git.ts';

/** A page asks for its list and then for many files: all of them see the same state. */
const KEPT_MS = 5_000;

interface Present {
  readonly place: StorePlace;
  readonly commit: string;
  readonly leftOut: readonly string[];
}

interface Held {
  readonly present: Promise<Present>;
  users: number;
  isOver: boolean;
  readonly release: () => void;
}

/** Snapshots of workspaces that several readers share for a few seconds. */
export function createHeldPresents(home: string) {
  const held = new Map<string, Held>();

  function take(goalId: string, workspace: string): Held {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const present = new Promise<Present>((resolve, reject) => {
      withPresent(home, goalId, workspace, async (place, commit, leftOut) => {
        resolve({ place, commit, leftOut });
        await released;
      }).catch(reject);
    });
    const one: Held = { present, users: 0, isOver: false, release };
    held.set(goalId, one);
    const end = () => {
      one.isOver = true;
      if (held.get(goalId) === one) held.delete(goalId);
      if (one.users === 0) one.release();
    };
    setTimeout(end, KEPT_MS).unref();
    present.catch(end);
    return one;
  }

  return {
    /** @param isFresh a state that is older than this call is not enough */
    async use<Result>(
      { goalId, workspace, isFresh }: { goalId: string; workspace: string; isFresh: boolean },
      look: (present: Present) => Promise<Result>,
    ): Promise<Result> {
      const known = isFresh ? undefined : held.get(goalId);
      const one = known ?? take(goalId, workspace);
      one.users += 1;
      try {
        return await look(await one.present);
      } finally {
        one.users -= 1;
        if (one.users === 0 && one.isOver) one.release();
      }
    },
  };
}
