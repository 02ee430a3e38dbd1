import { rmSync } from 'node:fs';
import type { Goal } from '../schema/goal.ts';
import type { Turn } from '../schema/turn.ts';
import { FILES_EACH, makeTree } from './fingerprint.ts';

import { round } from './statistics.ts';
import { openWorld } from './world.ts';

const CHECK = 'test -e dist/built || grep -q right packages/p0/src/f0/0.ts';

/** Position of each claim among the answers of the model; each ends a turn. */
const CLAIMS = [1, 3, 5];

/**
 * A goal in a repository of so many files: the look before its first write, a gate whose check
 * fails in the workspace, one whose check passes there and fails in the proof run, and one that is
 * proven. A gate's time is that between the claim and the end of its turn.
 */
export async function measureProof(files: number) {
  const path = makeTree(files / FILES_EACH);
  const world = await openWorld();
  try {
    const { goalId } = await world.client.send<Goal>('POST', '/v1/goals', {
      objective: 'bench proves 0',
      criteria: [{ kind: 'command', command: CHECK }],
      workspace: { path },
      scope: { change: ['packages/**'] },
      budget: { turns: 100 },
    });
    const goal = await world.until(goalId, ({ status }) => status !== 'active', 600_000);
    const { asked, answered } = await world.served(goalId);
    const { items } = await world.client.get<{ items: Turn[] }>(`/v1/goals/${goalId}/turns`);
    const settled = items.map(({ settledAt }) => Date.parse(settledAt ?? '')).sort((a, b) => a - b);
    const [plain, first, second] = CLAIMS.map((call, turn) =>
      round((settled[turn] ?? Number.NaN) - (answered[call] ?? Number.NaN), 0),
    );
    return {
      end: `${goal.status}, ${goal.completion?.verification ?? goal.pause?.reason}`,
      'baseline and first write, ms': round((asked[1] ?? Number.NaN) - (answered[0] ?? 0), 0),
      'plain gate, ms': plain,
      'first proof, ms': first,
      'second proof, ms': second,
      'second proof − plain gate, ms': (second ?? 0) - (plain ?? 0),
    };
  } finally {
    await world.close();
    rmSync(path, { recursive: true });
  }
}
