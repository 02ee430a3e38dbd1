import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ComposeFile, inOrder, type Service } from './file.ts';
import type { Host } from './host.ts';
import { type Image, imageOf, MAIN } from './image.ts';
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
  /** Takes a service's place by one of another build, and waits until that is healthy. */
  replace(name: string, main: string): Promise<void>;
  /** The machine of a service loses its power. */
  cutOff(name: string): Promise<void>;
  /** Ends all, those that others depend on last. */
  down(): Promise<void>;
}

const PATIENCE_MS = 120_000;
const DEFAULT_GRACE_MS = 10_000;

/** The compose file's services as processes of this machine. */
export function localStack(
  file: ComposeFile,
  place: Place,
  programs: string,
  /** Those of services that have one to themselves. */
  hosts: Readonly<Record<string, Host>> = {},
): LocalStack {
  const children = new Map<string, ChildProcess>();
  /** Of services that are of another build by now. */
  const mains = new Map<string, string>();
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
      ...Object.fromEntries(local.map(([key, value = '']) => [key, seenFrom(hosts[name], value)])),
      ...(hosts[name] && { HOME: hosts[name].home, TMPDIR: hosts[name].scratch }),
      PATH: `${programs}:${process.env.PATH}`,
      LANG: 'C.UTF-8',
    };
  };
  const run = async (name: string, argv: readonly string[], log: string) => {
    const environment = await environmentOf(name);
    const user = hosts[name] === undefined ? (images.get(name)?.user ?? null) : null;
    return begin({ argv, environment, cwd: place.root, user, log: join(logs, log) });
  };

  async function launch(name: string): Promise<ChildProcess> {
    await environmentOf(name);
    const given = (serviceOf(name).command ?? []).map(place.text);
    const own = (await images.get(name)?.argv(given)) ?? given;
    const argv = own.map((word) => (word === MAIN ? (mains.get(name) ?? MAIN) : word));
    const host = hosts[name];
    const environment = await environmentOf(name);
    const user = host === undefined ? (images.get(name)?.user ?? null) : null;
    const log = join(logs, `${name}.log`);
    const whole = host?.enter(argv) ?? argv;
    const child = begin({ argv: whole, environment, cwd: place.root, user, log });
    children.set(name, child);
    return child;
  }

  async function isHealthy(name: string): Promise<boolean> {
    const [how, ...test] = serviceOf(name).healthcheck?.test ?? [];
    if (how === undefined) return true;
    if (how !== 'CMD') throw new Error(`${name}: healthchecks are CMD here`);
    const asked = test.map(place.text);
    const argv = hosts[name]?.beside(asked) ?? asked;
    return (await finished(await run(name, argv, `${name}-health.log`))) === 0;
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
      if (child) await end(child, graceOf(serviceOf(name)), name in hosts);
      children.delete(name);
    },
    async replace(name, main) {
      mains.set(name, main);
      await stack.stop(name);
      await launch(name);
      await untilHealthy(name);
    },
    async cutOff(name) {
      hosts[name]?.cut();
      const child = children.get(name);
      if (child) await end(child, 0, name in hosts);
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

const seenFrom = (host: Host | undefined, value: string): string =>
  host === undefined ? value : value.replaceAll('127.0.0.1', host.gateway);
