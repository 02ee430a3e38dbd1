import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { rgPath } from '@vscode/ripgrep';

export interface RipgrepRun {
  readonly lines: readonly string[];
  /** More lines than asked for, or out of time. */
  readonly isCut: boolean;
  readonly exitCode: number | null;
  readonly errors: string;
}

const TIMEOUT_MS = 30_000;
const ALWAYS = ['--no-config', '--hidden', '--no-require-git', '--color=never', '--sort=path'];

/** Honours .gitignore; never looks into `.git`. */
export async function runRipgrep(
  args: readonly string[],
  options: { readonly cwd: string; readonly maxLines: number; readonly signal: AbortSignal },
): Promise<RipgrepRun> {
  const child = spawn(rgPath, [...ALWAYS, ...args], {
    cwd: options.cwd,
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('close', (code) => resolve(code));
    child.once('error', (error) => (error.name === 'AbortError' ? undefined : reject(error)));
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(0, 4000);
  });
  const lines: string[] = [];
  let isCut = false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.length < options.maxLines) lines.push(line);
    else {
      isCut = true;
      child.kill('SIGKILL');
      break;
    }
  }
  child.stdout.resume();
  const exitCode = await exit;
  return { lines, isCut: isCut || exitCode === null, exitCode, errors };
}
