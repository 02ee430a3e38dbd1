import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrapReconcilerPorts, wrapTurnPorts } from './fault-points.ts';
import { type Fault, hasStruck, nameOf } from './faults.ts';
import { assertNoOrphans, assertNothingLost } from './nothing-lost.ts';
import { bothSides, METHODS } from './points.ts';
import { openChaosWorld, seeThrough } from './scenario.ts';
import { ASKED, LIMITED, OVERLOADED, REFUSED, STEERED, UNANSWERED } from './script.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** Where work is begun, done and ended: every passage counts. */
const IMPORTANT = [
  'journal.beginStep',
  'journal.commitStep',
  'journal.startCall',
  'journal.settleCall',
  'record.recordTurn',
  'record.settleSlice',
  'workspace.runCommand',
  'workspace.writeFile',
] as const;

/** What must be so, or happen before, for a goal to pass there at all. */
const SITUATIONS: Readonly<Record<string, { moods?: string[]; before?: Fault }>> = {
  'journal.takeSteering': { moods: [STEERED] },
  'journal.failStep': { moods: [OVERLOADED] },
  'record.commitWait': { moods: [LIMITED] },
  'record.commitTransition': { moods: [REFUSED] },
  'journal.askedAbout': { moods: [ASKED] },
  'record.expire': { moods: [UNANSWERED] },
  'journal.loseStep': { before: { point: 'model.call:before', time: 3 } },
  'journal.repeatCall': { before: { point: 'workspace.writeFile:after', time: 1 } },
  'workspace.endHelper': { before: { point: 'workspace.runCommand:after', time: 2 } },
};

/** Methods that this scenario's goals don't pass, and who does. */
const NOT_PASSED: Readonly<Record<string, string>> = {
  'journal.todos': 'the list comes with the brief; the API reads it',
  'journal.decidedApprovals': 'a gate with a changed basis or an approval criterion',
  'journal.openProposals': 'a model that proposes a criterion',
  'journal.proposedScopes': 'a model that asks for a wider scope',
  'journal.proposedChanges': 'the same, and a model that disputes',
  'journal.disputes': 'a model that disputes a criterion',
  'journal.stageDispute': 'the same',
  'journal.keepAgentSession': 'goals of an agent: agents-killed.test.ts',
  'journal.sessionReports': "a person's own session",
  'journal.heardEvents': 'a wait for an event: triggers-killed.test.ts',
  'proofs.finishedGoals': 'a sweep, beside the slices',
  'record.syncDelegation': 'goals with delegates: delegates.campaign.test.ts',
  'record.endWorkspaceWait': 'goals that share a workspace: workspace-line.test.ts',
  'record.fireWait': 'goals whose model waits: timers.test.ts, with the next three',
  'journal.borrowWorkspace': 'a look by a command',
  'journal.returnWorkspace': 'the same',
  'journal.countLook': 'a look at anything',
  'model.assertUsable': 'the API, before it accepts a goal',
  'journal.commitCompaction': 'goals with a long conversation: compaction-killed.test.ts',
  'journal.recall': 'a model that reads again what is no longer shown',
  'workspace.placeEntry': 'a rewind: rewind-killed.test.ts, with the next three',
  'checkpoints.pendingRewind': 'the same',
  'checkpoints.todosAt': 'the same',
  'checkpoints.endRewind': 'the same',
  'checkpoints.list': 'before a rewind is ordered',
  'checkpoints.tellFailed': 'a workspace that is too large',
  'checkpoints.forgotten': 'a sweep, beside the slices',
};

/** Goals share a worker: what its other deaths cut off may be the passage that one waits for. */
const MOST_GOALS = 3;

const OF_SLICES = METHODS.filter((name) =>
  /^(journal|record|proofs|checkpoints|model|workspace)\./.test(name),
);

const world = await openChaosWorld();
const passages = await countPassages();
const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
const outcomes: string[] = [];
let worker: SupervisedWorker;

beforeAll(async () => {
  worker = await superviseWorker(world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
  console.log(outcomes.toSorted().join('\n'));
});

/** How often a goal passes each point when nothing goes wrong. */
async function countPassages(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const visit = (point: string) => void counts.set(point, (counts.get(point) ?? 0) + 1);
  const calm = await world.startWorker(
    (ports) => wrapTurnPorts(ports, { visit }),
    (ports) => wrapReconcilerPorts(ports, { visit }),
  );
  const goal = await world.startChaos();
  await seeThrough(world, goal.goalId);
  calm.stop();
  await calm.done;
  await assertNothingLost(world, goal);
  return counts;
}

/** Each point once, and the important ones as often as a goal passes them. */
function faults(): Fault[] {
  const reached = OF_SLICES.filter((name) => !(name in NOT_PASSED));
  return bothSides(reached).flatMap((point) => {
    const isImportant = IMPORTANT.some((name) => point.startsWith(`${name}:`));
    const times = isImportant ? (passages.get(point) ?? 0) : 1;
    return Array.from({ length: times }, (_, index) => ({ point, time: index + 1 }));
  });
}

test('a calm goal passes every method of every port, but for those with a reason', () => {
  const calmly = OF_SLICES.filter((name) => !(name in NOT_PASSED) && !(name in SITUATIONS));
  expect(calmly.filter((name) => !passages.has(`${name}:after`))).toEqual([]);
  expect(Object.keys(NOT_PASSED).filter((name) => passages.has(`${name}:before`))).toEqual([]);
  expect([...passages.keys()].filter((point) => !bothSides(METHODS).includes(point))).toEqual([]);
});

for (const fault of faults()) {
  test.concurrent(`a worker killed at ${nameOf(fault)} loses and doubles nothing`, async () => {
    const { moods, before } = SITUATIONS[fault.point.split(':')[0] ?? ''] ?? {};
    let wasKilled = false;
    for (let goals = 0; goals < MOST_GOALS && !wasKilled; goals += 1) {
      const goal = await world.startChaos(moods, before === undefined ? [fault] : [before, fault]);
      await seeThrough(world, goal.goalId, 300_000);
      wasKilled = hasStruck(folder, goal.goalId, fault);
      await assertNothingLost(world, goal);
    }
    outcomes.push(`${nameOf(fault).padEnd(36)} ${wasKilled ? 'killed, complete' : 'not passed'}`);
    expect(wasKilled).toBe(true);
  });
}

test('no helper of any of those attempts is alive', async () => {
  await worker.stop();
  await assertNoOrphans(world);
});
