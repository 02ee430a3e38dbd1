import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { CommandLimits } from '../../../schema/command-limits.ts';
import type {
  CommandRun,
  EffectsPort,
  PlaceOrder,
  PlaceOutcome,
  Reach,
  WriteOutcome,
} from '../../contract/effects.ts';
import type { ProcessIdentity } from '../../contract/process-identity.ts';
import { nameOfProcess } from '../../process/process-identity.ts';
import type { Boxed } from '../../sandbox/boxed-command.ts';
import { TamperingLeft } from '../../sandbox/git-guard.ts';
import { GitUnanswered } from '../../sandbox/git-settings.ts';
import type { Groups } from '../../sandbox/groups/groups.ts';
import { endHelper } from './end.ts';
import { ofCommandsAlone } from './environment.ts';
import { EffectsLost } from './errors.ts';
import { commandOf, type LaunchedHelper, launchHelper } from './launch.ts';
import { MARK_NAME, markOf } from './mark.ts';
import type { Order, Ran, Report } from './protocol.ts';
import { SANDBOX_UNMADE } from './watch-box.ts';

export interface EffectsOptions {
  /** The name under which this host's helpers are recorded. */
  readonly host: string;
  /** Awaited before the first effect; when it throws, the helper is ended and nothing was done. */
  readonly onSpawn: (helper: ProcessIdentity) => Promise<void>;
  /** Tells whether the helper gets a PID namespace; by default, if the machine allows it. */
  readonly canHaveNumbers?: () => Promise<boolean>;
  /** Makes what each command runs in; absent = they run as the helper itself does. */
  readonly box?: (reach: Reach) => Promise<Boxed>;
  /** The helper makes sandboxes, and its commands run nowhere else. */
  readonly isForSandboxes?: boolean;
  readonly limits?: CommandLimits;
  /** Where each command gets a control group; null and absent = what it uses is counted. */
  readonly groups?: Groups | null;
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

type Result = Ran | WriteOutcome | PlaceOutcome;

interface Waiter {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  readonly onOutput: Command['onOutput'];
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

  async runCommand(command: Command): Promise<CommandRun> {
    const { channel, identity } = await this.#connect();
    if (command.signal.aborted) return CANCELLED;
    const run = () => this.#runBoxed(channel, identity, command);
    // A place to hide, such as a socket, may be gone by now; nothing has run in that case.
    return await run().catch((error) => {
      if (!isUnmade(error)) throw error;
      return run();
    });
  }

  async #runBoxed(
    channel: ChildProcess,
    identity: ProcessIdentity,
    command: Command,
  ): Promise<CommandRun> {
    const box = (await this.#options.box?.(command.reach ?? {}).catch(asUntidy)) ?? null;
    if (typeof box === 'string') return { ...CANCELLED, ended: box };
    const inside = () =>
      this.#runIn(channel, identity, command, box).catch((error: unknown) => {
        box?.lose();
        throw error;
      });
    // A pause may have aborted the command while its sandbox was made.
    const ran = command.signal.aborted ? CANCELLED : await inside();
    const run = { ...ran, isolation: box?.isolation ?? ('none' as const) };
    const tidied = await box?.tidy().catch(asUntidy);
    if (typeof tidied === 'string') return { ...run, ended: tidied };
    const { disarmed = [], undecided = [] } = tidied ?? {};
    return {
      ...run,
      ...(disarmed.length > 0 && { disarmed }),
      ...(undecided.length > 0 && { undecided }),
    };
  }

  async #runIn(
    channel: ChildProcess,
    identity: ProcessIdentity,
    { signal, onOutput, env = {}, reach: _, ...rest }: Command,
    box: Boxed | null,
  ): Promise<Ran> {
    const id = this.#nextId();
    const cancel = () => void this.#post(channel, { kind: 'cancel', id });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const { limits, groups } = this.#options;
      const order = {
        ...rest,
        env: {
          ...ofCommandsAlone(process.env),
          ...box?.env,
          ...env,
          [MARK_NAME]: markOf(identity),
        },
        isStreamed: onOutput !== undefined,
        ...(box && launchOf(box, rest.cwd)),
        ...(limits && { limits }),
        ...(groups && { group: groupOf(groups, identity, id) }),
      };
      return (await this.#ask(channel, { kind: 'run', id, order }, onOutput)) as Ran;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async writeFile(order: Parameters<EffectsPort['writeFile']>[0]): Promise<WriteOutcome> {
    const { channel } = await this.#connect();
    const id = this.#nextId();
    return (await this.#ask(channel, { kind: 'write', id, order })) as WriteOutcome;
  }

  async placeEntry(order: PlaceOrder): Promise<PlaceOutcome> {
    const { channel } = await this.#connect();
    const id = this.#nextId();
    return (await this.#ask(channel, { kind: 'place', id, order })) as PlaceOutcome;
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
    const helper = await launchHelper(this.#options);
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

  #ask(channel: ChildProcess, order: Order, onOutput?: Command['onOutput']) {
    return new Promise<Result>((resolve, reject) => {
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
      const { text, skipped } = report.piece;
      waiter?.onOutput?.(text, skipped);
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

/** Its name says whose it is, so that what a killed helper leaves is known by it. */
const groupOf = ({ folder, controllers }: Groups, helper: ProcessIdentity, id: number) => ({
  folder: join(folder, `${nameOfProcess(helper)}-${id}`),
  controllers,
});

const launchOf = (
  { launcher, entry, user, filter, inside, proxied, writes }: Boxed,
  cwd: string,
) => ({
  ...(launcher && { launcher }),
  ...(filter && { filter }),
  ...(user && { user }),
  ...(proxied && { proxied: { ...proxied, proxy: commandOf('proxy') } }),
  entry,
  writes,
  cwdInside: inside(cwd),
});

function asUntidy(error: unknown): 'plant_left' | 'git_unanswered' {
  if (error instanceof TamperingLeft) return 'plant_left';
  if (error instanceof GitUnanswered) return 'git_unanswered';
  throw error;
}

const isUnmade = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith(SANDBOX_UNMADE);

type Command = Parameters<EffectsPort['runCommand']>[0];

const CANCELLED: CommandRun = {
  exitCode: null,
  signal: null,
  ended: 'cancelled',
  output: new Uint8Array(),
  durationMs: 0,
  isolation: 'full',
};
