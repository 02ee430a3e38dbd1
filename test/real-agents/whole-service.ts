import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentSettings } from '../../schema/agents.ts';
import { type Client, createClient } from '../../src/cli/client.ts';
import type { LocalProcess } from '../../src/contract/process-identity.ts';
import { isRunning, listProcesses } from '../../src/process/process-identity.ts';
import { readRunState } from '../../src/stack/run-file.ts';
import { type Running, start } from '../cli/command-line.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { CLI_FOLDER } from '../support/servers.ts';

/** `goalkeeper up` with PostgreSQL and Temporal of its own, which dies and comes back as a whole. */
export interface WholeService {
  /** Of the `up` that runs now. */
  client(): Client;
  /** A new folder for a goal. */
  folder(): string;
  up(): Promise<void>;
  /**
   * All of its processes at one moment: `up`, API, workers, Temporal, PostgreSQL, whatever works for
   * a goal, and what was started by any of these.
   *
   * @returns their command lines
   */
  killAll(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const TOKEN = 'whole-operator-token-0000';

export function wholeService(
  agents: Readonly<Record<string, AgentSettings>>,
  modelUrl: string,
): WholeService {
  const home = memoryFolder('goalkeeper-whole-');
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-whole-'));
  // The Temporal that the run's own server uses, without another download.
  symlinkSync(CLI_FOLDER, join(home, 'bin'));
  const environment = {
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_DRAIN_SECONDS: '10',
    GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
    GOALKEEPER_TOKENS: `operator:${TOKEN}`,
    GOALKEEPER_LEDGER_KEY: 'ledger-key-of-a-whole-service-0000',
    GOALKEEPER_AGENTS: JSON.stringify(agents),
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: modelUrl,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  };
  let running: Running | null = null;
  return {
    client: () => createClient({ url: readRunState(home)?.apiUrl ?? '', token: TOKEN }),
    folder: () => mkdtempSync(join(root, 'workspace-')),
    async up() {
      const now = start(['up'], environment);
      running = now;
      const ended = now.done.then(({ err }): never => {
        throw new Error(`up ended: ${err}`);
      });
      ended.catch(() => {});
      await Promise.race([now.untilErr('documentation at'), ended]);
    },
    async killAll() {
      const all = freeze([running?.pid ?? 0, ...partsOf(home)]);
      const lines = all.map(lineOf);
      for (const pid of all) send(pid, 'SIGKILL');
      await running?.done;
      running = null;
      return lines;
    },
    async close() {
      running?.interrupt();
      await running?.done;
      const database = dirname(databaseFolder(home));
      for (const path of [database, home, root]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Where its PostgreSQL keeps its files: beside the home where that is closed to PostgreSQL. */
const databaseFolder = (home: string): string =>
  readFileSync(join(home, 'postgres-folder'), 'utf8').trim();

/** Its servers and children, which may have another parent than `up`. */
function partsOf(home: string): number[] {
  const pidFile = join(databaseFolder(home), 'postmaster.pid');
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const temporal = JSON.parse(readFileSync(join(home, 'temporal.pid'), 'utf8')) as LocalProcess;
  const children = Object.values(readRunState(home)?.children ?? {});
  const recorded = [temporal, ...children].filter(isRunning).map(({ pid }) => pid);
  return [postmaster, ...recorded];
}

/** With all that they started, and stopped: none of them starts another while others are looked for. */
function freeze(roots: readonly number[]): number[] {
  const frozen = new Set<number>();
  for (;;) {
    const fresh = listProcesses().filter(
      ({ pid, parent }) => !frozen.has(pid) && (roots.includes(pid) || frozen.has(parent)),
    );
    if (fresh.length === 0) return [...frozen];
    for (const { pid } of fresh) {
      send(pid, 'SIGSTOP');
      frozen.add(pid);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself meanwhile.
  }
}

function lineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
