import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import postgres from 'postgres';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import { type ComposeFile, readCompose } from '../compose/file.ts';
import { type Host, openHost } from '../compose/host.ts';
import { furnish, type Place, placeOf } from '../compose/place.ts';
import { firstProcess } from '../compose/process.ts';
import { localPrograms } from '../compose/programs.ts';
import { type Replica, replicaOf } from '../compose/replica.ts';
import { type LocalStack, localStack } from '../compose/stack.ts';
import { type Service, serviceAt } from './service.ts';
import { type Goals, goalsOf, type Lane } from './traffic.ts';
import { type Asked, askedModel } from './work.ts';

/** All that the plays act on. */
export interface Stage {
  readonly stack: LocalStack;
  readonly place: Place;
  readonly replica: Replica;
  readonly first: Host;
  readonly second: Host;
  readonly variables: Readonly<Record<string, string>>;
  readonly token: string;
  /** The owner's URL of Goalkeeper's database. */
  readonly database: string;
  readonly service: Service;
  readonly model: Asked;
  readonly goals: Goals;
  /** Acts once, before the next such goal claims to be done. @returns when it acted */
  whenWritten(isIt: (goalId: string) => boolean, act: () => Promise<void>): Promise<void>;
  /** Ends all of it. @returns the names of what did not end */
  close(): Promise<readonly string[]>;
}

/**
 * Workspaces by the host that serves them. Those of `moving` are the first one's, and the second one takes
 * them up whenever it lets go: after a loss of power as well as while its workers are replaced.
 */
export const LANES = {
  moving: ['one', 'two'],
  first: ['five', 'six'],
  second: ['three', 'four'],
} as const;

const secret = (): string => randomBytes(16).toString('hex');

function variablesWith(modelUrl: string): Record<string, string> {
  const secrets = ['POSTGRES', 'OWNER', 'WRITER', 'READER', 'TEMPORAL'].map((name) => [
    `${name}_PASSWORD`,
    secret(),
  ]);
  return {
    ...Object.fromEntries(secrets),
    GOALKEEPER_LEDGER_KEY: secret(),
    GOALKEEPER_SEALED_KEYS: secret(),
    GOALKEEPER_TEMPORAL_KEYS: secret(),
    GOALKEEPER_TOKENS: `operator:${secret()}`,
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: modelUrl,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  };
}

const folderOf = (name: string): string => `/lanes/${name}`;

export const laneOf = (place: Place, workspace: string): Lane => ({
  workspace,
  folder: place.path(workspace === 'main' ? '/workspace' : folderOf(workspace)),
});

/** The file's two workers have more workspaces, and a third one on another host is of a pool of its own. */
function withThirdWorker({ services, configs }: ComposeFile): ComposeFile {
  const { worker } = services;
  if (worker === undefined) throw new Error('the compose file has no worker');
  const volumes = Object.values(LANES)
    .flat()
    .map((name) => `lanes:${folderOf(name)}`);
  const serving = (names: readonly string[]) =>
    names.flatMap((name) => ['--workspace', `${name}=${folderOf(name)}`]);
  const ready =
    "fetch('http://127.0.0.1:7430/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))";
  return {
    configs,
    services: {
      ...services,
      worker: {
        ...worker,
        command: [...(worker.command ?? []), ...serving([...LANES.moving, ...LANES.first])],
        volumes: [...(worker.volumes ?? []), ...volumes],
      },
      'worker-2': {
        ...worker,
        command: ['worker', ...serving([...LANES.second, ...LANES.moving])],
        environment: { ...worker.environment, GOALKEEPER_POOL: 'second' },
        healthcheck: { test: ['CMD', 'node', '-e', ready] },
      },
    },
  };
}

export async function openStage(compose: string, root: string): Promise<Stage> {
  if (process.getuid?.() !== 0) throw new Error('hosts have networks of their own: run it as root');
  let waiting: { isIt(goalId: string): boolean; act(): Promise<void> } | null = null;
  const model = askedModel(async (goalId) => {
    if (!waiting?.isIt(goalId)) return;
    const { act } = waiting;
    waiting = null;
    await act();
  });
  const server = await startScriptedModel({ script: model.script });
  const closing: (() => void | Promise<void>)[] = [() => server.close()];
  const variables = variablesWith(server.url);
  const given = withThirdWorker(readCompose(compose, variables));
  const place = await placeOf(given, root);
  furnish(given, place);
  const version = /:([^@]+)/.exec(given.services.temporal?.image ?? '')?.[1] ?? '';
  const programs = await localPrograms(join(root, 'bin'), version);
  const [first, second] = ['host-1', 'host-2'].map((name, at) => {
    const host = openHost(name, at + 1, root);
    closing.push(() => host.remove());
    return host;
  }) as [Host, Host];
  for (const host of [first, second]) {
    for (const port of [place.port(7233), portOf(server)]) await host.reach(port);
  }
  const replica = await replicaOf(given, place, programs);
  closing.push(() => replica.stop());
  const { file } = replica;
  const stack = localStack(file, place, programs, { worker: first, 'worker-2': second });
  const token = variables.GOALKEEPER_TOKENS?.split(':')[1] ?? '';
  const service = serviceAt(`http://127.0.0.1:${place.port(7420)}`, token);
  return {
    ...{ stack, place, replica, first, second, variables, token, service, model },
    database: place.text(file.services.migrate?.environment?.OWNER_DATABASE_URL ?? ''),
    goals: goalsOf(service),
    whenWritten: (isIt, act) =>
      new Promise<void>((resolve, reject) => {
        waiting = { isIt, act: () => act().then(resolve, reject) };
      }),
    async close() {
      const names = Object.keys(file.services);
      const all = names.map((name) => [name, stack.process(name)] as const);
      await stack.down();
      for (const end of closing.toReversed()) await end();
      const left = all.filter(([, child]) => child && child.exitCode === null && !child.signalCode);
      return left.map(([name]) => name);
    },
  };
}

const portOf = ({ url }: ScriptedModel): number => Number(new URL(url).port);

/** A worker that runs something, by what it told the record; its number is one of its host. */
export async function killBusyWorker({ database, stack }: Stage): Promise<void> {
  const sql = postgres(database, { max: 1 });
  const [row] = await sql`
    SELECT pid FROM worker WHERE host = 'goalkeeper' ORDER BY slices DESC, seen_at DESC LIMIT 1`;
  await sql.end();
  const parent = stack.process('worker');
  const inside = parent && firstProcess(parent);
  if (!inside) throw new Error('the first host runs nothing');
  const there = ['--target', String(inside), '--pid', '--mount'];
  execFileSync('nsenter', [...there, 'kill', '-KILL', String(row?.pid)]);
}
