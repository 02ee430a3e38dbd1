import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { objectiveOf, reply, type ScriptedReply } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { Goal } from '../../schema/goal.ts';
import { readRunState } from '../../src/stack/run-file.ts';
import { compiled } from '../support/compiled.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { CLI_FOLDER } from '../support/servers.ts';
import type { Mode } from './attempts.ts';

/** `goalkeeper up` as a person runs it: its own PostgreSQL and Temporal, a worker and the API. */
export interface Service {
  readonly mode: Mode;
  readonly url: string;
  readonly home: string;
  /** The home of the person who started it. */
  readonly person: string;
  readonly pid: number;
  readonly model: ScriptedModel;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders that it serves under these names. */
  readonly workspaces: Readonly<Record<'shop' | 'till', string>>;
  /** What `up` has printed so far. */
  printed(): string;
  /** A folder with these files that belongs to whom the goal's commands may run for. */
  folder(files?: Readonly<Record<string, string | Buffer>>): string;
  call(line: string, options?: CallOptions): Promise<Answer>;
  /** A goal whose model makes these calls, one a step, and then asks a person. */
  play(calls: readonly ScriptedReply[], goal?: object, as?: string): Promise<Played>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly as?: string | null;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by tests that know them
  readonly body: any;
}

export interface Played {
  readonly goalId: string;
  readonly goal: Goal;
  readonly folder: string;
  /** What the model was told of each call. */
  readonly results: readonly string[];
}

export const TOKENS = {
  admin: 'admin-token-9f3b1c77d2e84a60',
  operator: 'operator-token-5d1e90aa47b3c2f8',
  agent: 'agent-token-77c0f4e1b2a9d356',
  viewer: 'viewer-token-e0a4b6c8d2f19375',
} as const;

/** What nobody may find: secrets of the service's environment. */
export const CANARY = 'kestrel-9c41f7aa20be-canary';
export const LEDGER_KEY = 'ledger-key-b81d6c02f93e4a57';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Programs of one's own: whose digests are root's alone, nobody else can tell whether they are. */
function givePrograms(folder: string): void {
  mkdirSync(folder);
  chownSync(folder, NOBODY, NOBODY);
  for (const name of readdirSync(CLI_FOLDER)) {
    if (name.endsWith('.sha256')) continue;
    copyFileSync(join(CLI_FOLDER, name), join(folder, name));
    chownSync(join(folder, name), NOBODY, NOBODY);
  }
}

/** Why this run can't have the service in that mode; null where it can. */
export const whyNot = ({ user }: Mode): string | null =>
  user === 'root' && !isRoot ? 'not root' : null;

export async function openService(
  mode: Mode,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const isOther = mode.user === 'ordinary' && isRoot;
  const own = (path: string): string => {
    if (isOther || (isRoot && !mode.sandbox)) chownSync(path, NOBODY, NOBODY);
    return path;
  };
  const home = memoryFolder('goalkeeper-attacked-');
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-attacked-'));
  chmodSync(root, 0o755);
  if (isOther) chownSync(home, NOBODY, NOBODY);
  chmodSync(home, mode.user === 'root' && !mode.sandbox ? 0o711 : 0o700);
  if (isOther) givePrograms(join(home, 'bin'));
  else symlinkSync(CLI_FOLDER, join(home, 'bin'));
  const folder: Service['folder'] = (files = {}) => {
    const made = mkdtempSync(join(root, 'workspace-'));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(made, path)), { recursive: true });
      own(dirname(join(made, path)));
      writeFileSync(join(made, path), content);
      own(join(made, path));
    }
    return own(made);
  };
  const workspaces = {
    shop: folder({ 'shop.txt': 'CANARY-SHOP\n' }),
    till: folder({ 'till.txt': 'CANARY-TILL\n' }),
  };
  const person = makePerson(root, isOther);
  const plans = new Map<
    string,
    { readonly calls: readonly ScriptedReply[]; readonly results: string[] }
  >();
  const model = await startScriptedModel({
    script: (request) => {
      const plan = plans.get(objectiveOf(request).split(':')[0] ?? '');
      if (plan === undefined) return reply.text('?');
      const position = request.messages.filter(({ role }) => role === 'assistant').length;
      const last = request.messages.findLast(({ role }) => role === 'tool');
      if (position > 0 && last !== undefined) plan.results[position - 1] ??= last.text;
      return plan.calls[position] ?? reply.call('ask_user', { question: 'Is that all?' });
    },
  });
  const settings = {
    PATH: process.env.PATH ?? '',
    HOME: person,
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_DRAIN_SECONDS: '10',
    GOALKEEPER_SANDBOX: mode.sandbox ? 'auto' : 'off',
    GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
    GOALKEEPER_TOKENS: Object.entries(TOKENS)
      .map((pair) => pair.join(':'))
      .join(','),
    GOALKEEPER_LEDGER_KEY: LEDGER_KEY,
    GOALKEEPER_NOTIFY_SECRET: `notify-${CANARY}`,
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    OPENAI_COMPATIBLE_API_KEY: CANARY,
    ...environment,
  };
  // The run's own bundle lies in a folder of root's.
  if (isRoot) chmodSync(dirname(settings.GOALKEEPER_WORKFLOW_BUNDLE), 0o755);
  const up = startUp(settings, isOther, workspaces);
  await up.ready;
  const url = readRunState(home)?.apiUrl ?? '';
  // A worker that looks for its MCP servers first serves nothing yet.
  for (let looks = 0; looks < 600; looks += 1) {
    if ((await call(url, 'GET /v1/workspaces')).text.includes('"shop"')) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  let plays = 0;
  const service: Service = {
    ...{ mode, url, home, person, model, workspaces, folder, environment: settings },
    pid: up.child.pid ?? 0,
    printed: up.printed,
    call: (line, options) => call(url, line, options),
    async play(calls, goal = {}, as = TOKENS.admin) {
      plays += 1;
      const name = `plays-${plays}`;
      const results: string[] = [];
      plans.set(name, { calls, results });
      const given = (goal as { workspace?: { path: string } }).workspace?.path ?? folder();
      const { body, status } = await service.call('POST /v1/goals', {
        as,
        body: {
          objective: `${name}: go`,
          criteria: [{ kind: 'file', path: 'never.txt', exists: true }],
          scope: { change: ['**'] },
          workspace: { path: given },
          policy: { tools: [{ tool: '*', decision: 'allow' }] },
          ...goal,
        },
      });
      if (status !== 201) throw new Error(`not started: ${status} ${JSON.stringify(body)}`);
      const ended = await rest(service, body.goalId);
      return { goalId: body.goalId, goal: ended, folder: given, results };
    },
    async close() {
      up.child.kill('SIGINT');
      await up.ended;
      await model.close();
      const apart = dirname(databaseFolder(home));
      for (const path of [apart, home, root]) rmSync(path, { recursive: true, force: true });
    },
  };
  return service;
}

/** Where its PostgreSQL keeps its files: beside the home where that is closed to PostgreSQL. */
export const databaseFolder = (home: string): string =>
  readFileSync(join(home, 'postgres-folder'), 'utf8').trim();

/** The home of whoever started the service, with what people have there. */
function makePerson(root: string, isOther: boolean): string {
  const person = join(root, 'person');
  const files = ['.ssh/id_ed25519', '.npmrc', '.bash_history', '.aws/credentials'];
  mkdirSync(person, { mode: 0o700 });
  for (const name of files) {
    mkdirSync(dirname(join(person, name)), { recursive: true });
    writeFileSync(join(person, name), 'CANARY-PERSON\n', { mode: 0o600 });
    if (isOther) chownSync(join(person, name), NOBODY, NOBODY);
    if (isOther) chownSync(dirname(join(person, name)), NOBODY, NOBODY);
  }
  return person;
}

function startUp(
  environment: Record<string, string>,
  isOther: boolean,
  workspaces: Service['workspaces'],
) {
  const names = Object.entries(workspaces).flatMap((pair) => ['--workspace', pair.join('=')]);
  const child: ChildProcess = spawn(
    process.execPath,
    [compiled('src/cli/main.ts'), 'up', ...names],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: tmpdir(),
      ...(isOther && { uid: NOBODY, gid: NOBODY }),
    },
  );
  let printed = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (chunk: string) => {
      printed += chunk;
      if (printed.includes('documentation at')) resolve();
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    void ended.then(() => reject(new Error(`up ended: ${printed}`)));
  });
  return { child, ready, ended, printed: () => printed };
}

async function call(url: string, line: string, options: CallOptions = {}): Promise<Answer> {
  const [method = 'GET', ...path] = line.split(' ');
  const { as = TOKENS.admin, body, raw } = options;
  const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
  const answer = await fetch(url + path.join(' '), {
    method,
    redirect: 'manual',
    body: sent,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${as}` }),
      ...(sent === null ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return {
    ...{ status: answer.status, headers: answer.headers, text },
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

const REST_MS = 240_000;

/** Until the goal does nothing by itself. */
export async function rest(service: Pick<Service, 'call'>, goalId: string): Promise<Goal> {
  const end = Date.now() + REST_MS;
  for (;;) {
    const { body } = await service.call(`GET /v1/goals/${goalId}`);
    const { status, activity } = body as Goal;
    if (status !== 'active' && activity.state === 'idle') return body;
    if (activity.state === 'waiting' && activity.on === 'approval') return body;
    if (Date.now() > end) throw new Error(`it goes on: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
