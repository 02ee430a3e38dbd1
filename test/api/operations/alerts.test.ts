import { describe, expect, it } from 'vitest';
import type { Provider, Queue, Worker } from '../../../schema/operations.ts';
import { type AlertFacts, alertsOf } from '../../../src/api/operations/alerts.ts';
import { workerState } from '../../../src/store/reads/worker-state.ts';

const NOW = Date.parse('2026-11-20T09:00:00.000Z');
const agoAt = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

const worker = (change: Partial<Worker> = {}): Worker => ({
  workerId: 'worker-1',
  state: 'up',
  build: '1.0.0',
  host: 'alpha',
  pid: 1,
  taskQueues: [],
  slices: 2,
  slots: 100,
  tools: [],
  limitedBy: 'counting',
  models: [],
  workspaces: [],
  temporalKey: null,
  refused: [],
  isolation: 'none',
  startedAt: agoAt(3600),
  seenAt: agoAt(1),
  ...change,
});

const queue = (change: Partial<Queue> = {}): Queue => ({
  name: 'goalkeeper:here:host:alpha',
  kind: 'activity',
  host: 'alpha',
  backlog: 4,
  ageSeconds: 40,
  addedRate: 1,
  takenRate: 0.5,
  pollers: 1,
  recentBacklog: [],
  ...change,
});

const provider = (errors: number, calls: number, kind = 'rate_limit'): Provider => ({
  model: 'openai/large',
  calls,
  errors,
  kinds: [{ kind, calls: errors }],
  p50Seconds: 1,
  p95Seconds: 2,
  costUsd: '1',
  recentCalls: [calls],
  recentErrors: [errors],
});

const busy = [{ host: 'alpha', goals: 2, goalId: 'g-1' }];
const calm: AlertFacts = {
  now: NOW,
  workers: [worker()],
  busyHosts: busy,
  stuck: [],
  queues: [],
  providers: [],
  brokenChains: [],
  undelivered: [],
  anchors: [],
  nearLimits: [],
};
const failing = { target: 'file:/a', size: 3, at: null, waiting: 2, error: 'ENOSPC' };
const refusing = worker({ refused: [{ name: 'shop', path: '/', why: 'it is the whole machine' }] });

const shown = (facts: Partial<AlertFacts>) =>
  alertsOf({ ...calm, ...facts }).map(({ kind, level, actor }) => [kind, level, actor]);

const noUse = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  tokens: 950,
  costUsd: '0.1',
  turns: 3,
  steps: 0,
  activeSeconds: 0,
};
const limited = (tokens: number | null) => ({
  goalId: 'g-2',
  budget: { tokens, costUsd: '10', turns: 10, activeSeconds: null, deadline: null },
  usage: { ...noUse, own: noUse },
});

describe('alerts name what is wrong and who acts next', () => {
  it('is silent while everything works', () => {
    expect(shown({ queues: [queue({ ageSeconds: 3 })], nearLimits: [limited(2000)] })).toEqual([]);
  });

  it('asks a person for a worker where active goals have none, and only there', () => {
    expect(shown({ workers: [] })).toEqual([['no_worker', 'high', 'You']]);
    expect(shown({ workers: [worker({ host: 'beta' })] })).toEqual([['no_worker', 'high', 'You']]);
    expect(shown({ workers: [worker({ state: 'draining' })] })).toEqual([
      ['no_worker', 'high', 'You'],
      ['worker_draining', 'low', null],
    ]);
    expect(shown({ workers: [], busyHosts: [] })).toEqual([['no_worker', 'medium', 'You']]);
  });

  it('STUCK-2 calls a person to a goal whose tasks fail again and again, with the way out', () => {
    const stuck = {
      ...{ goalId: 'g-1', task: 'workflow', attempts: 4, since: agoAt(60), version: '0.2.0' },
      failure: '[TMPRL1100] Nondeterminism error: Activity type mismatch',
    };
    const [alert] = alertsOf({ ...calm, stuck: [stuck] });
    expect(alert).toMatchObject({ kind: 'stuck', level: 'high', actor: 'You', goalId: 'g-1' });
    expect(alert?.detail).toContain('other workflow code than version 0.2.0');
    expect(alert?.action).toBe('start workers of 0.2.0, or of a newer one');
    const failing = { ...stuck, task: 'runTurn', failure: 'no space left\u001b[2J on device' };
    const [other] = alertsOf({ ...calm, stuck: [failing] });
    expect(other?.detail).toContain('runTurn failed 4 times: no space left<U+001B>[2J on device');
  });

  it('tells of a lost worker while it is news and another one takes over', () => {
    const lost = (seconds: number) =>
      worker({ workerId: 'worker-2', state: 'lost', seenAt: agoAt(seconds) });
    expect(shown({ workers: [worker(), lost(23)] })).toEqual([['worker_lost', 'medium', 'Worker']]);
    expect(shown({ workers: [worker(), lost(7200)] })).toEqual([]);
    expect(shown({ workers: [lost(23)] })).toEqual([['no_worker', 'high', 'You']]);
  });

  it('tells of an old backlog, and calls a person when it does not shrink', () => {
    expect(shown({ queues: [queue()] })).toEqual([['backlog', 'medium', 'Worker']]);
    expect(shown({ queues: [queue({ ageSeconds: 400 })] })).toEqual([['backlog', 'high', 'You']]);
    expect(shown({ queues: [queue({ host: 'gone' })] })).toEqual([]);
  });

  it('leaves a provider to itself unless only a person can mend it', () => {
    expect(shown({ providers: [provider(2, 4)] })).toEqual([]);
    expect(shown({ providers: [provider(3, 100)] })).toEqual([]);
    expect(shown({ providers: [provider(5, 20)] })).toEqual([['provider', 'medium', 'Provider']]);
    expect(shown({ providers: [provider(5, 5, 'auth')] })).toEqual([['provider', 'high', 'You']]);
  });

  it('puts a broken chain first, then notices that reached nobody, then budgets near their end', () => {
    const facts = {
      brokenChains: [{ goalId: 'g-1', problem: 'row 3 was edited' }],
      undelivered: [{ goalId: 'g-1', url: 'https://x', deliveries: 1, error: '500', at: agoAt(9) }],
      nearLimits: [limited(1000), limited(null)],
    };
    expect(shown(facts)).toEqual([
      ['chain', 'high', 'You'],
      ['webhook', 'medium', 'You'],
      ['budget', 'low', 'Agent'],
    ]);
    expect(alertsOf({ ...calm, ...facts }).at(-1)?.title).toBe('g-2 has used 95% of its tokens');
  });

  it('claims nothing of what could not be asked', () => {
    const away = { workers: null, busyHosts: null, queues: null, providers: null };
    expect(shown({ ...away, undelivered: null, nearLimits: null })).toEqual([]);
  });

  it('calls a worker lost after three missing signs of life', () => {
    expect(workerState({ seenAt: agoAt(14), isDraining: false }, NOW)).toBe('up');
    expect(workerState({ seenAt: agoAt(14), isDraining: true }, NOW)).toBe('draining');
    expect(workerState({ seenAt: agoAt(15), isDraining: true }, NOW)).toBe('lost');
  });

  it('tells of a workspace that is not served, and of heads that no place took (REC-27, REC-30)', () => {
    expect(shown({ workers: [refusing], anchors: [failing, { ...failing, error: null }] })).toEqual(
      [
        ['workspace', 'high', 'You'],
        ['anchor', 'high', 'You'],
      ],
    );
    expect(shown({ workers: [{ ...refusing, state: 'lost' }, worker()], anchors: null })).toEqual([
      ['worker_lost', 'medium', 'Worker'],
    ]);
  });
});
