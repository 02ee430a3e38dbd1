import { describe, expect, test } from 'vitest';
import type { TurnKind } from '../../../src/contract/turn-facts.ts';
import { turnKindWith } from '../../../src/record/decision/turn-kind.ts';

const sent = (kind: string, voice: string, delivery: string) => ({ kind, voice, delivery });
const message = sent('message', 'person', 'pause');
const steering = sent('message', 'person', 'steer');
const answer = sent('answer', 'person', 'pause');
const result = sent('delegate', 'host', 'wake');
const program = sent('message', 'agent', 'steer');

describe('the kind of a turn', () => {
  test.each(['start', 'nudge', 'wake', 'resume'] as const)(
    'becomes "message" where a person wrote before a turn "%s" began',
    (kind) => expect(turnKindWith(kind, [message], false)).toBe('message'),
  );

  test.each<[string, TurnKind, Parameters<typeof turnKindWith>[1], boolean, TurnKind]>([
    ['an empty inbox leaves it', 'nudge', [], false, 'nudge'],
    ["an answer's turn stays one beside a message", 'answer', [message], false, 'answer'],
    ['a wrap-up stays one', 'wrap_up', [message], false, 'wrap_up'],
    ['a steering message leaves it', 'nudge', [steering], false, 'nudge'],
    ['a steering message that came too late leads on', 'message', [steering], false, 'resume'],
    ['a message beside it stops again', 'nudge', [steering, message], false, 'message'],
    ['only the answer came that was asked for', 'message', [answer], false, 'answer'],
    ['only results came', 'message', [result, result], false, 'resume'],
    ['nothing came but an amendment', 'message', [], false, 'resume'],
    ['a program is no person', 'nudge', [program], false, 'nudge'],
    ['a result is checked with the claim', 'nudge', [result], true, 'resume'],
    ['a result alone is no reason to resume', 'nudge', [result], false, 'nudge'],
  ])('%s', (_, kind, inbox, isRecheck, expected) => {
    expect(turnKindWith(kind, inbox, isRecheck)).toBe(expected);
  });
});
