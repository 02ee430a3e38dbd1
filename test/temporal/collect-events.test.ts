import { expect, test } from 'vitest';
import type { HistoriesPort, SeenEvent } from '../../src/contract/histories.ts';
import { collectEvents } from '../../src/temporal/collect-events.ts';
import { HistoryAway, HistoryExpired } from '../../src/temporal/histories.ts';

const at = '2026-01-01T00:00:00.000Z';
const run = (number: number, firstTurn: number) => ({
  number,
  epoch: 1,
  runId: `run-${number}`,
  firstTurn,
  openedAt: at,
});

const plain = { at, about: '', turn: null, activity: null, scheduledBy: null };

/** `turns[i]` names the turn of the i-th activity of the run; each is scheduled and completed. */
function eventsOf(turns: readonly number[]): SeenEvent[] {
  const first: SeenEvent = { ...plain, eventId: 1, type: 'WorkflowExecutionStarted' };
  const activities = turns.flatMap((turn, index): SeenEvent[] => {
    const eventId = index * 3 + 2;
    return [
      { ...plain, eventId, type: 'ActivityTaskScheduled', turn, activity: 'runTurn' },
      { ...plain, eventId: eventId + 1, type: 'WorkflowTaskStarted' },
      { ...plain, eventId: eventId + 2, type: 'ActivityTaskCompleted', scheduledBy: eventId },
    ];
  });
  return [first, ...activities];
}

function histories(runs: Readonly<Record<string, SeenEvent[] | Error>>) {
  let pages = 0;
  const port: HistoriesPort = {
    async *backwards({ runId }) {
      const told = runs[runId] ?? new HistoryExpired(runId);
      if (told instanceof Error) throw told;
      const newestFirst = told.toReversed();
      for (let start = 0; start < newestFirst.length; start += 4) {
        pages += 1;
        yield newestFirst.slice(start, start + 4);
      }
    },
  };
  return { port, pages: () => pages };
}

const all = { lowest: 0, before: 100, hasTasks: false };
const idsOf = (byTurn: ReadonlyMap<number, readonly { run: number; eventId: number }[]>) =>
  Object.fromEntries(
    [...byTurn]
      .sort(([left], [right]) => left - right)
      .map(([turn, events]) => [turn, events.map(({ run, eventId }) => `${run}.${eventId}`)]),
  );

test('events lie with the turn that was named before them, across continue-as-new runs', async () => {
  const { port } = histories({ 'run-1': eventsOf([1, 2]), 'run-2': eventsOf([2, 3]) });
  const { byTurn, state } = await collectEvents(port, 'g', [run(1, 1), run(2, 2)], all);
  expect(idsOf(byTurn)).toEqual({
    0: ['1.1'],
    1: ['1.2', '1.4', '2.1'],
    2: ['1.5', '1.7', '2.2', '2.4'],
    3: ['2.5', '2.7'],
  });
  expect(byTurn.get(3)?.map(({ about }) => about)).toEqual(['runTurn', 'runTurn']);
  expect(state).toBe('kept');
});

test('workflow tasks come when they are asked for', async () => {
  const { port } = histories({ 'run-1': eventsOf([1]) });
  const { byTurn } = await collectEvents(port, 'g', [run(1, 1)], { ...all, hasTasks: true });
  expect(idsOf(byTurn)).toEqual({ 0: ['1.1'], 1: ['1.2', '1.3', '1.4'] });
});

test('only as much is read as the turns need, from the end, and no older run', async () => {
  const many = Array.from({ length: 40 }, (_, index) => index + 11);
  const { port, pages } = histories({ 'run-1': eventsOf([10]), 'run-2': eventsOf(many) });
  const runs = [run(1, 1), run(2, 11)];
  const { byTurn, kept } = await collectEvents(port, 'g', runs, { ...all, lowest: 49 });
  expect(Object.keys(idsOf(byTurn))).toEqual(['49', '50']);
  expect(pages()).toBeLessThan(4);
  expect([...kept]).toEqual([[2, true]]);
  const older = await collectEvents(port, 'g', runs, { ...all, lowest: 20, before: 22 });
  expect(idsOf(older.byTurn)).toEqual({ 20: ['2.29', '2.31'], 21: ['2.32', '2.34'] });
});

test('a run that the server dropped takes nothing from the others', async () => {
  const { port } = histories({ 'run-2': eventsOf([3]) });
  const { byTurn, state, kept } = await collectEvents(port, 'g', [run(1, 1), run(2, 3)], all);
  expect(idsOf(byTurn)).toEqual({ 2: ['2.1'], 3: ['2.2', '2.4'] });
  const expected: typeof kept = new Map([
    [2, true],
    [1, false],
  ]);
  expect([state, kept]).toEqual(['partly', expected]);
  expect((await collectEvents(histories({}).port, 'g', [run(1, 1)], all)).state).toBe('expired');
});

test('a server that is away is said to be', async () => {
  const { port } = histories({ 'run-1': new HistoryAway('gone') });
  const { byTurn, state } = await collectEvents(port, 'g', [run(1, 1)], all);
  expect([state, byTurn.size]).toEqual(['away', 0]);
});

test('a wait with thousands of events is cut, and says so', async () => {
  const { port } = histories({ 'run-1': eventsOf([1, 2, ...Array<number>(2500).fill(3)]) });
  const { byTurn, cutAt } = await collectEvents(port, 'g', [run(1, 1)], all);
  expect([...byTurn.keys(), cutAt]).toEqual([3, 3]);
});
