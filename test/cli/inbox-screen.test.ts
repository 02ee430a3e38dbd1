import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Approval } from '../../schema/approval.ts';
import type { Dispute } from '../../schema/dispute.ts';
import type { Inbox, InboxItem } from '../../schema/inbox.ts';
import type { Client } from '../../src/cli/client.ts';
import { cardLines } from '../../src/cli/decide/card.ts';
import { inboxScreen } from '../../src/cli/decide/inbox-screen.ts';
import { inboxView, pagedOn } from '../../src/cli/decide/inbox-view.ts';
import type { Waiting } from '../../src/cli/decide/waiting.ts';
import { waysOf } from '../../src/cli/decide/ways.ts';
import { shownIn } from '../../src/cli/screen/fit.ts';
import { lookOf } from '../../src/cli/screen/look.ts';
import type { Listener, ScreenPort } from '../../src/cli/screen/port.ts';
import { paintIn, plain } from '../../src/cli/terminal.ts';
import { GOAL_ID, goalThat } from './told-goal.ts';

const itemOf = (itemId: string, change: Partial<InboxItem> = {}): InboxItem => ({
  ...{ itemId, goalId: GOAL_ID, kind: 'tool', holds: true, title: `approve ${itemId}` },
  ...{ since: '2026-01-01T10:20:30.000Z', ...change },
});

const approvalOf = (approvalId: string, change: Partial<Approval> = {}) =>
  ({
    ...{ approvalId, goalId: GOAL_ID, kind: 'tool', turn: 1, question: `May ${approvalId} run?` },
    ...{ onApprove: 'it runs', onDeny: 'the model is told', state: 'open', always: null },
    ...{ data: { arguments: { command: 'npm publish' } }, createdAt: 'then', ...change },
  }) as Approval;

const dispute = {
  ...{ disputeId: 'd-1', goalId: GOAL_ID, criterionId: 'C2', kind: 'contradiction', turn: 3 },
  ...{ criterion: { kind: 'command', command: 'npm test' }, explanation: 'C2 contradicts C4.' },
  ...{ counterExample: { command: 'node a.js', expect: { exit: 1 } }, place: 'proof' },
  ...{ runs: [{ tree: 'work', exit: 1, shows: true, output: 'no\n', receipt: 7 }] },
  ...{ showsOnOriginal: true, showsOnNothing: false, state: 'open', note: null },
} as unknown as Dispute;

const question = (options: readonly string[]): Waiting => ({
  ...{ kind: 'question', goalId: GOAL_ID },
  question: {
    questionId: 'q-1',
    text: 'Which?',
    options: [...options],
    default: null,
    until: null,
  },
});

/** A service with these items, and a terminal whose keys the test presses. */
function inboxThat(items: readonly InboxItem[], answers: Record<string, unknown>) {
  const sent: [string, object][] = [];
  const waiting = [...items];
  const written: string[] = [];
  let refused: Error | null = null;
  let hear: Listener | null = null;
  const client = {
    async get<Answer>(path: string) {
      const inbox: Inbox = { items: [...waiting], total: waiting.length, goals: [goalThat({})] };
      const found = path.startsWith('/v1/inbox') ? inbox : answers[path];
      return found as Answer;
    },
    async send<Answer>(_method: string, path: string, body: object) {
      if (refused !== null) throw refused;
      sent.push([path.replace(`/v1/goals/${GOAL_ID}`, ''), body]);
      waiting.shift();
      return {} as Answer;
    },
    open: (_path: string, _headers: object, signal?: AbortSignal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error())),
      ),
  } as unknown as Client;
  const screen: ScreenPort = {
    ...{ isAscii: false, input: {}, columns: 100, suspend: () => {} },
    lend: (program) => program(),
    write: (text) => written.push(text),
    listen(listener) {
      hear = listener;
      return () => {};
    },
  };
  const session = { client, terminal: { paint: plain } } as Parameters<typeof inboxScreen>[0];
  const ended = inboxScreen(session, screen);
  /** What the screen shows last, once it shows this. */
  const shows = async (text: string) => {
    await expect.poll(() => stripVTControlCharacters(written.at(-1) ?? '')).toContain(text);
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      const before = written.length;
      hear?.onInput(key);
      await expect.poll(() => written.length).toBeGreaterThan(before);
    }
  };
  const refuse = (error: Error | null) => {
    refused = error;
  };
  return { sent, waiting, shows, press, refuse, ended };
}

const approvals = `/v1/approvals?goalId=${GOAL_ID}`;

describe('an inbox that is answered in place', () => {
  test('TERM-41 shows all that a decision rests on, and takes the answer of the chosen item by a key', async () => {
    const items = [itemOf('a-1'), itemOf('a-2')];
    const { sent, shows, press, ended } = inboxThat(items, {
      [approvals]: { items: [approvalOf('a-1'), approvalOf('a-2')] },
    });
    await shows('May a-1 run?');
    await shows('npm publish');
    await press('j');
    await shows('May a-2 run?');
    await press('d', ...'No.', '\r');
    expect(sent).toEqual([['/approvals/a-2', { decision: 'deny', note: 'No.' }]]);
    await press('q');
    await ended;
  });

  test('TERM-42 a key answers what is shown: where somebody else was first, it says so and shows what is left', async () => {
    const answers: Record<string, unknown> = { [approvals]: { items: [approvalOf('a-1')] } };
    const { sent, waiting, shows, press, refuse, ended } = inboxThat([itemOf('a-1')], answers);
    await shows('May a-1 run?');
    // Another one took its place, and the screen does not know yet.
    waiting.splice(0, 1, itemOf('a-9'));
    answers[approvals] = { items: [approvalOf('a-9')] };
    refuse(new Error('a-1 was decided by anna'));
    await press('y');
    await shows('a-1 was decided by anna');
    await shows('May a-9 run?');
    refuse(null);
    await press('y');
    await press('q');
    await ended;
    expect(sent).toEqual([['/approvals/a-9', { decision: 'approve' }]]);
  });

  test('TERM-43 a question is answered by the number of an option or by words, a dispute with a reason', () => {
    const keys = (waiting: Waiting) => waysOf(waiting).map(({ key }) => key);
    expect(keys(question(['red', 'blue']))).toEqual(['1', '2', 'a']);
    expect(keys(question(Array.from({ length: 12 }, String))).at(-2)).toBe('9');
    const [first, , words] = waysOf(question(['red', 'blue']));
    expect(first?.body('')).toEqual({ questionId: 'q-1', option: 1 });
    expect(words?.body('green')).toEqual({ questionId: 'q-1', text: 'green' });
    const [insist, infeasible] = waysOf({ kind: 'dispute', dispute, goal: goalThat({}) });
    expect([insist?.asks, infeasible?.asks]).not.toContain(undefined);
    expect(insist?.body('It is meant.')).toEqual({ decision: 'insist', note: 'It is meant.' });
  });

  test('TERM-44 a dispute is shown with its criterion, the counter-example and what it printed', () => {
    const inbox = { items: [itemOf('d-1', { kind: 'dispute' })], total: 1, goals: [] };
    const view = { inbox, now: 0, chosen: 'd-1', above: 0, note: '' };
    const shown = inboxView(
      { ...view, waiting: { kind: 'dispute', dispute, goal: goalThat({}) } },
      lookOf(100),
      40,
    ).join('\n');
    for (const part of ['C2', 'npm test', 'node a.js', 'expects exit 1', 'no', '1 insist…']) {
      expect(shown).toContain(part);
    }
  });

  test.each([60, 160])(
    'TERM-46 at %i columns what "always" would store is shown in full',
    (width) => {
      const says = `run_command ${'one-word '.repeat(40)}`;
      const approval = approvalOf('a-1', { always: { workspace: 'shop', says } });
      const shown = cardLines({ kind: 'approval', approval }, lookOf(width)).join(' ');
      expect(shown.replaceAll(/\s+/g, ' ')).toContain(says.trim());
    },
  );

  test('TERM-69 in the inbox, too, the reason of a refusal is read to its end', () => {
    const note = 'somebody else decided it meanwhile, '.repeat(5).trim();
    const inbox = { items: [itemOf('a-0', {})], total: 1, goals: [] };
    const approval = approvalOf('a-0', {});
    const view = { inbox, now: 0, chosen: 'a-0', above: 0, note };
    const shown = inboxView({ ...view, waiting: { kind: 'approval', approval } }, lookOf(60), 12);
    expect(shown.length).toBeLessThanOrEqual(12);
    expect(shown.join(' ').replaceAll(/\s+/g, ' ')).toContain(note);
  });

  test('TERM-45 no line is wider and none is below the screen, whatever is asked; Space shows all of it', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 400 });
    const one = fc.record({
      ...{ title: words, question: words, command: words, note: words },
      ...{ width: fc.integer({ min: 60, max: 200 }), height: fc.integer({ min: 10, max: 60 }) },
      ...{ lines: fc.integer({ min: 0, max: 80 }), isAscii: fc.boolean(), count: fc.nat(40) },
    });
    fc.assert(
      fc.property(
        one,
        ({ title, question: asked, command, note, width, height, lines, isAscii, count }) => {
          const items = Array.from({ length: count }, (_, at) => itemOf(`a-${at}`, { title }));
          const data = {
            arguments: { command },
            result: Array.from({ length: lines }, (_, at) => `row ${at}`).join('\n'),
          };
          const approval = approvalOf('a-0', { question: asked, data });
          const look = lookOf(width, paintIn(true), isAscii);
          const view = {
            ...{ inbox: { items, total: count, goals: [] }, now: 0, note: note.trim() },
            ...{
              chosen: count === 0 ? null : 'a-0',
              waiting: { kind: 'approval', approval } as const,
            },
          };
          const seen = new Set<string>();
          let above = 0;
          do {
            const shown = inboxView({ ...view, above }, look, height);
            expect(shown.length).toBeLessThanOrEqual(height);
            for (const text of shown) expect(stringWidth(text)).toBeLessThanOrEqual(width);
            for (const text of shown) seen.add(text);
            above = pagedOn({ ...view, above }, look, height);
          } while (above > 0);
          if (count === 0) return;
          const card = cardLines(view.waiting, look).map(shownIn(look));
          expect(card.filter((text) => !seen.has(text))).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });
});
