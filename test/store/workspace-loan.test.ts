import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createCheckpointStore } from '../../src/store/workspaces/checkpoints.ts';
import { readRewinds } from '../../src/store/workspaces/rewinds.ts';
import { countLentAsWritten } from '../../src/store/workspaces/workspace-lease.ts';
import { insertWorktree } from '../../src/store/workspaces/worktrees.ts';
import {
  mutation,
  type OpenRecord,
  openRecord,
  settledCall,
  settledTurn,
  startedCall,
  WORKSPACE,
} from './record-fixture.ts';

let record: OpenRecord;
beforeAll(async () => {
  record = await openRecord();
});
afterEach(() => record.db`DELETE FROM workspace_queue`);
afterAll(() => record.close());

const writeSeqOf = async () => {
  const [row] = await record.db<{ write_seq: number }[]>`
    SELECT write_seq FROM workspace WHERE name = ${WORKSPACE}`;
  return row?.write_seq ?? 0;
};
const leaseOf = async () => {
  const [row] = await record.db<{ lease_goal_id: string | null }[]>`
    SELECT lease_goal_id FROM workspace WHERE name = ${WORKSPACE}`;
  return row?.lease_goal_id;
};

test('a loan whose attempt died while others stood in line can still be given back', async () => {
  const { execution, goalId } = await record.openTurn();
  const dead = await record.takeOver(execution);
  expect(await record.journal.borrowWorkspace(dead, WORKSPACE)).toBe(true);
  const other = await record.openTurn();
  expect(await record.journal.leaseWorkspace(other.fence, WORKSPACE)).toBe(false);
  const next = await record.takeOver(execution);
  expect(await record.journal.borrowWorkspace(next, WORKSPACE)).toBe(false);
  expect(await leaseOf()).toBe(goalId);
  await record.journal.returnWorkspace(next, WORKSPACE);
  expect(await leaseOf()).toBeNull();
});

test('what a look has written is taken down also where its goal was closed meanwhile', async () => {
  const { execution, fence, goalId } = await record.openTurn();
  await record.db`UPDATE journal SET is_open = false WHERE goal_id = ${goalId}`;
  await expect(record.journal.startCall(fence, startedCall())).rejects.toThrow();
  await record.journal.startCall(fence, startedCall(1, { hasRun: true }));
  await record.journal.settleCall(fence, settledCall(1, { wrote: true }));
  const rows = await record.db`SELECT 1 FROM ledger WHERE goal_id = ${execution.goalId}`;
  expect(rows.count).toBe(2);
});

test('a program that speaks while the host looks takes the workspace from nobody', async () => {
  const { execution, fence, goalId } = await record.openTurn();
  const wait = { action: 'wait', on: 'condition', seconds: 60, next: 'wake' } as const;
  await record.record.recordTurn(execution, settledTurn(wait));
  expect(await record.journal.borrowWorkspace(fence, WORKSPACE)).toBe(true);
  const said = mutation({ kind: 'message', delivery: 'pause' }, { role: 'agent' });
  await record.record.commitMutation(execution, said, goalId);
  expect(await leaseOf()).toBe(goalId);
  await record.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
  expect(await leaseOf()).toBeNull();
});

test('what a look wrote that died counts as written, for the next look and for whoever ends the wait', async () => {
  const { execution, fence, goalId } = await record.openTurn();
  const wait = { action: 'wait', on: 'condition', seconds: 60, next: 'wake' } as const;
  await record.record.recordTurn(execution, settledTurn(wait));
  const before = await writeSeqOf();
  const look = async (as = fence) => {
    await record.journal.borrowWorkspace(as, WORKSPACE);
    return await writeSeqOf();
  };
  expect(await look()).toBe(before);
  const next = await record.takeOver(execution);
  expect(await look(next)).toBe(before + 1);
  await record.journal.returnWorkspace(next, WORKSPACE);
  expect(await look(next)).toBe(before + 1);
  await record.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
  expect(await writeSeqOf()).toBe(before + 2);
});

test('a wait whose looks came to their end counts nothing', async () => {
  const { execution, fence, goalId } = await record.openTurn();
  const wait = { action: 'wait', on: 'condition', seconds: 60, next: 'wake' } as const;
  await record.record.recordTurn(execution, settledTurn(wait));
  const before = await writeSeqOf();
  await record.journal.borrowWorkspace(fence, WORKSPACE);
  await record.journal.returnWorkspace(fence, WORKSPACE);
  await record.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
  expect(await writeSeqOf()).toBe(before);
});

test('a rewind that waits tells what others wrote from what its own goal wrote', async () => {
  const { execution, fence, goalId } = await record.openTurn();
  const checkpoints = createCheckpointStore(record.store, noKeys);
  const found = { commit: 'c', changed: 1, leftOut: [], unread: ['a'] };
  const kept = await checkpoints.keep(
    fence,
    { ...found, name: 't0', turn: 0, kind: 'turn' },
    false,
  );
  expect(kept).toMatchObject({ leftOut: [], unread: ['a'] });
  const wait = { action: 'wait', on: 'condition', seconds: 60, next: 'wake' } as const;
  await record.record.recordTurn(execution, settledTurn(wait));
  // While the host looks for it, which counts as written when the wait ends.
  await record.journal.borrowWorkspace(fence, WORKSPACE);
  const before = await writeSeqOf();
  const order = mutation({ kind: 'rewind', to: { turn: 0 } });
  await record.record.commitMutation(execution, order, goalId);
  expect(await writeSeqOf()).toBe(before + 1);
  const pending = async () => (await checkpoints.pendingRewind(goalId))?.haveOthersWritten;
  await record.journal.startCall(fence, startedCall(1, { hasRun: true }));
  await record.journal.settleCall(fence, settledCall(1, { wrote: true }));
  await record.db.begin((tx) => countLentAsWritten(tx, goalId, WORKSPACE));
  expect(await writeSeqOf()).toBe(before + 3);
  expect(await pending()).toBe(false);
  await record.db`UPDATE workspace SET write_seq = write_seq + 1 WHERE name = ${WORKSPACE}`;
  expect(await pending()).toBe(true);
  // Ordered again by somebody who knows what is there now.
  const again = mutation({ kind: 'rewind', to: { turn: 0 } });
  await record.record.commitMutation(execution, again, goalId);
  expect(await pending()).toBe(false);
  expect(await readRewinds(record.db, goalId)).toMatchObject([
    { number: 1, state: 'failed', code: 'replaced' },
    { number: 2, state: 'begun' },
  ]);
  // Without its workspace nobody carries it out; to pause it again takes no workspace away.
  await record.record.commitMutation(
    execution,
    mutation({ kind: 'resume', acknowledge: false }),
    goalId,
  );
  await record.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
  expect(await leaseOf()).toBe(goalId);
  await record.db`UPDATE workspace SET lease_goal_id = NULL WHERE name = ${WORKSPACE}`;
  expect(await pending()).toBeUndefined();
});

test('a repository that git changes on its way is the origin of no worktree, also of a delegate', async () => {
  const odd = { path: '/odd', host: 'here', marker: 'odd' };
  const named = async (worktreeProblem: 'filters' | null) => {
    const tree = { ...odd, name: 'odd', isRepository: true, worktreeProblem };
    await record.intake.registerWorkspace(tree);
    return await record.db.begin((tx) => insertWorktree(tx, noKeys, 'g-odd', 'odd'));
  };
  expect(await named('filters')).toBeNull();
  expect(await named(null)).toBe('worktree-g-odd');
});

test('a rewind is refused while another goal works in the workspace, and nothing is ordered', async () => {
  const { execution, fence, goalId } = await record.openTurn();
  const found = { commit: 'c', changed: 1, leftOut: [], unread: [] };
  const first = { ...found, name: 't0', turn: 0, kind: 'turn' } as const;
  await createCheckpointStore(record.store, noKeys).keep(fence, first, false);
  const wait = { action: 'wait', on: 'condition', seconds: 60, next: 'wake' } as const;
  await record.record.recordTurn(execution, settledTurn(wait));
  const other = await record.openTurn();
  await record.journal.leaseWorkspace(other.fence, WORKSPACE);
  const order = mutation({ kind: 'rewind', to: { turn: 0 } });
  await expect(record.record.commitMutation(execution, order, goalId)).rejects.toThrow(
    'works in the workspace',
  );
  expect(await leaseOf()).toBe(other.goalId);
  expect(await readRewinds(record.db, goalId)).toEqual([]);
  await record.db`UPDATE workspace SET lease_goal_id = NULL WHERE name = ${WORKSPACE}`;
});

test('a goal that is cleared while the host looks keeps the workspace from nobody', async () => {
  const { execution, fence, goalId } = await record.openTurn();
  const wait = { action: 'wait', on: 'condition', seconds: 60, next: 'wake' } as const;
  await record.record.recordTurn(execution, settledTurn(wait));
  await record.journal.borrowWorkspace(fence, WORKSPACE);
  await record.record.commitMutation(execution, mutation({ kind: 'clear' }), goalId);
  expect(await leaseOf()).toBeNull();
});
