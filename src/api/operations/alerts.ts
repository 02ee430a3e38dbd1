import type { AnchorState } from '../../../schema/anchor.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { Alert, Provider, Queue, Worker } from '../../../schema/operations.ts';
import type { StuckGoal } from '../../contract/operations-reads.ts';
import { stuckWords } from '../../record/status/stuck.ts';

type AnchorTargetState = AnchorState['targets'][number];

/** The facts that alerts are derived from; null = the source could not be reached. */
export interface AlertFacts {
  readonly now: number;
  readonly workers: readonly Worker[] | null;
  /** Hosts that active goals work on. */
  readonly busyHosts: readonly BusyHost[] | null;
  readonly stuck: readonly StuckGoal[] | null;
  readonly queues: readonly Queue[] | null;
  readonly providers: readonly Provider[] | null;
  readonly brokenChains: readonly { readonly goalId: string; readonly problem: string }[];
  readonly undelivered: readonly Undelivered[] | null;
  /** Places outside that keep signed heads. */
  readonly anchors: readonly AnchorTargetState[] | null;
  /** Active goals, the nearest to a limit first. */
  readonly nearLimits: readonly Pick<Goal, 'goalId' | 'budget' | 'usage'>[] | null;
}

interface BusyHost {
  readonly host: string;
  readonly goals: number;
  readonly goalId: string;
}

interface Undelivered {
  readonly goalId: string;
  readonly url: string;
  readonly deliveries: number;
  readonly error: string | null;
  readonly at: string;
}

/** The age of a queue's oldest task from which the queue is behind, or doesn't catch up. */
const BEHIND_SECONDS = 30;
const STUCK_SECONDS = 300;
/** Worker rows stay for a day; a worker that has been lost for longer raises no alert. */
const LOST_IS_NEWS_MS = 30 * 60_000;
const FAILING_ERRORS = 3;
const FAILING_SHARE = 0.2;
const NEARLY_USED = 0.9;
const MOST_BUDGETS = 5;
/** Error kinds that waiting can't fix. */
const FOR_A_PERSON: ReadonlySet<string> = new Set(['auth', 'quota']);

const ranks = { high: 0, medium: 1, low: 2 } as const;

/** Alerts for present and coming problems, each with who acts and where to look; worst first. */
export function alertsOf(facts: AlertFacts): Alert[] {
  const alerts = [
    ...missingWorkers(facts),
    ...(facts.stuck ?? []).map(stuckGoal),
    ...facts.brokenChains.map(brokenChain),
    ...leavingWorkers(facts),
    ...backlogs(facts),
    ...(facts.providers ?? []).flatMap(failingProvider),
    ...refusedWorkspaces(facts),
    ...(facts.anchors ?? []).flatMap(unanchored),
    ...(facts.undelivered ?? []).map(undelivered),
    ...(facts.nearLimits ?? []).flatMap(nearlyUsed).slice(0, MOST_BUDGETS),
  ];
  return alerts.sort((left, right) => ranks[left.level] - ranks[right.level]);
}

const isServed = (workers: readonly Worker[], host: string): boolean =>
  workers.some((worker) => worker.host === host && worker.state === 'up');

function missingWorkers({ workers, busyHosts }: AlertFacts): Alert[] {
  if (workers === null) return [];
  const unserved = (busyHosts ?? []).filter(({ host }) => !isServed(workers, host));
  if (unserved.length > 0) return unserved.map((busy) => missingWorker(busy, workers));
  if (workers.some(({ state }) => state === 'up')) return [];
  return [
    {
      alertId: 'no_worker',
      kind: 'no_worker',
      level: 'medium',
      title: 'No worker runs',
      detail: 'No goal is active; the next one would wait.',
      actor: 'You',
      action: 'start a worker',
      at: null,
      goalId: null,
    },
  ];
}

function missingWorker({ host, goals, goalId }: BusyHost, workers: readonly Worker[]): Alert {
  const last = workers.find((worker) => worker.host === host);
  return {
    alertId: `no_worker:${host}`,
    kind: 'no_worker',
    level: 'high',
    title: `No worker serves ${host}`,
    detail: `${count(goals, 'active goal')} there can't go on; nothing is lost.`,
    actor: 'You',
    action: 'start a worker there',
    at: last?.seenAt ?? null,
    goalId,
  };
}

function leavingWorkers({ workers, now }: AlertFacts): Alert[] {
  return (workers ?? []).flatMap((worker): Alert[] => {
    const { workerId, host, state, seenAt, slices } = worker;
    const about = { at: seenAt, goalId: null };
    if (state === 'draining') {
      return [
        {
          ...about,
          alertId: `worker_draining:${workerId}`,
          kind: 'worker_draining',
          level: 'low',
          title: `${workerId} drains`,
          detail: `${count(slices, 'slice')} left; it takes no further ones and stops by itself.`,
          actor: null,
          action: 'no action',
        },
      ];
    }
    const gone = now - Date.parse(seenAt);
    // A host without any other worker has its own alert already.
    if (state !== 'lost' || gone > LOST_IS_NEWS_MS || !isServed(workers ?? [], host)) return [];
    return [
      {
        ...about,
        alertId: `worker_lost:${workerId}`,
        kind: 'worker_lost',
        level: 'medium',
        title: `${workerId} gave no sign of life for ${span(gone / 1000)}`,
        detail: `It ran ${count(slices, 'slice')} then. Another worker of ${host} goes on with them.`,
        actor: 'Worker',
        action: 'takes over by itself',
      },
    ];
  });
}

function backlogs({ queues, workers }: AlertFacts): Alert[] {
  return (queues ?? []).flatMap((queue): Alert[] => {
    const { name, kind, host, backlog, ageSeconds } = queue;
    const isServedOne = host === null || workers === null || isServed(workers, host);
    if (backlog === 0 || ageSeconds < BEHIND_SECONDS || !isServedOne) return [];
    const isStuck = ageSeconds >= STUCK_SECONDS;
    return [
      {
        alertId: `backlog:${name}:${kind}`,
        kind: 'backlog',
        level: isStuck ? 'high' : 'medium',
        title: `${name}: the oldest ${kind} task waits for ${span(ageSeconds)}`,
        detail: `${count(backlog, 'task')} wait${backlog === 1 ? 's' : ''}; workers take ${queue.takenRate} a second, ${queue.addedRate} come.`,
        actor: isStuck ? 'You' : 'Worker',
        action: isStuck ? 'add a worker' : 'catches up by itself',
        at: null,
        goalId: null,
      },
    ];
  });
}

function failingProvider({ model, recentCalls, recentErrors, kinds }: Provider): Alert[] {
  const errors = sum(recentErrors);
  const calls = sum(recentCalls);
  if (errors < FAILING_ERRORS || errors / calls < FAILING_SHARE) return [];
  const [worst] = kinds;
  const isForPerson = worst !== undefined && FOR_A_PERSON.has(worst.kind);
  const most = worst === undefined ? '' : ` Most often: ${worst.kind.replace('_', ' ')}.`;
  return [
    {
      alertId: `provider:${model}`,
      kind: 'provider',
      level: isForPerson ? 'high' : 'medium',
      title: `${model} fails: ${errors} of ${calls} calls in 20 minutes`,
      detail: `Refused calls cost nothing and are tried again.${most}`,
      actor: isForPerson ? 'You' : 'Provider',
      action: isForPerson ? 'mend the key or the quota' : 'retried by itself',
      at: null,
      goalId: null,
    },
  ];
}

function stuckGoal(stuck: StuckGoal): Alert {
  const { why, wayOut } = stuckWords(stuck);
  return {
    alertId: `stuck:${stuck.goalId}`,
    kind: 'stuck',
    level: 'high',
    title: `${stuck.goalId} stands still`,
    detail: `Temporal tries it again and again: ${why}. Nothing is lost.`,
    actor: 'You',
    action: wayOut,
    at: stuck.since,
    goalId: stuck.goalId,
  };
}

const brokenChain = ({ goalId, problem }: { goalId: string; problem: string }): Alert => ({
  alertId: `chain:${goalId}`,
  kind: 'chain',
  level: 'high',
  title: `The ledger of ${goalId} is not what was written`,
  detail: `${problem}. Its evidence can't be trusted.`,
  actor: 'You',
  action: 'look at its ledger',
  at: null,
  goalId,
});

const undelivered = ({ goalId, url, deliveries, error, at }: Undelivered): Alert => ({
  alertId: `webhook:${goalId}`,
  kind: 'webhook',
  level: 'medium',
  title: `${count(deliveries, 'notice')} of ${goalId} reached nobody at ${url}`,
  detail: `${error ?? 'No answer'}. It was tried for as long as it may be.`,
  actor: 'You',
  action: 'mend the address, send again',
  at,
  goalId,
});

function refusedWorkspaces({ workers }: AlertFacts): Alert[] {
  const alive = (workers ?? []).filter(({ state }) => state !== 'lost');
  const all = alive.flatMap(({ host, refused }) => refused.map((one) => ({ ...one, host })));
  const once = new Map(all.map((one) => [`${one.host}:${one.name}`, one]));
  return [...once].map(([id, { host, name, why }]) => ({
    alertId: `workspace:${id}`,
    kind: 'workspace',
    level: 'high',
    title: `${name} is not served on ${host}`,
    detail: why,
    actor: 'You',
    action: 'mend it, start the worker again',
    at: null,
    goalId: null,
  }));
}

function unanchored({ target, waiting, error, at }: AnchorTargetState): Alert[] {
  if (error === null) return [];
  return [
    {
      alertId: `anchor:${target}`,
      kind: 'anchor',
      level: 'high',
      title: `${target} did not take ${count(waiting, 'head')} of the record`,
      detail: `${error}. It is tried again; goals go on meanwhile.`,
      actor: 'You',
      action: 'mend the place',
      at,
      goalId: null,
    },
  ];
}

function nearlyUsed({ goalId, budget, usage }: Pick<Goal, 'goalId' | 'budget' | 'usage'>): Alert[] {
  const shares = (['tokens', 'costUsd', 'turns', 'activeSeconds'] as const).flatMap((name) =>
    budget[name] === null ? [] : [{ name, share: Number(usage[name]) / Number(budget[name]) }],
  );
  const [nearest] = shares.sort((left, right) => right.share - left.share);
  if (nearest === undefined || nearest.share < NEARLY_USED) return [];
  return [
    {
      alertId: `budget:${goalId}:${nearest.name}`,
      kind: 'budget',
      level: 'low',
      title: `${goalId} has used ${Math.floor(nearest.share * 100)}% of its ${limitWords[nearest.name]}`,
      detail: 'At the limit it wraps up and stops, with all its work kept.',
      actor: 'Agent',
      action: 'goes on until then',
      at: null,
      goalId,
    },
  ];
}

const limitWords = {
  tokens: 'tokens',
  costUsd: 'money',
  turns: 'turns',
  activeSeconds: 'time',
} as const;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

const span = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
