import {
  type ChildProcess,
  type ExecFileException,
  type ExecFileOptions,
  fork,
} from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What `execFile` takes of them, and nothing that could not be sent. */
export type ProgramOptions = Pick<ExecFileOptions, 'cwd' | 'env' | 'maxBuffer' | 'timeout'>;

export interface ProgramSaid {
  /** UTF-8. */
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = fileURLToPath(new URL('./launcher.cjs', import.meta.url));

interface Answer {
  readonly id: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly failure: Pick<ExecFileException, 'message' | 'code' | 'killed' | 'signal'> | null;
}

interface Waiter {
  resolve(said: ProgramSaid): void;
  reject(error: ExecFileException): void;
}

/** A small process that runs programs for this one, and ends with it. */
export class Launcher {
  readonly #child: ChildProcess;
  readonly #waiters = new Map<number, Waiter>();
  #lastId = 0;

  /** @param onGone what it was asked meanwhile has failed; whether it was done is not known */
  constructor(onGone: () => void) {
    this.#child = fork(MAIN, {
      execArgv: [],
      // Programs that are given no variables have those of who asks, as by `execFile`.
      env: { ...process.env, NODE_OPTIONS: '' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (answer: Answer) => this.#receive(answer));
    const lose = () => {
      onGone();
      for (const { reject } of this.#waiters.values())
        reject(failed('the process that starts programs is gone', { stdout: '', stderr: '' }));
      this.#waiters.clear();
    };
    this.#child.on('error', lose);
    this.#child.on('disconnect', lose);
    this.#rest();
  }

  /** @throws ExecFileException with `stdout` and `stderr` */
  run(file: string, args: readonly string[], options: ProgramOptions): Promise<ProgramSaid> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const id = this.#lastId;
      this.#waiters.set(id, { resolve, reject });
      this.#child.ref();
      this.#child.channel?.ref();
      this.#child.send({ id, file, args, options });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Only what it is asked keeps this process going. */
  #rest(): void {
    if (this.#waiters.size > 0) return;
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #receive({ id, failure, stdout, stderr }: Answer): void {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    this.#rest();
    const said = { stdout: stdout.toString(), stderr: stderr.toString() };
    if (failure === null) waiter?.resolve(said);
    else waiter?.reject(failed(failure.message, { ...failure, ...said }));
  }
}

const failed = (message: string, about: Omit<ExecFileException, 'message' | 'name'>) =>
  Object.assign(new Error(message), about);
