import { describe, expect, test } from 'vitest';
import type { SentMessage } from '../../schema/sent-message.ts';
import type { Passage } from '../../src/ui/view/transcript.ts';
import { mayTakeBack, unreadOf, withUnread } from '../../src/ui/view/unread-messages.ts';

describe('CON-172: taking back is offered to whom the service lets', () => {
  const person = { sentBy: 'ana', voice: 'person' } as const;
  const program = { sentBy: 'ci', voice: 'agent' } as const;
  const nameless = { sentBy: null, voice: 'person' } as const;
  test.each([
    ['who sent it', { name: 'ana', role: 'operator' }, person, true],
    ['a program its own', { name: 'ci', role: 'agent' }, program, true],
    ['an admin whatever waits', { name: 'eve', role: 'admin' }, nameless, true],
    ['an operator what a program sent', { name: 'ben', role: 'operator' }, program, true],
    ['no operator what another person sent', { name: 'ben', role: 'operator' }, person, false],
    ['no operator what has no sender', { name: 'ben', role: 'operator' }, nameless, false],
    ['no program what a person sent', { name: 'ci', role: 'agent' }, person, false],
    ['nobody who only looks', { name: 'ana', role: 'viewer' }, person, false],
  ] as const)('%s', (_, session, message, may) => {
    expect(mayTakeBack(session, message)).toBe(may);
  });
});

describe('CON-172: what no call has read stands at the end of one turn', () => {
  const at = (minute: number) => `2026-11-29T12:0${minute}:00.000Z`;
  const waiting: SentMessage = {
    ...{
      messageId: 'm-1',
      text: 'Wait.',
      voice: 'person',
      sentBy: 'ana',
      sentAt: at(1),
      files: [],
    },
    ...{ delivery: 'steer', state: 'waiting', turn: null, takenBackBy: null, takenBackAt: null },
  };
  const taken = { state: 'taken_back', takenBackBy: 'ana', takenBackAt: at(3) } as const;
  const back: SentMessage = { ...waiting, messageId: 'm-2', ...taken };
  const read: SentMessage = { ...waiting, messageId: 'm-3', state: 'read', turn: 1 };
  const first = { startedAt: at(0), settledAt: at(2) };
  const second = { startedAt: at(2), settledAt: at(4) };
  const sent = [back, waiting, read];

  test('what waits, of the newest', () => {
    expect(unreadOf([waiting, read], first, false)).toEqual([]);
    expect(unreadOf([waiting, read], second, true)).toEqual([waiting]);
  });

  test('what was taken back, of the one that ran then', () => {
    expect(unreadOf(sent, first, false)).toEqual([]);
    expect(unreadOf(sent, second, false)).toEqual([back]);
    expect(unreadOf(sent, second, true)).toEqual([waiting, back]);
  });
});

describe('CON-182: a message that was taken back stands by the ids of those around it', () => {
  const at = (second: number) => `2026-11-29T12:00:0${second}.000Z`;
  const message = (messageId: string, second: number, more: Partial<SentMessage> = {}) => ({
    ...{ messageId, text: 'Wait.', voice: 'person', sentBy: 'ana', sentAt: at(second), files: [] },
    ...{ delivery: 'steer', state: 'read', turn: 1, takenBackBy: null, takenBackAt: null },
    ...more,
  });
  const back = message('m-2', 2, {
    ...{ state: 'taken_back', turn: null, takenBackBy: 'ana', takenBackAt: at(3) },
  }) as SentMessage;
  const sent = [message('m-3', 4), back, message('m-1', 1)] as SentMessage[];
  const said = (seq: number, messageId?: string): Passage => ({
    ...{ kind: 'said', seq, messageId, voice: 'person', text: 'Wait.' },
  });
  const order = (passages: readonly Passage[]) =>
    withUnread(passages, [back], sent).map((one) =>
      one.kind === 'unread' ? one.message.messageId : one.kind === 'said' ? one.messageId : '',
    );

  test('between two of the same words', () => {
    expect(order([said(1, 'm-1'), said(2, 'm-3')])).toEqual(['m-1', 'm-2', 'm-3']);
  });

  test('before one of the same words that was said later', () => {
    expect(order([said(2, 'm-3')])).toEqual(['m-2', 'm-3']);
  });
});
