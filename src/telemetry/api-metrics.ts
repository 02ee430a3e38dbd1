import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MeasuredStanding } from '../contract/standing.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface ApiMetrics {
  /** In Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
  /** @param route the pattern with which the route was registered, never the path itself */
  request(seen: { method: string; route: string; status: number; seconds: number }): void;
}

/** What the API counts since its start, and how the service stands at each look. */
export function createApiMetrics(standing: () => Promise<MeasuredStanding>): ApiMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'goalkeeper_http_requests_total',
    help: 'Requests that were answered, by route.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'goalkeeper_http_request_seconds',
    help: 'Time until the answer was sent; event streams are not in it.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const show = gaugesOf(registers);
  return {
    contentType: registry.contentType,
    async text() {
      await show(standing);
      return registry.metrics();
    },
    request({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
  };
}

/** A record that is away is told by a gauge, and leaves out what only it knows. */
function gaugesOf(
  registers: Registry[],
): (standing: () => Promise<MeasuredStanding>) => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `goalkeeper_${name}`, help, labelNames, registers });
  const up = gauge('record_up', '1 where the database answered this look.');
  const goals = gauge('goals', 'Goals that are not archived, by status and what they wait for.', [
    'status',
    'on',
  ]);
  const limits = gauge(
    'spend_limit_fill',
    'Spent part of each spend limit in its period; of one for each, the fullest.',
    ['of', 'name', 'per'],
  );
  const workers = gauge('workers', 'Workers of the last day, by state.', ['state']);
  const plain = {
    queued: gauge('workspace_queue_goals', 'Goals in the lines for workspaces.'),
    openApprovals: gauge('open_approvals', 'Approvals that wait for a person.'),
    oldestApprovalSeconds: gauge('oldest_open_approval_seconds', 'Age of the oldest of them.'),
    oldestUnstartedSeconds: gauge(
      'oldest_unstarted_goal_seconds',
      'Age of the oldest accepted goal that nothing runs.',
    ),
    oldestDueSeconds: gauge(
      'oldest_due_wait_seconds',
      'Time since the oldest wait was due that was not decided yet.',
    ),
    undelivered: gauge('undelivered_notifications', 'Webhook deliveries that wait for a retry.'),
  };
  const all = [goals, workers, limits, ...Object.values(plain)];
  return async (standing) => {
    for (const one of all) one.reset();
    const now = await standing().catch(() => null);
    up.set(now === null ? 0 : 1);
    if (now === null) {
      for (const one of Object.values(plain)) one.remove();
      return;
    }
    for (const { status, on, count } of now.goals) goals.set({ status, on }, count);
    for (const { fill, ...limit } of now.limits) limits.set(limit, fill);
    for (const { state, count } of now.workers) workers.set({ state }, count);
    for (const [name, one] of Object.entries(plain)) one.set(now[name as keyof typeof plain]);
  };
}
