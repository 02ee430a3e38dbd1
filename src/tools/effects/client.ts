import type { ChildProcess } from 'node:child_process';
import type { ProcessIdentity } from '../../turn/ports.ts';
import type { CommandRun, EffectsPort } from '../tool.ts';
import { endHelper } from './end.ts';
import { EffectsLost } from './errors.ts';
import { MARK_NAME, markOf } from './identity.ts';
import { type LaunchedHelper, launchHelper } from './launch.ts';
import type { Order, Report, WriteOutcome } from './protocol.ts';

export interface EffectsOptions {
  /** The name under which this host's helpers are recorded. */
  readonly host: string;
  /** Awaited before the first effect; when it throws, the helper is ended and nothing was done. */
  readonly onSpawn: (helper: ProcessIdentity) => Promise<void>;
  /** Whether the helper gets process numbers of its own; unless told, where the machine allows it. */
  readonly canHaveNumbers?: () => Promise<boolean>;
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
  #helper: Promise<LaunchedHelper> | null = null;
  #identity: ProcessIdentity | null = null;
  #lost: EffectsLost | null = null;
  #lastId = 0;

  constructor(options: EffectsOptions) {
    this.#options = options;
  }

  async runCommand(command: Parameters<EffectsPort['runCommand']>[0]): Promise<CommandRun> {
    const { signal, onOutput, env = {}, ...rest } = command;
    const { channel, identity } = await this.#connect();
    if (signal.aborted) return CANCELLED;
    const id = this.#nextId();
    const cancel = () => void this.#post(channel, { kind: 'cancel', id });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const marked = { ...env, [MARK_NAME]: markOf(identity) };
      const order = { ...rest, env: marked, isStreamed: onOutput !== undefined };
      return (await this.#ask(channel, { kind: 'run', id, order }, onOutput)) as CommandRun;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async writeFile(order: Parameters<EffectsPort['writeFile']>[0]): Promise<WriteOutcome> {
    const { channel } = await this.#connect();
    const id = this.#nextId();
    return (await this.#ask(channel, { kind: 'write', id, order })) as WriteOutcome;
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

  async #connect(): Promise<LaunchedHelper> {
    if (this.#lost !== null) throw this.#lost;
    this.#helper ??= this.#spawn();
    const helper = await this.#helper;
    if (this.#lost !== null) throw this.#lost;
    return helper;
  }

  async #spawn(): Promise<LaunchedHelper> {
    const helper = await launchHelper(this.#options.host, this.#options.canHaveNumbers);
    const { channel, identity } = helper;
    this.#identity = identity;
    channel.once('disconnect', () => this.#lose('the helper is gone'));
    channel.once('exit', () => this.#lose('the helper is gone'));
    channel.on('message', (report: Report) => this.#receive(report));
    try {
      await this.#options.onSpawn(identity);
    } catch (error) {
      this.#lose('the helper could not be recorded');
      await endHelper(identity, this.#options.host);
      throw error;
    }
    return helper;
  }

  #ask(channel: ChildProcess, order: Order, onOutput?: (chunk: string) => void) {
    return new Promise<CommandRun | WriteOutcome>((resolve, reject) => {
      this.#waiters.set(order.id, { resolve, reject, onOutput });
      this.#post(channel, order);
    });
  }

  #post(channel: ChildProcess, order: Order): void {
    if (!channel.connected) {
      this.#lose('the helper is gone');
      return;
    }
    channel.send(order, (error) => {
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
