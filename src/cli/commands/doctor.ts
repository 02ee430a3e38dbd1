import type { AnchorState } from '../../../schema/anchor.ts';
import type { Isolation } from '../../../schema/isolation.ts';
import type { RefusedWorkspace } from '../../../schema/operations.ts';
import { TLS_PROBLEMS, type TlsProblem } from '../../contract/temporal-tls.ts';
import { ApiProblem, type Client, createClient } from '../client.ts';
import { bad, type Finding, good, warning } from '../doctor/finding.ts';
import { diskHere, gitHere } from '../doctor/machine.ts';
import { answersNow, NO_DEFAULT } from '../doctor/online.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { failureOf } from '../failure.ts';
import { mcpServersHere } from '../mcp-servers.ts';
import { protectionHere, protectionOfWorkers } from '../protection.ts';
import { broken, wrapped } from '../screen/fit.ts';
import { resultLook } from '../screen/result-look.ts';
import { findService, homeOf } from '../service.ts';
import type { CommonOptions } from '../session.ts';
import { processTerminal } from '../terminal.ts';

interface DoctorOptions extends CommonOptions {
  /** One real call to the default model, which costs a little. */
  readonly online?: boolean;
}

/** Shows what works, what doesn't, and how to fix it; later checks need the earlier ones. */
export async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const terminal = processTerminal();
  const findings = await examine(options.online === true);
  const isHealthy = findings.every((finding) => finding.isGood);
  const isWarned = findings.some((finding) => finding.isWarning === true);
  if (options.json === true) terminal.out(JSON.stringify({ isHealthy, isWarned, findings }));
  else for (const text of findingLines(findings, options.online === true)) terminal.out(text);
  if (!isHealthy) return EXIT.usage;
  return isWarned ? EXIT.incomplete : EXIT.complete;
}

function findingLines(findings: readonly Finding[], isOnline: boolean): string[] {
  const look = resultLook();
  const { paint } = look;
  const lines = findings.flatMap(({ check, isGood, isWarning, detail }) => {
    const mark = !isGood ? paint.bad('FAIL') : isWarning ? paint.you('WARN') : 'ok  ';
    const [first = '', ...more] = wrapped(detail, broken(look, 16));
    return [
      `${mark} ${check.padEnd(10)} ${first}`,
      ...more.map((text) => `${' '.repeat(16)}${text}`),
    ];
  });
  const mend = findings.filter(({ isGood, isWarning }) => !isGood || isWarning === true).length;
  const online = isOnline ? '' : ' --online makes one real call to the default model.';
  const sum =
    mend === 0 ? 'Nothing to mend.' : `${mend} ${mend === 1 ? 'thing' : 'things'} to mend.`;
  return [
    ...lines,
    ...(look.isFile ? [] : wrapped(`${sum}${online}`, broken(look, 0)).map(paint.dim)),
  ];
}

async function examine(isOnline: boolean): Promise<Finding[]> {
  const findings: Finding[] = [
    nodeVersion(),
    await gitHere(),
    await diskHere(homeOf(process.env)),
    ...(await protection()),
    ...(await mcpServers()),
  ];
  try {
    const service = findService(process.env);
    const client = createClient(service);
    findings.push(good('service', `${service.url} is where it should be`));
    findings.push(...(await servers(service.url)));
    const checks = { workers, encryption, anchors, model: models, workspaces };
    for (const [name, check] of Object.entries(checks)) {
      findings.push(await check(client).catch((error) => unseen(name, error)));
    }
    if (isOnline) findings.push(await answersNow(client).catch((error) => unseen('online', error)));
  } catch (error) {
    const { what, wayOut } = failureOf(error);
    findings.push({ check: 'service', isGood: false, detail: `${what} ${wayOut}` });
  }
  return findings;
}

/** What the token may not ask is no fault of the service. */
function unseen(check: string, error: unknown): Finding {
  if (!(error instanceof ApiProblem) || error.problem.status !== 403) throw error;
  return good(check, 'not looked at: this token may not ask for it');
}

/** The oldest supported version of each major that package.json names. */
const OLDEST_NODES = { 20: '20.19.0', 22: '22.13.0', 24: '24.0.0' };

function nodeVersion(): Finding {
  const { node } = process.versions;
  const line = Number(node.split('.')[0]);
  const oldest = OLDEST_NODES[line as keyof typeof OLDEST_NODES] ?? (line > 24 ? '24.0.0' : null);
  const options = { numeric: true } as const;
  return oldest !== null && node.localeCompare(oldest, undefined, options) >= 0
    ? good('node', process.version)
    : bad(
        'node',
        `${process.version}: ${Object.values(OLDEST_NODES).join(', ')} or newer is needed`,
      );
}

/** Missing protection is no failure: goals run with what there is, and show it. None is a warning. */
async function protection(): Promise<Finding[]> {
  return (await protectionHere()).map(({ check, detail, isOpen }) =>
    isOpen === true ? warning(check, detail) : good(check, detail),
  );
}

/** Connects from here, with the settings that a worker started here would have. */
async function mcpServers(): Promise<Finding[]> {
  const found = await mcpServersHere().catch((error: Error) => [
    { name: 'GOALKEEPER_MCP', problem: error.message, tools: 0, reach: '' },
  ]);
  return found.map(({ name, problem, tools, reach }) =>
    problem === null
      ? good('mcp', `${name} offers ${tools} tools, ${reach}`)
      : bad('mcp', `${name}: ${problem}`),
  );
}

async function servers(url: string): Promise<Finding[]> {
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  if (answer === null)
    return [bad('api', `Nothing answers at ${url}. Start it with "goalkeeper up".`)];
  const { checks = {} } = (await answer.json()) as { checks?: Record<string, string> };
  return Object.entries(checks).map(([name, state]) =>
    state === 'ok' ? good(name, 'answers') : bad(name, wayOutOf(state)),
  );
}

/** `unavailable`, or `unavailable: NAME` where what stands between has one. */
function wayOutOf(state: string): string {
  const name = state.slice('unavailable: '.length);
  if (!(name in TLS_PROBLEMS)) return `${state}; see the log of the service`;
  const problem = name as TlsProblem;
  const settings = problem === 'access_refused' ? 'TEMPORAL_API_KEY' : 'the TEMPORAL_TLS_ settings';
  return `${state}: ${TLS_PROBLEMS[problem]}. Correct ${settings} (docs/security.md, "Temporal by TLS")`;
}

interface SeenWorker {
  readonly seenAt: string;
  readonly isolation?: Isolation;
  readonly limitedBy?: 'kernel' | 'counting';
  readonly temporalKey?: string | null;
  readonly refused?: readonly RefusedWorkspace[];
}

async function aliveWorkers(client: Client): Promise<SeenWorker[]> {
  const { items } = await client.get<{ items: SeenWorker[] }>('/v1/workers');
  return items.filter(({ seenAt }) => Date.now() - Date.parse(seenAt) < 30_000);
}

/** Is what Temporal is told encrypted, and by one key? */
async function encryption(client: Client): Promise<Finding> {
  const alive = await aliveWorkers(client);
  const keys = [...new Set(alive.map(({ temporalKey }) => temporalKey ?? 'none'))];
  if (keys.includes('none'))
    return bad('encryption', 'A worker of an older version sends plain payloads: update it.');
  if (keys.length > 1) {
    const differ = `Workers encrypt by different keys (${keys.join(', ')})`;
    return bad('encryption', `${differ}: give all the same GOALKEEPER_TEMPORAL_KEYS.`);
  }
  const said = keys.map((key) => `by the key ${key}`).join();
  return good('encryption', `what Temporal is told is encrypted ${said}`.trim());
}

async function workers(client: Client): Promise<Finding> {
  const alive = await aliveWorkers(client);
  if (alive.length > 0) {
    const said = `${alive.length} alive, ${protectionOfWorkers(alive)}`;
    const isOpen = alive.some(({ isolation = 'none' }) => isolation === 'none');
    return isOpen ? warning('workers', said) : good('workers', said);
  }
  return bad('workers', 'None was seen for 30 s. Start one with "goalkeeper worker".');
}

/** Do the places outside have the newest signed heads? */
async function anchors(client: Client): Promise<Finding> {
  const { head, targets } = await client.get<AnchorState>('/v1/anchors');
  const failing = targets.filter(({ error }) => error !== null);
  if (failing.length > 0) {
    const said = failing.map(
      ({ target, waiting, error }) => `${target} (${waiting} wait): ${error}`,
    );
    return bad('anchors', said.join('; '));
  }
  if (targets.length === 0) return good('anchors', 'none: GOALKEEPER_ANCHORS is not set');
  return good(
    'anchors',
    `${targets.length} of ${targets.length} places take heads; ${head?.at ?? 'none yet'}`,
  );
}

async function models(client: Client): Promise<Finding> {
  const { items } = await client.get<{
    items: { model: string; isDefault: boolean; problem: string | null }[];
  }>('/v1/models');
  const chosen = items.find(({ isDefault }) => isDefault);
  if (chosen === undefined) return bad('model', NO_DEFAULT);
  return chosen.problem === null ? good('model', chosen.model) : bad('model', chosen.problem);
}

async function workspaces(client: Client): Promise<Finding> {
  const { items } = await client.get<{
    items: { name: string; worktreeProblem: string | null }[];
  }>('/v1/workspaces');
  const refused = (await aliveWorkers(client)).flatMap((worker) => worker.refused ?? []);
  if (refused.length > 0) {
    const said = refused.map(({ name, why }) => `${name} is not served: ${why}`);
    return bad('workspaces', `${said.join('; ')}. Mend it, and start the worker again.`);
  }
  const names = items.map(({ name }) => name).join(', ');
  const without = items.flatMap(({ name, worktreeProblem }) =>
    worktreeProblem === null ? [] : [`; no worktree of ${name}, as it ${worktreeProblem}`],
  );
  return good('workspaces', items.length === 0 ? 'none yet' : `${names}${without.join('')}`);
}
