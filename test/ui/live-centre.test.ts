import { describe, expect, it } from 'vitest';
import { turnTitle } from '../../schema/turn-title.ts';
import type { Call, Goal, Turn } from '../../src/ui/api/types.ts';
import type { Said } from '../../src/ui/live/live-text.ts';
import { liveHead, type Seen } from '../../src/ui/view/live-head.ts';
import { type Passage, transcriptOf } from '../../src/ui/view/transcript.ts';

const BEGAN = Date.parse('2026-11-20T09:30:00.000Z');
const at = (seconds: number) => new Date(BEGAN + seconds * 1000).toISOString();

const asked = (callId: string, tool: string, input: object) => ({
  ...{ callId, tool },
  input: JSON.stringify(input),
});

const turn = (change: Partial<Turn> = {}): Turn => ({
  ...{ turn: 4, kind: 'nudge', state: 'open', startedAt: at(0), settledAt: null },
  ...{ decision: null, compactions: [], messages: [] },
  ...change,
});

const said = (change: Partial<Said> = {}): Said => ({
  ...{ turn: 4, step: 1, attempt: 1, start: 0, text: 'I look', isEnd: false },
  ...{ heardAt: BEGAN + 5000, ...change },
});

let rows = 0;
const call = (callId: string, tool: string, change: Partial<Call> = {}): Call => {
  rows += 2;
  return {
    ...{ callId, turn: 4, step: Number(/s(\d+)/.exec(callId)?.[1]), tool, effect: 'read' },
    ...{ arguments: {}, startedSeq: rows, settledSeq: rows + 1, startedAt: at(1) },
    ...{ settledAt: at(2), outcome: 'ok', receipt: null, hasOutput: false, hash: '', previous: '' },
    ...change,
  } as Call;
};

const model = (seq: number, text: string, ...calls: ReturnType<typeof asked>[]) => ({
  ...{ seq, voice: 'model', text, calls },
});

const read = (passages: readonly Passage[]): string[] =>
  passages.map((passage) => {
    if (passage.kind === 'said') return `${passage.voice}: ${passage.text}`;
    if (passage.kind === 'saying') return `saying: ${passage.said.text}`;
    if (passage.kind === 'call') return passage.call.callId;
    return passage.kind === 'asked' ? `asked ${passage.callId}` : 'compacted';
  });

describe('CON-53: a turn is read', () => {
  const whole = turn({
    messages: [
      { seq: 1, voice: 'person', text: 'Look at it.', calls: [] },
      model(2, 'First.', asked('t4.s1.1', 'read_file', {}), asked('t4.s1.2', 'run_command', {})),
      { seq: 3, voice: 'tool', text: 'x', calls: [] },
      model(4, '', asked('t4.s2.1', 'run_command', {})),
    ],
    compactions: [{ number: 1, step: 2 } as Turn['compactions'][number]],
  });
  const calls = [
    call('t4.s0.1', 'check.baseline'),
    call('t4.s1.1', 'read_file'),
    call('t4.s1.2', 'run_command'),
    call('t4.s2.9', 'check.gate'),
  ];

  it('in the order of time: words, their calls, the host’s own, and what was asked and has not begun', () => {
    const passages = transcriptOf({ turn: whole, calls, said: null, isByAgent: false });
    expect(read(passages)).toEqual([
      ...['person: Look at it.', 't4.s0.1', 'model: First.', 't4.s1.1', 't4.s1.2'],
      ...['compacted', 'asked t4.s2.1', 't4.s2.9'],
    ]);
  });

  it('CON-166: with checks of the host, which name no step, where they ran: before the work, and behind the claim', () => {
    const before = call('baseline.1.1.c1', 'check.baseline', { step: 0 });
    const edit = call('t4.s1.1', 'edit_file');
    const between = call('dispute.1.c1', 'check.dispute', { step: 0 });
    const claim = call('t4.s3.1', 'attempt_completion');
    const gate = call('gate.t4.2.1.c1', 'check.gate', { step: 0 });
    const proof = call('gate.t4.2.1.work.c1', 'check.proof', { step: 0 });
    const messages = [
      { seq: 1, voice: 'host', text: 'The goal begins.', calls: [] },
      model(2, 'First.', asked('t4.s1.1', 'edit_file', {})),
      model(3, 'I think.'),
      model(4, 'It is done.', asked('t4.s3.1', 'attempt_completion', {})),
    ];
    // A list of calls comes newest first.
    const calls = [proof, gate, claim, between, edit, before];
    expect(
      read(transcriptOf({ turn: turn({ messages }), calls, said: null, isByAgent: false })),
    ).toEqual([
      ...['host: The goal begins.', before.callId, 'model: First.', edit.callId, between.callId],
      ...['model: I think.', 'model: It is done.', claim.callId, gate.callId, proof.callId],
    ]);
  });

  it('with the running answer at its end, until the record has it', () => {
    const ends = (heard: Said, change: Partial<Turn> = {}) =>
      read(
        transcriptOf({ turn: { ...whole, ...change }, calls, said: heard, isByAgent: false }),
      ).filter((line) => line.startsWith('saying'));
    expect(ends(said({ step: 3 }))).toEqual(['saying: I look']);
    expect(ends(said({ step: 2, isEnd: true }))).toEqual([]);
    expect(ends(said({ step: 3, turn: 3 }))).toEqual([]);
    expect(ends(said({ step: 3 }), { state: 'settled' })).toEqual([]);
    expect(ends(said({ step: 3, text: '' }))).toEqual([]);
  });

  it('of an agent, whose words are recorded last, with its calls before them', () => {
    const byAgent = turn({ state: 'settled', messages: [model(1, 'Done.')] });
    const passages = transcriptOf({ turn: byAgent, calls, said: null, isByAgent: true });
    expect(read(passages).at(-1)).toBe('model: Done.');
  });
});

describe('CON-54: what happens this second', () => {
  const activity = { state: 'running', reason: 'turn: nudge', since: at(0), actor: 'Agent' };
  const goal = (change: object = {}) =>
    ({
      ...{ goalId: 'g', status: 'active', activity, usage: { own: { turns: 4 } } },
      ...{ criteria: [], todos: { total: 0, done: 0 } },
      ...change,
    }) as unknown as Goal;
  const seen = (change: Partial<Seen> = {}): Seen => ({
    ...{ turn: turn(), calls: [], said: null, printedAt: null },
    ...change,
  });
  const line = (seconds: number, change: Partial<Seen> = {}, of: Goal = goal(), mayAct = true) => {
    const now = BEGAN + seconds * 1000;
    const { words, subject, since, note } = liveHead(of, seen(change), mayAct, now);
    const lasts = since === null ? '' : `, ${Math.round((now - since) / 1000)} s`;
    return `${words}${subject === '' ? '' : ` ${subject}`}${lasts}${note === '' ? '' : `; ${note}`}`;
  };
  const running = (tool: string, args: object) =>
    call('t4.s1.1', tool, {
      ...{ arguments: args, startedAt: at(6), settledSeq: null, settledAt: null, outcome: null },
    });

  it('is the call that runs, for how long, and that it prints nothing', () => {
    const calls = [running('run_command', { command: 'npm test' })];
    expect(line(15, { calls, printedAt: BEGAN + 14_000 })).toBe('running npm test, 9 s');
    expect(line(27, { calls, printedAt: BEGAN + 15_000 })).toBe(
      'running npm test, 21 s; no output for 12 s',
    );
    expect(line(9, { calls: [running('read_file', { path: 'a.ts' })] })).toBe('reading a.ts, 3 s');
    expect(line(99, { calls: [running('edit_file', { path: 'a.ts' })] })).toBe(
      'editing a.ts, 93 s',
    );
    expect(line(9, { calls: [running('check.gate', { command: 'npm t' })] })).toBe(
      'checking npm t, 3 s',
    );
    expect(line(9, { calls: [running('jira.find', { query: 'x' })] })).toContain(
      'running jira.find',
    );
  });

  it('is thinking since the last thing that happened, answering while words come, and silence', () => {
    expect(line(8)).toBe('thinking, 8 s');
    expect(line(10, { calls: [call('t4.s1.1', 'read_file')] })).toBe('thinking, 8 s');
    expect(line(8, { said: said() })).toBe('answering, 8 s');
    expect(line(8, { said: said({ text: '' }) })).toBe('thinking, 8 s');
    expect(line(8, { said: said({ isEnd: true }) })).toBe('thinking, 8 s');
    expect(line(35, { said: said() })).toBe('answering, 35 s; nothing heard for 30 s');
    expect(line(8, { said: said({ turn: 3 }) })).toBe('thinking, 8 s');
  });

  it('is who is waited for where nothing runs, and yellow only for who may answer', () => {
    const waits = { state: 'waiting', on: 'worker', reason: 'no worker serves it', since: at(0) };
    const worker = goal({ activity: { ...waits, actor: 'Worker' } });
    expect(line(9, {}, worker)).toBe('waits for a worker: no worker serves it, 9 s');
    const asks = goal({ activity: { ...waits, on: 'approval', reason: 'x', actor: 'You' } });
    expect(liveHead(asks, seen(), true, BEGAN).kind).toBe('holds');
    expect(liveHead(asks, seen(), false, BEGAN).kind).toBe('waits');
    const over = goal({ status: 'complete', completion: { source: 'person' } });
    expect(line(9, {}, over)).toBe('completed by hand');
  });
});

describe('CON-55: a turn’s title', () => {
  const deeds = (...calls: ReturnType<typeof asked>[]) =>
    turn({ messages: [model(1, 'I go on with it.', ...calls)] });
  const decided = (action: string, missing: readonly string[] = []) =>
    ({ action, missing, sentence: 'It went on.' }) as unknown as Turn['decision'];
  const write = (path: string) => asked(path, 'write_file', { path });

  it('says what was done, what matters most first', () => {
    expect(turnTitle(deeds(write('a.ts')))).toBe('edited a.ts');
    expect(turnTitle(deeds(write('a.ts'), write('b.ts'), write('c.ts'), write('a.ts')))).toBe(
      'edited 3 files',
    );
    const test = asked('t', 'run_command', { command: 'npm test' });
    const look = asked('r', 'read_file', { path: 'a.ts' });
    expect(turnTitle(deeds(look, test, write('a.ts')))).toBe('edited a.ts, ran npm test');
    expect(turnTitle(deeds(look))).toBe('read a.ts');
    expect(turnTitle(deeds(asked('q', 'ask_user', { question: 'Who?' })))).toBe('asked: Who?');
    expect(turnTitle(deeds(asked('m', 'jira.find', {})))).toBe('used jira.find');
    expect(turnTitle(deeds({ ...test, input: '{"command": ' }))).toBe('ran 1 command');
  });

  it('names what a refused claim lacked, and that one held', () => {
    const refused = { ...deeds(write('a.ts')), decision: decided('refuse', ['T4', 'T5']) };
    expect(turnTitle(refused)).toBe('claim refused: T4, T5');
    const much = decided('refuse', ['T1', 'T2', 'T3', 'T4', 'T5', 'T6']);
    expect(turnTitle(turn({ decision: much }))).toBe('claim refused: T1, T2, T3, T4 and 2 more');
    const held = { ...deeds(write('a.ts')), decision: decided('complete') };
    expect(turnTitle(held)).toBe('claim accepted, edited a.ts');
  });

  it('is what was said, or why it ended, where nothing was done', () => {
    expect(turnTitle(deeds())).toBe('I go on with it.');
    expect(turnTitle(turn({ decision: decided('continue') }))).toBe('It went on.');
    expect(turnTitle(turn())).toBe('Works…');
  });
});
