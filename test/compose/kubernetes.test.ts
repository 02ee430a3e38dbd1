import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCompose } from '../../scripts/compose/file.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const base = parse(readFileSync(at('deploy/kubernetes/kustomization.yaml'), 'utf8'));
const { spec } = parse(readFileSync(at('deploy/kubernetes/goalkeeper.yaml'), 'utf8'));
const pod = spec.template.spec;
const { services } = readCompose(
  at('docker-compose.yml'),
  new Proxy({}, { get: (_, name) => `the-${String(name)}` }),
);

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom: readonly unknown[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

const containers: readonly Container[] = [...pod.initContainers, ...pod.containers];

test('SERVE-19 the pod runs the commands of the compose file', () => {
  for (const { name, args } of containers) expect(args, name).toEqual(services[name]?.command);
  expect(containers.map(({ name }) => name)).toEqual(['migrate', 'api', 'worker']);
});

test('SERVE-19 what the pod sets by itself is what the compose file sets, and secrets are in none', () => {
  const literals = base.configMapGenerator[0].literals.map((one: string) => one.split('=')[0]);
  const own = containers.flatMap(({ env = [] }) => env.map(({ name }) => name));
  const known = new Set(
    ['migrate', 'worker'].flatMap((name) => Object.keys(services[name]?.environment ?? {})),
  );
  for (const name of [...literals, ...own]) expect(known, name).toContain(name);
  expect(readFileSync(at('deploy/kubernetes/goalkeeper.yaml'), 'utf8')).not.toMatch(/password/i);
});

test('SERVE-19 the owner of the tables is given to the migration alone', () => {
  const owners = containers.filter((one) => JSON.stringify(one).includes('goalkeeper-owner'));
  expect(owners.map(({ name }) => name)).toEqual(['migrate']);
});

test('SERVE-19 probes ask ports that the containers open, and a stop waits for calls to end', () => {
  const alive = { path: '/healthz' };
  for (const { name, ports = [], ...probes } of containers) {
    const { startupProbe, livenessProbe, readinessProbe } = probes;
    const asked = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    if (name === 'migrate') expect(asked).toEqual([undefined, undefined, undefined]);
    else expect(asked).toMatchObject([alive, alive, { path: '/readyz' }]);
    for (const one of asked) if (one) expect(ports.map((port) => port.name)).toContain(one.port);
  }
  const health = containers.find(({ name }) => name === 'worker')?.env?.[0]?.value;
  expect(health).toBe(services.worker?.environment?.GOALKEEPER_WORKER_HEALTH_PORT);
  expect(`${pod.terminationGracePeriodSeconds / 60}m`).toBe(services.worker?.stop_grace_period);
});
