import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ProcessIdentity } from '../../turn/ports.ts';
import type { CommandRun, EffectsPort } from '../tool.ts';
import { endHelper } from './end.ts';
import { scrubEnvironment } from './environment.ts';
import { EffectsLost } from './errors.ts';
import { identify } from './identity.ts';
import type { Order, Report, WriteOutcome } from './protocol.ts';

export interface EffectsOptions {
  /** The name under which this host's helpers are recorded. */
  readonly host: string;
  /** Awaited before the first effect; when it throws, the helper is ended and nothing was done. */
  readonly onSpawn: (helper: ProcessIdentity) => Promise<void>;
}

export interface Effects extends EffectsPort {
  /** Ends the helper with everything that it started, and returns when all of it is gone. */
  close(): Promise<void>;
}

/**
 * The helper starts with the first effect, once: when it is gone, every effect rejects with
 * `EffectsLost`, also those of a worker that was frozen while another one took over.
 */
export function startEffects(options: EffectsOptions): Effects {
  return new HelperClient(options);
}

interface Waiter {
  readonly resolve: (result: CommandRun | WriteOutcome) => void;
  readonly reject: (error: Error) => void;
  readonly onOutput: ((chunk: string) => void) | undefined;
}

class HelperClient implements Effects {
  readonly #options: EffectsOptions;
  readonly #waiters = new Map<number, Waiter>();
  #helper: Promise<ChildProcess> | null = null;
  #identity: ProcessIdentity | null = null;
  #lost: EffectsLost | null = null;
  #lastId = 0;

  constructor(options: EffectsOptions) {
    this.#options = options;
  }

  async runCommand(command: Parameters<EffectsPort['runCommand']>[0]): Promise<CommandRun> {
    const { signal, onOutput, env = {}, ...rest } = command;
    const helper = await this.#connect();
    if (signal.aborted) return CANCELLED;
    const id = this.#nextId();
    const cancel = () => void this.#post(helper, { kind: 'cancel', id });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const order = { ...rest, env, isStreamed: onOutput !== undefined };
      return (await this.#ask(helper, { kind: 'run', id, order }, onOutput)) as CommandRun;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async writeFile(order: Parameters<EffectsPort['writeFile']>[0]): Promise<WriteOutcome> {
    const helper = await this.#connect();
    const id = this.#nextId();
    return (await this.#ask(helper, { kind: 'write', id, order })) as WriteOutcome;
  }

  async close(): Promise<void> {
    this.#lose('the effects of this attempt were closed');
    await this.#helper?.catch(() => undefined);
    if (this.#identity !== null) await endHelper(this.#identity, this.#options.host);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  async #connect(): Promise<ChildProcess> {
    if (this.#lost !== null) throw this.#lost;
    this.#helper ??= this.#spawn();
    const helper = await this.#helper;
    if (this.#lost !== null) throw this.#lost;
    return helper;
  }

  async #spawn(): Promise<ChildProcess> {
    const helper = forkHelper();
    helper.once('error', (error) => this.#lose(`the helper did not start: ${error.message}`));
    helper.once('disconnect', () => this.#lose('the helper is gone'));
    helper.once('exit', () => this.#lose('the helper is gone'));
    helper.on('message', (report: Report) => this.#receive(report));
    if (helper.pid === undefined) throw new EffectsLost('the helper did not start');
    this.#identity = identify(helper.pid, this.#options.host);
    try {
      await this.#options.onSpawn(this.#identity);
    } catch (error) {
      this.#lose('the helper could not be recorded');
      await endHelper(this.#identity, this.#options.host);
      throw error;
    }
    return helper;
  }

  #ask(helper: ChildProcess, order: Order, onOutput?: (chunk: string) => void) {
    return new Promise<CommandRun | WriteOutcome>((resolve, reject) => {
      this.#waiters.set(order.id, { resolve, reject, onOutput });
      this.#post(helper, order);
    });
  }

  #post(helper: ChildProcess, order: Order): void {
    if (!helper.connected) {
      this.#lose('the helper is gone');
      return;
    }
    helper.send(order, (error) => {
      if (error !== null) this.#lose(`the helper cannot be reached: ${error.message}`);
    });
  }

  #receive(report: Report): void {
    const waiter = this.#waiters.get(report.id);
    if (report.kind === 'output') {
      waiter?.onOutput?.(report.chunk);
      return;
    }
    this.#waiters.delete(report.id);
    if (report.kind === 'failed') waiter?.reject(new Error(report.message));
    else waiter?.resolve(report.result);
  }

  #lose(detail: string): void {
    this.#lost ??= new EffectsLost(detail);
    for (const waiter of this.#waiters.values()) waiter.reject(this.#lost);
    this.#waiters.clear();
  }
}

const CANCELLED: CommandRun = {
  exitCode: null,
  signal: null,
  ended: 'cancelled',
  output: new Uint8Array(),
  durationMs: 0,
};

function forkHelper(): ChildProcess {
  const extension = extname(import.meta.url);
  const entry = fileURLToPath(new URL(`./helper${extension}`, import.meta.url));
  return fork(entry, {
    // A session of its own: its id is the helper's pid, so takeover finds all of it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: scrubEnvironment(process.env),
    execArgv: extension === '.ts' ? ['--import', typescriptLoader()] : [],
  });
}

function typescriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
