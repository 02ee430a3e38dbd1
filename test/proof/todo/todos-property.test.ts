import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '../../../schema/ledger.ts';
import type { StepEvidence, TodoItem, TodoList } from '../../../schema/todo.ts';
import { currentStep } from '../../../src/proof/todo/todo-steps.ts';
import { applyTodoWrite, completeStep, type TodoDraft } from '../../../src/proof/todo/todos.ts';
import { loadShellParser } from '../../../src/shell/read/parse.ts';
import { makeReceipt, ranCommand, wroteFile } from '../../goal/receipts.ts';

type Call =
  | { readonly kind: 'write'; readonly todos: readonly TodoDraft[] }
  | { readonly kind: 'sign'; readonly step: string; readonly evidence: readonly StepEvidence[] };

const shell = { parse: await loadShellParser(), workspace: '/srv/space' };

/** What really happened in the goal: one check passed, one failed, one file was written. */
const rows: readonly LedgerRow[] = [
  wroteFile(2, 'src/a.ts'),
  ranCommand(4, 'npm test'),
  makeReceipt(6, 'run_command', { command: 'npm run lint', exitCode: 1 }, 'failed'),
];
const succeeded = new Set(rows.filter((row) => row.outcome === 'succeeded').map((row) => row.seq));

const content = fc.constantFrom('Parse it', 'parse  IT.', 'Test it', 'Write it', 'Ship it', 'Docs');
const id = fc.constantFrom('t1', 't2', 't3', 't4', 'x');
const draft: fc.Arbitrary<TodoDraft> = fc.record(
  {
    id,
    content,
    activeForm: fc.constantFrom('Parsing it', 'Testing it'),
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'dropped', 'done'),
    level: fc.constantFrom(0, 1, 2),
  },
  { requiredKeys: ['content', 'status'] },
);
const evidence = fc.constantFrom<StepEvidence>(
  { kind: 'verification', summary: 'green', command: 'npm test' },
  { kind: 'verification', summary: 'lies', command: 'npm run lint' },
  { kind: 'verification', summary: 'invented', command: 'make all' },
  { kind: 'diff', summary: 'written', paths: ['src/a.ts'] },
  { kind: 'files', summary: 'never touched', paths: ['src/z.ts'] },
  { kind: 'manual', summary: 'looked at it' },
  { kind: 'manual', summary: ' ' },
);
/** Stands for the item whose turn it is: guessing alone would seldom come to a sign-off. */
const CURRENT = 'current';
const step = fc.oneof(
  { weight: 2, arbitrary: fc.constant(CURRENT) },
  { weight: 1, arbitrary: fc.oneof(content, id, fc.constantFrom('1', '2', '#3', 'it', '')) },
);
const passing = fc.constant<StepEvidence[]>([
  { kind: 'verification', summary: 'green', command: 'npm test' },
]);
const cited = fc.oneof(passing, fc.array(evidence, { maxLength: 3 }));
/** As a model that means well writes it: each item once, one of them in progress. */
const fair = fc
  .tuple(fc.uniqueArray(content, { minLength: 1 }), fc.nat(5), fc.array(fc.constantFrom(0, 1)))
  .map(([contents, current, levels]) =>
    contents.map(
      (text, at): TodoDraft => ({
        content: text,
        status: at === current % contents.length ? 'in_progress' : 'pending',
        level: levels[at],
      }),
    ),
  );
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      todos: fc.oneof({ weight: 3, arbitrary: fair }, fc.array(draft, { maxLength: 6 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('sign' as const),
      step,
      evidence: cited,
    }),
  },
);
const calls = fc.array(call, { minLength: 3, maxLength: 25, size: 'medium' });

const carryOut = (list: TodoList, made: Call) =>
  made.kind === 'write'
    ? applyTodoWrite(list, made.todos)
    : completeStep(
        list,
        { step: stepOf(list, made.step), result: 'r', evidence: made.evidence },
        rows,
        shell,
      );

const stepOf = (list: TodoList, step: string) =>
  step === CURRENT ? (currentStep(list.items)?.id ?? '') : step;

/** Every list on the way, with the call that led there. */
function* follow(made: readonly Call[]) {
  let list: TodoList = { revision: 0, items: [] };
  for (const one of made) {
    const change = carryOut(list, one);
    const next = change.ok ? { revision: list.revision + 1, items: change.items } : list;
    yield { before: list, call: one, after: next, isTaken: change.ok };
    list = next;
  }
}

const completed = (list: TodoList) => list.items.filter(({ status }) => status === 'completed');
const check = (property: (made: readonly Call[]) => void) =>
  fc.assert(fc.property(calls, property), { numRuns: 600 });

const isBacked = (item: TodoItem) =>
  item.isVerified === true
    ? item.receipts.length > 0 && item.receipts.every((seq) => succeeded.has(seq))
    : item.isVerified === false;

describe('whatever a model calls', () => {
  it('an item is completed only by a sign-off with receipts, or marked as unverified (R5, R22, R33)', () => {
    let signed = 0;
    check((made) => {
      for (const { before, after, call } of follow(made)) {
        const known = new Set(completed(before).map((item) => item.id));
        const fresh = completed(after).filter((item) => !known.has(item.id));
        expect(fresh.length).toBeLessThanOrEqual(call.kind === 'sign' ? 1 : 0);
        expect(fresh.every(isBacked)).toBe(true);
        signed += fresh.length;
      }
    });
    expect(signed).toBeGreaterThan(200);
  });

  it('at most one item is in progress; only that is signed off, and exactly the next follows (R19, R24, R26)', () => {
    check((made) => {
      for (const { before, after, call, isTaken } of follow(made)) {
        const started = after.items.filter(({ status }) => status === 'in_progress').length;
        const isOver = after.items.every(({ status }) => /completed|dropped/.test(status));
        expect(started).toBeLessThanOrEqual(1);
        if (call.kind !== 'sign' || !isTaken) continue;
        expect(started).toBe(isOver ? 0 : 1);
        const signed = after.items.find(({ id }) => id === currentStep(before.items)?.id);
        expect(signed?.status).toBe('completed');
      }
    });
  });

  it('no item is lost but by an empty write, and ids stay unique (R18, R27)', () => {
    check((made) => {
      for (const { before, after, call } of follow(made)) {
        const ids = after.items.map((item) => item.id);
        expect(new Set(ids).size).toBe(ids.length);
        const isClear = call.kind === 'write' && call.todos.length === 0;
        if (!isClear)
          expect(ids).toEqual(expect.arrayContaining(before.items.map((one) => one.id)));
      }
    });
  });

  it('a completed item stays as it was signed off', () => {
    check((made) => {
      for (const { before, after, call } of follow(made)) {
        if (call.kind === 'write' && call.todos.length === 0) continue;
        expect(completed(after)).toEqual(expect.arrayContaining(completed(before)));
      }
    });
  });

  it('replaying what was taken gives the identical list (R16, R27, R42)', () => {
    check((made) => {
      const passed = [...follow(made)];
      const last = passed.at(-1)?.after ?? { revision: 0, items: [] };
      const taken = passed.filter(({ isTaken }) => isTaken).map((one) => one.call);
      const again = [...follow(taken)].at(-1)?.after ?? { revision: 0, items: [] };
      expect(again).toEqual(last);
      expect(JSON.parse(JSON.stringify(again))).toEqual(last);
    });
  });

  it('a phase is never signed off before its sub-steps (R21)', () => {
    check((made) => {
      for (const { before, after, call, isTaken } of follow(made)) {
        if (call.kind !== 'sign' || !isTaken) continue;
        const fresh = after.items.findIndex(
          (item, at) => item.status === 'completed' && before.items[at]?.status !== 'completed',
        );
        const phase = after.items[fresh];
        if (phase?.level !== 0) continue;
        const behind = after.items.slice(fresh + 1);
        const end = behind.findIndex((item) => item.level === 0);
        const steps = end < 0 ? behind : behind.slice(0, end);
        expect(steps.filter(({ status }) => !/completed|dropped/.test(status))).toEqual([]);
      }
    });
  });
});
