import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rgPath } from '@vscode/ripgrep';
import { isRoot } from '../sandbox/command-user.ts';
import { hostProgram } from '../sandbox/program-path.ts';

export interface RipgrepRun {
  readonly records: readonly string[];
  /** Why there may be more: the limit of records, of time or of bytes was reached. */
  readonly cut: 'records' | 'time' | 'bytes' | null;
  readonly exitCode: number | null;
  readonly errors: string;
}

/**
 * Why a run that found nothing is no answer; null = it is one. With code 1 ripgrep says that nothing
 * is there, and a namespace that did not come up says why.
 */
export function whyNoAnswer({ exitCode, errors, cut, records }: RipgrepRun): string | null {
  if (records.length > 0 || cut !== null) return null;
  if (exitCode === 0 || (exitCode === 1 && errors === '')) return null;
  return errors.trim() || 'the search was ended from outside';
}

export interface RipgrepOptions {
  readonly maxRecords: number;
  /** Cuts the first record off the text, as far as that is complete. */
  readonly takeRecord: (text: string) => { readonly record: string; readonly rest: string } | null;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

export interface WalkOptions extends RipgrepOptions {
  /** The workspace, without links. */
  readonly root: string;
  /** A folder in it, without links. */
  readonly cwd: string;
}

const TIMEOUT_MS = 30_000;
/** The limit of the output; one record may be as long. */
const MAX_BYTES = 16 * 1024 * 1024;
const ALWAYS = ['--no-config', '--hidden', '--no-require-git', '--no-ignore-global'];
const FORMAT = ['--color=never', '--sort=path'];
const FIRST_DESCRIPTOR = 3;

/**
 * Lists files; honours .gitignore, .ignore and .rgignore. A folder that is swapped with a link
 * during the walk leads it elsewhere, so what it names is only a hint: the caller opens each name
 * safely (`openResolvedFile`, `namesInResolvedFolder`) before it shows anything.
 */
export async function walkWithRipgrep(
  args: readonly string[],
  { root, cwd, ...options }: WalkOptions,
): Promise<RipgrepRun> {
  options.signal.throwIfAborted();
  const child = await startWalk([...ALWAYS, ...FORMAT, ...args], root, cwd);
  return follow(child, options);
}

/**
 * Searches open files, even if another file is at their path by now. Records name a file by its
 * place in `descriptors`, as `openedPath` writes it.
 */
export async function searchOpened(
  args: readonly string[],
  descriptors: readonly number[],
  options: RipgrepOptions,
): Promise<RipgrepRun> {
  options.signal.throwIfAborted();
  // Without any named file, ripgrep would search its working directory.
  const files = ['/dev/null', ...descriptors.map((_, place) => openedPath(place))];
  // A mapped file that shrinks ends the search by a signal.
  const all = [...ALWAYS, '--color=never', '--no-ignore', '--no-mmap', '--threads=1', ...args];
  const stdio = ['ignore', 'pipe', 'pipe', ...descriptors] as const;
  return follow(spawn(rgPath, [...all, '--', ...files], { cwd: '/', stdio: [...stdio] }), options);
}

/** The path by which the search process reaches the file. */
export function openedPath(place: number): string {
  return `/proc/self/fd/${FIRST_DESCRIPTOR + place}`;
}

async function follow(child: ChildProcess, options: RipgrepOptions): Promise<RipgrepRun> {
  const reading = new Reading(child, options);
  const timer = setTimeout(() => reading.stop('time'), options.timeoutMs ?? TIMEOUT_MS);
  const abort = () => reading.stop('time');
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    options.signal.throwIfAborted();
    return { ...reading.result(), exitCode };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', abort);
  }
}

class Reading {
  readonly #child: ChildProcess;
  readonly #options: RipgrepOptions;
  readonly #records: string[] = [];
  #rest = '';
  #bytes = 0;
  #errors = '';
  #cut: RipgrepRun['cut'] = null;

  constructor(child: ChildProcess, options: RipgrepOptions) {
    this.#child = child;
    this.#options = options;
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors = (this.#errors + chunk).slice(0, 4000);
    });
  }

  stop(why: NonNullable<RipgrepRun['cut']>): void {
    this.#cut ??= why;
    this.#rest = '';
    this.#child.kill('SIGKILL');
  }

  result(): Omit<RipgrepRun, 'exitCode'> {
    return { records: this.#records, cut: this.#cut, errors: this.#errors };
  }

  #take(chunk: string): void {
    if (this.#cut !== null) return;
    this.#bytes += chunk.length;
    this.#rest += chunk;
    for (;;) {
      const taken = this.#options.takeRecord(this.#rest);
      if (taken === null) break;
      if (this.#records.length >= this.#options.maxRecords) {
        this.stop('records');
        return;
      }
      this.#records.push(taken.record);
      this.#rest = taken.rest;
    }
    if (this.#bytes > MAX_BYTES) this.stop('bytes');
  }
}

/** Starts the walk in a namespace with only the workspace, if the machine allows one. */
async function startWalk(
  args: readonly string[],
  root: string,
  cwd: string,
): Promise<ChildProcess> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  if (!(await canConfine())) return spawn(rgPath, args, { cwd, stdio: [...stdio] });
  return spawn(BWRAP, [...CONFINED, '--ro-bind', root, root, '--chdir', cwd, INSIDE, ...args], {
    stdio: [...stdio],
  });
}

const BWRAP = hostProgram('bwrap');
const INSIDE = '/goalkeeper/rg';
/**
 * In a user namespace, root's number has no rights in folders of others, so a workspace that only
 * its owner may enter would show nothing. Root's right to read is enough, and all that is there to
 * be read is the workspace.
 */
const OWN_NAMESPACES = isRoot()
  ? [
      ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net'],
      ...['--unshare-cgroup-try', '--cap-drop', 'ALL', '--cap-add', 'CAP_DAC_READ_SEARCH'],
    ]
  : ['--unshare-all'];
const CONFINED = [
  ...OWN_NAMESPACES,
  '--die-with-parent',
  '--new-session',
  '--ro-bind',
  rgPath,
  INSIDE,
];

let found: Promise<boolean> | null = null;

/** Tells whether this machine can confine ripgrep to the workspace; tried once. */
function canConfine(): Promise<boolean> {
  found ??= new Promise((resolve) => {
    const probe = spawn(BWRAP, [...CONFINED, INSIDE, '--version'], { stdio: 'ignore' });
    probe.once('error', () => resolve(false));
    probe.once('exit', (code) => resolve(code === 0));
  });
  return found;
}
