import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageSchema } from '../../schema/goal.ts';
import { type NewTrigger, newTriggerSchema } from '../../schema/trigger.ts';
import { zodValidatorCompiler } from '../../src/api/validation.ts';
import { eventOf } from '../../src/intake/triggers/event-of.ts';
import { judgeDelivery } from '../../src/intake/triggers/judge-delivery.ts';
import { triggerIssue } from '../../src/intake/triggers/trigger-issue.ts';

const triggerOf = (more: Partial<Record<keyof NewTrigger, unknown>>): NewTrigger =>
  newTriggerSchema.parse({ name: 'ci', action: { kind: 'event', name: 'ci' }, ...more });

const messages = triggerOf({
  parameters: { who: '$.sender.login', last: '$.commits[0].id' },
  action: { kind: 'message', goalId: 'g-0123456789abcdef', text: '{{who}} pushed {{last}}' },
});
const pushed = { sender: { login: 'ann' }, commits: [{ id: 'c0ffee' }] };

describe('what a delivery leads to', () => {
  test('TRIG-1 the payload fills the parameters of what is said', () => {
    const verdict = judgeDelivery(messages, { event: 'push', body: pushed });
    expect(verdict).toMatchObject({
      verdict: 'acts',
      act: { kind: 'message', text: 'Trigger ci, push:\nann pushed c0ffee' },
    });
  });

  test('TRIG-1 a path that finds nothing is named with the way out, and a default stands in', () => {
    const missing = judgeDelivery(messages, { event: 'push', body: { sender: pushed.sender } });
    expect(missing).toMatchObject({
      verdict: 'refused',
      place: 'parameters.last',
      text: expect.stringContaining('default'),
    });
    const parameters = { ...messages.parameters, last: { path: '$.none', default: 'nothing' } };
    const verdict = judgeDelivery({ ...messages, parameters }, { event: null, body: pushed });
    expect(verdict).toMatchObject({ act: { text: 'Trigger ci:\nann pushed nothing' } });
  });

  test('TRIG-1 an object, a list and null are no words', () => {
    for (const login of [{}, [], null]) {
      const verdict = judgeDelivery(messages, {
        event: null,
        body: { ...pushed, sender: { login } },
      });
      expect(verdict).toMatchObject({ verdict: 'refused', place: 'parameters.who' });
    }
  });

  test('TRIG-1 the filter looks at event and values, and a ping asks for nothing', () => {
    const filter = { events: ['push'], where: [{ path: '$.ref', equals: 'main' }] };
    const filtered = { ...messages, filter };
    const body = { ...pushed, ref: 'main' };
    expect(judgeDelivery(filtered, { event: 'push', body }).verdict).toBe('acts');
    expect(judgeDelivery(filtered, { event: 'star', body }).verdict).toBe('ignored');
    expect(judgeDelivery(filtered, { event: 'push', body: pushed })).toEqual({
      verdict: 'ignored',
      text: '$.ref is not "main"',
    });
    expect(judgeDelivery(messages, { event: 'ping', body: {} }).verdict).toBe('ignored');
  });

  test('TRIG-2 text from outside writes no command: it is prose, or one plain word', () => {
    const starts = triggerOf({
      parameters: { title: '$.title' },
      action: {
        kind: 'start',
        goal: {
          objective: 'Fix: {{title}}',
          criteria: [{ kind: 'command', command: 'npm test -- {{title}}' }],
        },
      },
    });
    const evil = judgeDelivery(starts, { event: null, body: { title: 'x; rm -rf /' } });
    expect(evil).toMatchObject({
      verdict: 'refused',
      place: 'action.goal.criteria.0.command',
      text: expect.stringContaining('plain word'),
    });
    const plain = judgeDelivery(starts, { event: null, body: { title: 'parser' } });
    expect(plain).toMatchObject({
      act: { goal: { objective: 'Fix: parser', criteria: [{ command: 'npm test -- parser' }] } },
    });
  });

  test('TRIG-2 a number that was rounded is no value: the neighbour of an id is another id', () => {
    const body = (login: string) =>
      JSON.parse(`{"sender":{"login":${login}},"commits":[{"id":1}]}`);
    for (const login of ['9007199254740993', '-9007199254740993', '1e400', '1e300']) {
      const verdict = judgeDelivery(messages, { event: null, body: body(login) });
      expect(verdict).toMatchObject({ verdict: 'refused', place: 'parameters.who' });
    }
    const kept = judgeDelivery(messages, { event: null, body: body('9007199254740991') });
    expect(kept).toMatchObject({
      act: { text: expect.stringContaining('9007199254740991 pushed') },
    });
    const where = [{ path: '$.sender.login', equals: 9007199254740992 }];
    const filtered = { ...messages, filter: { where } };
    expect(judgeDelivery(filtered, { event: null, body: body('9007199254740993') }).verdict).toBe(
      'ignored',
    );
  });

  test('TRIG-2 an event is a readable line, from a header or the payload, or nobody’s', () => {
    expect(eventOf(null, { type: 'issue.opened 😀' })).toBe('issue.opened 😀');
    expect(eventOf('push', { type: 'other' })).toBe('push');
    for (const type of ['a\0b', 'a\nb', '\u001b[2J', '\u202ea', '\ud800', '', 'x'.repeat(121), 7]) {
      expect(eventOf(null, { type })).toBeNull();
    }
    expect(eventOf('\u0085', {})).toBeNull();
    expect(eventOf(null, null)).toBeNull();
  });

  test('TRIG-2 whatever is sent, an act stays within the bounds of a message', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.string({ maxLength: 50_000 }),
        (json, login) => {
          for (const body of [json, { sender: { login }, commits: [{ id: json }] }]) {
            const verdict = judgeDelivery(messages, { event: null, body });
            if (verdict.verdict !== 'acts' || verdict.act.kind !== 'message') continue;
            expect(messageSchema.safeParse({ text: verdict.act.text }).success).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

const anyBody = { method: 'POST', url: '/v1/triggers', httpPart: 'body' };

describe('a definition that could never do what it says', () => {
  test.each([
    [
      { action: { kind: 'start', goal: { objective: 'x', attachments: ['at-0123456789abcdef'] } } },
      'action.goal.attachments',
    ],
    [{ action: { kind: 'event', name: 'ci', text: '{{who}}' } }, 'action.text'],
    [{ action: { kind: 'start', goal: { objective: 'x', model: 7 } } }, 'action.goal.model'],
    [{ action: { kind: 'start', goal: { objective: 'x', more: 1 } } }, 'action.goal.more'],
    [
      { action: { kind: 'start', goal: { objective: 'x', notify: [{ secret: 's' }] } } },
      'action.goal.notify.0.secret',
    ],
  ])('TRIG-3 %j is refused at %s', (more, field) => {
    expect(triggerIssue(triggerOf(more))).toMatchObject({
      code: 'invalid_request',
      data: { field },
    });
  });

  test.each([
    [{ parameters: { all: '$..id' } }, 'parameters.all'],
    [{ parameters: { bad: '$.[' } }, 'parameters.bad'],
    [{ parameters: { late: { path: '$$', default: '' } } }, 'parameters.late.path'],
    [{ parameters: { search: '$[?@.a == 1]' } }, 'parameters.search'],
    [{ filter: { where: [{ path: '$.*', equals: 1 }] } }, 'filter.where.0.path'],
    [{ action: { kind: 'message', text: 'to nobody' } }, 'action'],
    [{ action: { kind: 'message', goalId: 'g', threadId: 't', text: 'both' } }, 'action'],
  ])('TRIG-3 %j is refused by its shape at %s', (more, field) => {
    const judged = zodValidatorCompiler({ schema: newTriggerSchema, ...anyBody })({
      name: 'ci',
      action: { kind: 'event', name: 'ci' },
      ...more,
    });
    expect(judged).toMatchObject({ error: { field } });
  });

  test('TRIG-3 one that can is taken', () => {
    expect(triggerIssue(messages)).toBeNull();
  });
});
