import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ComposeFile, inOrder, type Service } from './file.ts';
import { type Image, imageOf } from './image.ts';
import { makeFolder, type Place } from './place.ts';
import { begin, end, finished, isOver } from './process.ts';

export interface LocalStack {
  /** Runs a service, its dependencies first, and waits as long as others would wait for it. */
  start(name: string): Promise<void>;
  /** Runs a service that ended once more, as `docker compose up` does again. */
  again(name: string): Promise<void>;
  process(name: string): ChildProcess | undefined;
  isHealthy(name: string): Promise<boolean>;
  untilHealthy(name: string): Promise<void>;
  /** Ends a service as `docker compose stop` does. */
  stop(name: string): Promise<void>;
  /** Ends all, those that others depend on last. */
  down(): Promise<void>;
}

const PATIENCE_MS = 120_000;
const DEFAULT_GRACE_MS = 10_000;

/** The compose file's services as processes of this machine. */
export function localStack(file: ComposeFile, place: Place, programs: string): LocalStack {
  const children = new Map<string, ChildProcess>();
  const images = new Map<string, Image>();
  const logs = join(place.root, 'logs');
  mkdirSync(logs, { recursive: true });
  const order = inOrder(file.services);
  makeFolder(place.path('/home/node'), 'node');
  chmodSync(place.root, 0o755);

  const serviceOf = (name: string): Service => {
    const service = file.services[name];
    if (service === undefined) throw new Error(`no service ${name}`);
    return service;
  };
  const environmentOf = async (name: string): Promise<Record<string, string>> => {
    const service = serviceOf(name);
    const image = images.get(name) ?? imageOf(service, place);
    images.set(name, image);
    const said = { ...service.environment, ...(await image.environment()) };
    const local = Object.entries(said).map(([key, value]) => [
      key,
      place.setting(key, String(value)),
    ]);
    return {
      ...Object.fromEntries(local),
      PATH: `${programs}:${process.env.PATH}`,
      LANG: 'C.UTF-8',
    };
  };
  const run = async (name: string, argv: readonly string[], log: string) => {
    const environment = await environmentOf(name);
    const user = images.get(name)?.user ?? null;
    return begin({ argv, environment, cwd: place.root, user, log: join(logs, log) });
  };

  async function launch(name: string): Promise<ChildProcess> {
    await environmentOf(name);
    const given = (serviceOf(name).command ?? []).map(place.text);
    const argv = (await images.get(name)?.argv(given)) ?? given;
    const child = await run(name, argv, `${name}.log`);
    children.set(name, child);
    return child;
  }

  async function isHealthy(name: string): Promise<boolean> {
    const [how, ...test] = serviceOf(name).healthcheck?.test ?? [];
    if (how === undefined) return true;
    if (how !== 'CMD') throw new Error(`${name}: healthchecks are CMD here`);
    return (await finished(await run(name, test.map(place.text), `${name}-health.log`))) === 0;
  }

  async function untilHealthy(name: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await isHealthy(name))) {
      const child = children.get(name);
      if (child && isOver(child)) throw new Error(`${name} ended with ${child.exitCode}`);
      if (Date.now() > deadline) throw new Error(`${name} does not become healthy`);
      await sleep(500);
    }
  }

  async function untilMet(name: string, condition: string): Promise<void> {
    if (condition === 'service_healthy') return await untilHealthy(name);
    if (condition !== 'service_completed_successfully') return;
    await completed(name);
  }

  /** A job that failed is run again, as `restart: on-failure` says. */
  async function completed(name: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const child = children.get(name) ?? (await launch(name));
      const code = await finished(child);
      if (code === 0) return;
      if (tries > 5 || serviceOf(name).restart === undefined)
        throw new Error(`${name} ended with ${code}`);
      await sleep(1000);
      await launch(name);
    }
  }

  const stack: LocalStack = {
    isHealthy,
    untilHealthy,
    process: (name) => children.get(name),
    async start(name) {
      for (const [needed, { condition }] of Object.entries(serviceOf(name).depends_on ?? {})) {
        if (!children.has(needed)) await stack.start(needed);
        await untilMet(needed, condition);
      }
      if (!children.has(name)) await launch(name);
    },
    async again(name) {
      await launch(name);
      await completed(name);
    },
    async stop(name) {
      const child = children.get(name);
      if (child) await end(child, graceOf(serviceOf(name)));
      children.delete(name);
    },
    async down() {
      for (const name of order.toReversed()) await stack.stop(name);
    },
  };
  return stack;
}

/** Such as `6m` and `30s`. */
function graceOf({ stop_grace_period: period }: Service): number {
  const [, number, unit] = /^(\d+)([sm])$/.exec(period ?? '') ?? [];
  if (number === undefined) return DEFAULT_GRACE_MS;
  return Number(number) * (unit === 'm' ? 60_000 : 1000);
}
