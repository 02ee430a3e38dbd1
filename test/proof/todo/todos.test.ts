import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '../../../schema/ledger.ts';
import type { TodoItem, TodoList } from '../../../schema/todo.ts';
import {
  applyTodoWrite,
  completeStep as completeStepBy,
  type StepArguments,
  type TodoDraft,
} from '../../../src/proof/todo/todos.ts';
import { loadShellParser } from '../../../src/shell/read/parse.ts';
import { ranCommand } from '../../goal/receipts.ts';

const shell = { parse: await loadShellParser(), workspace: '/srv/space' };
const completeStep = (list: TodoList, args: StepArguments, receipts: readonly LedgerRow[]) =>
  completeStepBy(list, args, receipts, shell);
const rows = [ranCommand(5, 'npm test')];
const evidence = [{ kind: 'verification', summary: 'green', command: 'npm test' }] as const;
const empty: TodoList = { revision: 0, items: [] };

function write(list: TodoList, todos: readonly TodoDraft[]): TodoList {
  const change = applyTodoWrite(list, todos);
  if (!change.ok) throw new Error(change.reason);
  return { revision: list.revision + 1, items: change.items };
}

function sign(list: TodoList, step: string): TodoList {
  const change = completeStep(list, { step, result: 'done', evidence }, rows);
  if (!change.ok) throw new Error(change.reason);
  return { revision: list.revision + 1, items: change.items };
}

const reasonOf = (change: { ok: true } | { ok: false; reason: string }) =>
  change.ok ? 'accepted' : change.reason;
const trySign = (list: TodoList, step: string) =>
  reasonOf(completeStep(list, { step, result: 'done', evidence }, rows));
const statuses = (list: TodoList) => list.items.map((item: TodoItem) => item.status);

const plan = write(empty, [
  { content: 'Write the parser', activeForm: 'Writing the parser', status: 'in_progress' },
  { content: 'Add tests', status: 'pending' },
  { content: 'Update the docs', status: 'pending' },
]);
const drafts: TodoDraft[] = plan.items.map(({ id, content, status }) => ({ id, content, status }));

describe('todo_write', () => {
  it('refuses an item that it newly completes (R22)', () => {
    const todos = [{ ...drafts[0], content: 'Write the parser', status: 'completed' }];
    expect(reasonOf(applyTodoWrite(plan, todos))).toContain('complete_step');
  });

  it('refuses a batch of five completions with the count (R25)', () => {
    const todos = [1, 2, 3, 4, 5].map((n) => ({ content: `item ${n}`, status: 'completed' }));
    expect(reasonOf(applyTodoWrite(empty, todos))).toContain('5');
  });

  it.each([
    ['a bad status', { content: 'a', status: 'doing' }],
    ['a bad level', { content: 'a', status: 'pending', level: 2 }],
    ['no content', { content: '  ', status: 'pending' }],
  ])('refuses %s (R23)', (_, draft) => {
    expect(applyTodoWrite(empty, [draft]).ok).toBe(false);
  });

  it('refuses two items in progress and the same item twice (R24)', () => {
    const two = ['a', 'b'].map((content) => ({ content, status: 'in_progress' }));
    expect(reasonOf(applyTodoWrite(empty, two))).toContain('2');
    const twice = ['Add tests', 'add  tests.'].map((content) => ({ content, status: 'pending' }));
    expect(applyTodoWrite(empty, twice).ok).toBe(false);
  });

  it('keeps completed items and their receipts whatever the write says', () => {
    const signed = sign(plan, '1');
    const first = signed.items[0];
    const renamed = write(signed, [{ id: 't1', content: 'Something else', status: 'pending' }]);
    expect(renamed.items[0]).toEqual(first);
    expect(write(signed, [{ content: 'New', status: 'pending' }]).items).toContainEqual(first);
  });

  it('drops what is left out, with a reason, and takes it up again by content', () => {
    const shorter = write(plan, [{ content: 'Write the parser', status: 'in_progress' }]);
    expect(statuses(shorter)).toEqual(['in_progress', 'dropped', 'dropped']);
    expect(shorter.items[1]?.reason).toBeTruthy();
    const again = write(shorter, [{ content: 'add tests', status: 'in_progress' }]);
    expect(again.items[0]).toMatchObject({ id: 't2', status: 'in_progress' });
  });

  it('clears the list by an empty write (R27)', () => {
    expect(write(plan, []).items).toEqual([]);
  });

  it('never completes an item and never has two in progress (property)', () => {
    const draft = fc.record({
      content: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      status: fc.constantFrom('pending', 'in_progress', 'completed', 'dropped'),
      level: fc.constantFrom(0, 1),
    });
    const done = (items: readonly TodoItem[]) =>
      items.filter((item) => item.status === 'completed');
    fc.assert(
      fc.property(
        fc.array(fc.array(draft, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
        (writes) => {
          let list = empty;
          for (const todos of writes) {
            const change = applyTodoWrite(list, todos);
            if (change.ok) {
              expect(done(change.items)).toEqual(expect.arrayContaining(done(list.items)));
              expect(done(change.items)).toHaveLength(done(list.items).length);
              list = { ...list, items: change.items };
            }
            const current = list.items.find((item) => item.status === 'in_progress');
            const step =
              current && completeStep(list, { step: current.id, result: 'r', evidence }, rows);
            if (step?.ok) list = { ...list, items: step.items };
            expect(list.items.filter((item) => item.status === 'in_progress').length).toBeLessThan(
              2,
            );
            expect(new Set(list.items.map((item) => item.id)).size).toBe(list.items.length);
          }
        },
      ),
    );
  });
});

describe('complete_step', () => {
  it.each([
    'Write the parser',
    'Writing the parser',
    '1',
    '#1',
    'step 1',
    't1',
    'WRITE THE PARSER.',
    'Ｗｒｉｔｅ the parser',
    'the parser',
    '1. Write the parser',
  ])('finds the item by "%s" (R14, R17)', (step) => {
    expect(statuses(sign(plan, step))).toEqual(['completed', 'in_progress', 'pending']);
  });

  it.each(['Deploy it', 'pa', 'the ', '9'])(
    'does not find "%s" and shows the list (R15, R17)',
    (step) => {
      const reason = trySign(plan, step);
      expect(reason).toContain('Write the parser');
      expect(reason).toContain('Update the docs');
    },
  );

  it('refuses an ambiguous fragment (R17)', () => {
    const list = write(empty, [
      { content: 'Fix the login page', status: 'in_progress' },
      { content: 'Fix the logout page', status: 'pending' },
    ]);
    expect(trySign(list, 'Fix the log')).toContain('2 items');
  });

  it('follows identity when the list is reordered (R18)', () => {
    const ids = ['Alpha', 'Beta'].map((content, index) => ({
      id: `${index + 1}`,
      content,
      status: 'pending',
    }));
    const [alpha, beta] = ids as [TodoDraft, TodoDraft];
    const list = write(write(empty, ids), [beta, { ...alpha, status: 'in_progress' }]);
    expect(sign(list, '1').items.find((item) => item.content === 'Alpha')?.status).toBe(
      'completed',
    );
  });

  it('signs only the item in progress (R19)', () => {
    expect(trySign(plan, '2')).toMatch(/only the item in progress.*Write the parser/i);
    expect(trySign(sign(plan, '1'), '1')).toContain('completed already');
  });

  it('signs sub-steps before their phase and promotes exactly the next (R21, R26)', () => {
    let list = write(empty, [
      { content: 'Phase one', status: 'in_progress' },
      { content: 'First part', status: 'pending', level: 1 },
      { content: 'Second part', status: 'pending', level: 1 },
      { content: 'Phase two', status: 'pending' },
    ]);
    expect(trySign(list, 'Phase one')).toContain('sub-steps');
    for (const step of ['First part', 'Second part', 'Phase one']) list = sign(list, step);
    expect(statuses(list)).toEqual(['completed', 'completed', 'completed', 'in_progress']);
  });

  it('goes through a serial plan and says how to finish (R30)', () => {
    const before = sign(sign(plan, '1'), '2');
    const last = completeStep(before, { step: '3', result: 'done', evidence }, rows);
    expect(last).toMatchObject({
      ok: true,
      receipts: [5],
      text: expect.stringContaining('attempt_completion'),
    });
  });

  it.each([
    ['step', { step: ' ', result: 'r', evidence }],
    ['result', { step: '1', result: '', evidence }],
    ['evidence', { step: '1', result: 'r', evidence: [] }],
    ['summary', { step: '1', result: 'r', evidence: [{ kind: 'manual', summary: ' ' }] }],
    ['kind', { step: '1', result: 'r', evidence: [{ kind: 'hearsay', summary: 's' }] }],
  ])('refuses a sign-off without %s (R1)', (word, args) => {
    expect(reasonOf(completeStep(plan, args as never, rows))).toContain(word);
  });

  it('refuses evidence without receipts and changes nothing (R33)', () => {
    expect(reasonOf(completeStep(plan, { step: '1', result: 'r', evidence }, []))).toContain(
      'npm test',
    );
  });

  it('marks manual sign-offs as unverified (R5)', () => {
    const manual = [{ kind: 'manual', summary: 'looked' }] as const;
    const change = completeStep(plan, { step: '1', result: 'r', evidence: manual }, []);
    expect(change).toMatchObject({ ok: true, items: [{ isVerified: false }, {}, {}] });
  });
});
