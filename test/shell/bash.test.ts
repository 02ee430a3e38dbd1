import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import type { Fact } from '../../src/shell/read/path.ts';
import { outcomesOf } from '../../src/shell/ways/outcomes.ts';

const RUNS = Number(process.env.SHELL_RUNS ?? 100);
const SEED = Number(process.env.SHELL_SEED ?? 7);

const parse = await loadShellParser();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-'));
  for (const name of ['aa', 'bb']) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> "$LOG"\nexit "$${name}"\n`);
    chmodSync(path, 0o755);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs it as the service does, with what the two commands shall exit with. A pipe of Node's as input
 * is a socket, by which bash takes itself for a remote shell and reads the settings of its user.
 */
async function runBash(script: string, exits: { aa: number; bb: number }) {
  const log = join(mkdtempSync(join(folder, 'run-')), 'log');
  writeFileSync(log, '');
  const env = { PATH: `${folder}:${process.env.PATH}`, LOG: log, ...texts(exits) };
  const args = ['-o', 'pipefail', '-c', script];
  const [code] = await once(spawn('bash', args, { env, stdio: 'ignore' }), 'exit');
  return { code: Number(code ?? 255), ran: readFileSync(log, 'utf8').split('\n') };
}

function texts(exits: { aa: number; bb: number }) {
  return { aa: String(exits.aa), bb: String(exits.bb) };
}

const leaf = fc.constantFrom('aa', 'bb', 'aa', 'bb', 'true', 'false', 'echo x', 'exit 0', 'exit 1');
const { script } = fc.letrec<{ script: string }>((tie) => {
  const inner = tie('script');
  const two = fc.tuple(inner, inner);
  return {
    script: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      two.map(([x, y]) => `${x} && ${y}`),
      two.map(([x, y]) => `${x} || ${y}`),
      two.map(([x, y]) => `${x}; ${y}`),
      two.map(([x, y]) => `{ ${x}; } | ( ${y} )`),
      two.map(([x, y]) => `{ ${x}; }; rc=$?; { ${y}; }; exit $rc`),
      two.map(([x, y]) => `if ${x}; then ${y}; fi`),
      two.map(([x, y]) => `if ${x}; then ${y}; else aa; fi`),
      two.map(([x, y]) => `while ${x}; do ${y}; break; done`),
      two.map(([x, y]) => `until ${x}; do ${y}; break; done`),
      two.map(([x, y]) => `case x in y) ${x};; *) ${y};; esac`),
      inner.map((x) => `! { ${x}; }`),
      inner.map((x) => `( ${x} )`),
      inner.map((x) => `( set -e; ${x}; true )`),
      inner.map((x) => `set -e; ${x}`),
      inner.map((x) => `set +o pipefail; ${x}`),
      inner.map((x) => `for i in 1 2; do ${x}; done`),
      inner.map((x) => `f() { ${x}; }; f`),
      inner.map((x) => `out=$(${x})`),
      inner.map((x) => `bash -c '${x.replaceAll("'", '"')}'`),
      inner.map((x) => `${x}; [ $? -eq 0 ]`),
      inner.map((x) => `timeout 9 aa && eval "${x.replaceAll(/["$]/g, '')}"`),
    ),
  };
});

const holds = ({ words, hasSucceeded }: Fact, exits: Record<string, number>, ran: string[]) => {
  const name = words[0]?.text === 'timeout' ? 'aa' : (words[0]?.text ?? '');
  return !(name in exits) || (ran.includes(name) && (exits[name] === 0) === hasSucceeded);
};

it('says nothing for certain that bash does otherwise (R38)', async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.constantFrom(0, 1), fc.constantFrom(0, 3), async (text, aa, bb) => {
      const read = parse(text);
      fc.pre(read.problem === null);
      const { onSuccess, onFailure } = outcomesOf(read, '');
      const { code, ran } = await runBash(text, { aa, bb });
      // A filter that ends early ends what writes to it by a signal.
      fc.pre(code < 128);
      const certain = code === 0 ? onSuccess : onFailure;
      const wrong = [...(certain?.values() ?? [])].filter((fact) => !holds(fact, { aa, bb }, ran));
      // A way that bash takes has to be one that was thought of.
      expect([text, code, certain === null, wrong.map(({ words }) => words[0]?.text)]).toEqual([
        text,
        code,
        false,
        [],
      ]);
    }),
    // The same scripts each time; SHELL_SEED and SHELL_RUNS look further.
    { numRuns: RUNS, seed: SEED },
  );
});
