import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createApiMetrics } from '../../src/telemetry/api-metrics.ts';
import { createWorkerMetrics } from '../../src/telemetry/worker-metrics.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** As they are named in expressions, without what histograms add. */
const namesIn = (text: string): string[] => [
  ...new Set(
    (text.match(/\bgoalkeeper_\w+/g) ?? []).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
  ),
];

async function told(): Promise<Set<string>> {
  const text = await createApiMetrics(async () => Promise.reject(new Error('away'))).text();
  const worker = await createWorkerMetrics().registry.metrics();
  return new Set(`${text}${worker}`.match(/(?<=^# TYPE )goalkeeper_\w+/gm));
}

test.each([
  'deploy/prometheus/goalkeeper.rules.yaml',
  'deploy/grafana/goalkeeper.json',
  'docs/monitoring.md',
])('MET-5 %s asks only for what is told', async (path) => {
  const known = await told();
  expect(namesIn(await read(path)).filter((name) => !known.has(name))).toEqual([]);
});

test('MET-6 each metric and each alert is explained', async () => {
  const page = await read('docs/monitoring.md');
  const { groups } = parse(await read('deploy/prometheus/goalkeeper.rules.yaml')) as {
    groups: { rules: { alert: string }[] }[];
  };
  const names = [
    ...(await told()),
    ...groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)),
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('MET-7 a record that is away is told, and no old number stays', async () => {
  let isAway = false;
  const standing = {
    goals: [{ status: 'active', on: 'timer', count: 2 }],
    workers: [],
    queued: 3,
    openApprovals: 0,
    oldestApprovalSeconds: 0,
    oldestUnstartedSeconds: 0,
    oldestDueSeconds: 0,
    undelivered: 0,
    limits: [{ of: 'workspace', name: '', per: 'day', fill: 0.5 }],
  };
  const metrics = createApiMetrics(async () => {
    if (isAway) throw new Error('away');
    return standing;
  });
  expect(await metrics.text()).toContain('goalkeeper_workspace_queue_goals 3');
  isAway = true;
  const text = await metrics.text();
  expect(text).toContain('goalkeeper_record_up 0');
  expect(text).not.toMatch(/^goalkeeper_(workspace_queue_goals|goals\{)/m);
});
