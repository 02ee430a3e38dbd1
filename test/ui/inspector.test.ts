import { describe, expect, it } from 'vitest';
import { comparedRows } from '../../schema/compared-turns.ts';
import { callName, missingAnswer } from '../../schema/model-call-words.ts';
import { messageLine, requestParts } from '../../schema/request-parts.ts';
import { speakerOf } from '../../schema/request-words.ts';
import type {
  Call,
  ModelCall,
  ModelRequest,
  RequestMessage,
  Turn,
} from '../../src/ui/api/types.ts';
import { compact, dollars, duration } from '../../src/ui/view/format.ts';
import { callFacts } from '../../src/ui/view/model-call-text.ts';

const call = (change: Partial<ModelCall> = {}): ModelCall => ({
  ...{ turn: 4, kind: 'turn', step: 1, attempt: 1, state: 'committed', model: 'some/model' },
  ...{ inputTokens: 1000, cachedInputTokens: 250, outputTokens: 40, costUsd: '0.01' },
  ...{ isEstimated: false, pricesVersion: null, estimatedInput: 1100, hasRequest: true },
  ...{ finishReason: 'stop', firstTokenMs: 640, startedAt: '2026-11-20T09:30:00.000Z' },
  ...{ endedAt: '2026-11-20T09:30:06.000Z' },
  ...change,
});

const said = (
  role: RequestMessage['role'],
  text: string,
  of: RequestMessage['of'] = 'conversation',
): RequestMessage => ({ role, of, parts: [{ type: 'text', text }] });

const request: ModelRequest = {
  ...{ system: 's'.repeat(300), tools: [], compaction: null },
  messages: [
    said('user', `<host mark="…">\n${'u'.repeat(300)}\n</host>`),
    said('assistant', 'a'.repeat(270)),
    said('user', 'g'.repeat(98), 'own'),
  ],
};

describe('CON-57: a model call is read', () => {
  it('by the shares of its request, which add up to its tokens', () => {
    const parts = requestParts(call(), request);
    expect(parts.map(({ name }) => name)).toEqual(['system', 'tools', 'messages', 'own']);
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(parts.map(({ tokens }) => tokens)).toEqual([302, 2, 598, 99]);
    const running = requestParts(call({ inputTokens: 0, state: 'sent' }), request);
    expect(running[0]?.tokens).toBe(332);
  });

  it('by whose words each message has, and by its first line', () => {
    const result = (text: string): RequestMessage => ({
      ...{ role: 'tool', of: 'conversation' },
      parts: [{ type: 'result', id: 't1_s1_1', tool: 'read_file', isError: false, text }],
    });
    expect(speakerOf(result('1\tx'))).toBe('read_file');
    expect(messageLine(result('\n\n  first'))).toBe('  first');
    expect(messageLine(said('user', '<host mark="…">\nGo on.\n</host>'))).toBe('Go on.');
    expect(messageLine(said('assistant', ' '))).toBe('(no words)');
    expect(speakerOf(said('assistant', 'x'))).toBe('assistant');
  });

  it('by a name among the calls of its turn', () => {
    const review = call({ kind: 'review', step: 3_001_002 });
    const other = call({ kind: 'review', step: 3_001_003 });
    const again = call({ attempt: 2 });
    const all = [call(), again, review, other];
    expect(all.map((one) => callName(one, all))).toEqual([
      ...['Call 1', 'Call 1, try 2', 'Review 1', 'Review 2'],
    ]);
  });

  it('by what it took, or why nothing was charged', () => {
    expect(callFacts(call())).toBe('1.0k in, 25 % cached, 40 out, 6.0 s');
    expect(callFacts(call({ state: 'sent', endedAt: null }))).toBe('is being answered');
    const refused = call({ state: 'failed', inputTokens: 0, outputTokens: 0 });
    expect(callFacts(refused)).toBe('not charged, 6.0 s');
    expect(missingAnswer({ ...refused, trouble: 'overload: later' })).toBe('overload: later');
    expect(missingAnswer(call({ state: 'lost' }))).toMatch(/worker died/);
    expect(missingAnswer(call({ kind: 'review' }))).toMatch(/at its criterion/);
  });
});

describe('CON-58: two turns are compared', () => {
  const turn = (change: Partial<Turn> = {}): Turn => ({
    ...{ turn: 4, kind: 'nudge', state: 'settled', compactions: [], messages: [], decision: null },
    ...{ startedAt: '2026-11-20T09:30:00.000Z', settledAt: '2026-11-20T09:31:00.000Z' },
    ...change,
  });
  const ran = (outcome: Call['outcome']) => ({ outcome, tool: 'run_command' }) as Call;

  it('fact by fact, and what differs is marked', () => {
    const left = { turn: turn(), calls: [ran('failed')], modelCalls: [call()] };
    const modelCalls = [call(), call({ step: 2, model: 'other/model' })];
    const right = { turn: turn({ settledAt: null, state: 'open' }), calls: [], modelCalls };
    const rows = new Map(
      comparedRows(left, right, { compact, dollars, duration }).map((row) => [row.name, row]),
    );
    expect(rows.get('Opened by')).toMatchObject({ differs: false });
    expect(rows.get('Tokens')).toMatchObject({ values: ['790', '1.6k'], differs: true });
    expect(rows.get('Model')?.values).toEqual(['some/model', 'some/model, other/model']);
    expect(rows.get('Wall time')?.values).toEqual(['1m 00s', 'runs']);
    expect(rows.get('Failed calls')?.values).toEqual(['1', '0']);
    expect(rows.get('Decision')?.values).toEqual(['–', '–']);
  });
});
