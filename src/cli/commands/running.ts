import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalProcess } from '../../contract/process-identity.ts';
import { signalProcess } from '../../process/end-process.ts';
import { readFileIfAny } from '../../process/private-file.ts';
import { isRunning } from '../../process/process-identity.ts';
import { lockHome } from '../../stack/home-lock.ts';
import { endLeftoverPostgres } from '../../stack/postgres.ts';
import { endLeftoverChildren, readRunState } from '../../stack/run-file.ts';
import { endLeftoverTemporal } from '../../stack/temporal.ts';
import { createClient } from '../client.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Standing, standingLines } from '../inbox-text.ts';
import { resultLook } from '../screen/result-look.ts';
import { findService, homeOf } from '../service.ts';
import type { CommonOptions } from '../session.ts';
import { readStanding } from '../standing.ts';
import { processTerminal, table } from '../terminal.ts';

const LOOK_EVERY_MS = 100;

/** Stops the `up` of this home and waits for its end; ends what a killed one left. */
export async function down(options: CommonOptions & { readonly now?: boolean }): Promise<ExitCode> {
  const home = homeOf(process.env);
  const terminal = processTerminal();
  const holder = existsSync(home) ? holderOf(home) : null;
  if (holder === null) {
    const left = existsSync(home) && (await endLeft(home));
    const said = left ? `ended what a killed run left in ${home}` : `nothing runs from ${home}`;
    terminal.out(options.json === true ? JSON.stringify({ stopped: left }) : said);
    return EXIT.complete;
  }
  signalProcess(holder, 'SIGTERM');
  terminal.err(`stopping the process ${holder.pid}; running calls get their time to end`);
  if (options.now === true) signalProcess(holder, 'SIGTERM');
  while (isRunning(holder)) {
    await sleep(LOOK_EVERY_MS);
    // Workers that began to stop meanwhile are told again.
    if (options.now === true) signalProcess(holder, 'SIGTERM');
  }
  terminal.out(options.json === true ? JSON.stringify({ stopped: true }) : 'stopped');
  return EXIT.complete;
}

/** The `up` that serves this home. */
function holderOf(home: string): LocalProcess | null {
  const holder = parsed(readFileIfAny(join(home, 'up.lock')));
  return holder !== null && isRunning(holder) ? holder : null;
}

/** Under the lock, so that no `up` begins meanwhile. */
async function endLeft(home: string): Promise<boolean> {
  const unlock = lockHome(home, () => null);
  try {
    const left = Object.values(readRunState(home)?.children ?? {}).some(isRunning);
    await endLeftoverChildren(home);
    await endLeftoverTemporal(home);
    await endLeftoverPostgres(home);
    return left;
  } finally {
    unlock();
  }
}

interface Part {
  readonly name: string;
  readonly pid: number;
  readonly isRunning: boolean;
}

/** What runs from this home, by part, and whether the API says that all of it answers. */
export async function status(
  options: CommonOptions & { readonly exitCode?: boolean },
): Promise<ExitCode> {
  const home = homeOf(process.env);
  const terminal = processTerminal();
  const up = holderOf(home);
  const state = readRunState(home);
  const parts = [
    ...(up === null ? [] : [{ name: 'up', pid: up.pid, isRunning: true }]),
    ...partsOf(home, state?.children ?? {}),
  ];
  const url = state?.apiUrl ?? null;
  const checks = up === null || url === null ? null : await checksOf(url);
  const isReady = checks !== null && Object.values(checks).every((said) => said === 'ok');
  const readiness = checks === null ? 'not ready' : sayChecks(checks);
  const standing = isReady ? await standingHere() : null;
  const holding = standing?.inbox.items.filter(({ holds }) => holds).length ?? 0;
  if (options.json === true)
    terminal.out(JSON.stringify({ home, url, isReady, parts, checks, holding }));
  else if (up === null && parts.every((part) => !part.isRunning))
    terminal.out(`nothing runs from ${home}`);
  else {
    const goals = standing === null ? [] : standingLines(standing, Date.now(), resultLook());
    terminal.out([partsText(parts), `${url ?? 'starting'}: ${readiness}`, ...goals].join('\n'));
  }
  if (up === null || !isReady) return EXIT.incomplete;
  return options.exitCode === true && holding > 0 ? EXIT.waits : EXIT.complete;
}

/** Null where the token of this home may not read goals. */
async function standingHere(): Promise<Standing | null> {
  try {
    return await readStanding(createClient(findService(process.env)));
  } catch {
    return null;
  }
}

function partsOf(home: string, children: Readonly<Record<string, LocalProcess>>): Part[] {
  const temporal = parsed(readFileIfAny(join(home, 'temporal.pid')));
  const all = { ...children, ...(temporal === null ? {} : { temporal }) };
  return Object.entries(all).map(([name, child]) => ({
    name,
    pid: child.pid,
    isRunning: isRunning(child),
  }));
}

const partsText = (parts: readonly Part[]): string =>
  table(parts.map(({ name, pid, isRunning: runs }) => [name, String(pid), runs ? 'runs' : 'gone']));

const sayChecks = (checks: Readonly<Record<string, string>>): string =>
  Object.entries(checks)
    .map(([name, said]) => `${name} ${said}`)
    .join(', ');

async function checksOf(url: string): Promise<Record<string, string> | null> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
    return ((await answer.json()) as { checks?: Record<string, string> }).checks ?? null;
  } catch {
    return null;
  }
}

function parsed(content: string | null): LocalProcess | null {
  try {
    return JSON.parse(content ?? 'null') as LocalProcess | null;
  } catch {
    return null;
  }
}
