import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCheck } from '../../src/app/check.ts';
import { startRerun } from '../../src/app/rerun-effects.ts';
import { readPublicKeys } from '../../src/attest/dsse.ts';
import { rerunProof } from '../../src/attest/rerun.ts';
import { verifyBundle } from '../../src/attest/verify-bundle.ts';
import type { CheckedRun } from '../../src/check/order.ts';
import { startRepository } from '../support/git.ts';
import { giveAway, needsOwner } from '../support/ordinary-owner.ts';

const GREETS = 'test "$(sh src/greet.sh Ada)" = "Hello, Ada!"\n';
const CHECK = `for one in test/*.test.sh; do sh "$one" || { echo "$one: line 1"; exit 1; }; done\n`;
export const WRONG = 'echo "Hello"\n';
export const RIGHT = 'echo "Hello, $1!"\n';
export const project = {
  'src/greet.sh': WRONG,
  'test/greets.test.sh': GREETS,
  'test/run.sh': CHECK,
};

export async function writeAll(folder: string, files: Readonly<Record<string, string | null>>) {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(folder, path));
    else {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }
}

export type Asked = Parameters<typeof runCheck>[0];

const asked = (repository: string, more: Partial<Asked> = {}): Asked => ({
  ...{ repository, base: null, head: 'HEAD', criteria: ['sh test/run.sh'], change: ['src/**'] },
  ...{ keep: [], setup: [], accept: [], allowDependencies: false, acceptsHeld: false },
  ...{ readsTerms: true, bundle: null },
  ...more,
});

interface Around {
  readonly CI?: string;
  readonly GOALKEEPER_SANDBOX?: string;
  readonly GOALKEEPER_HOME?: string;
  readonly onRun?: (run: CheckedRun) => void;
}

/** Real commands in a real sandbox, in repositories of its own; no service and no database. */
export function openCheckBench() {
  const bench = mkdtempSync(join(tmpdir(), 'goalkeeper-check-'));
  // Whose commands run there as somebody else goes through it.
  mkdirSync(join(bench, 'home'), { mode: needsOwner() ? 0o711 : 0o700 });
  /** A repository with the project on `main`, and the changes on a branch of their own. */
  async function repository(
    changes: Readonly<Record<string, string | null>>,
    files: Readonly<Record<string, string>> = project,
  ): Promise<string> {
    const folder = mkdtempSync(join(bench, 'repository-'));
    await writeAll(folder, files);
    const git = startRepository(folder);
    git('checkout', '-q', '-b', 'work');
    await writeAll(folder, changes);
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'work');
    if (needsOwner()) giveAway([folder], [bench]);
    return folder;
  }

  const check = (
    folder: string,
    more: Partial<Asked> = {},
    { onRun = () => {}, ...variables }: Around = {},
  ) =>
    runCheck(
      asked(folder, more),
      { GOALKEEPER_HOME: join(bench, 'home'), ...variables },
      onRun,
      new AbortController().signal,
    );

  /** As `goalkeeper proof verify --rerun`. */
  async function verify(bundle: string, folder: string, key: string | null) {
    const home = mkdtempSync(join(bench, 'verify-'));
    if (needsOwner()) mkdirSync(join(home, 'service'), { mode: 0o711 });
    if (needsOwner()) chmodSync(home, 0o711);
    const effects = await startRerun(join(home, 'service'), folder, {});
    try {
      const keys = key === null ? [] : (readPublicKeys(readFileSync(key, 'utf8')) ?? []);
      const { signal } = new AbortController();
      const ground = { home: join(home, 'service'), folder, effects, signal };
      return await verifyBundle({
        ...{ file: readFileSync(bundle), path: bundle, keys, folder, home },
        rerun: (predicate, rebuilt) => rerunProof(ground, predicate, rebuilt),
      });
    } finally {
      await effects.close();
    }
  }
  const close = () => rmSync(bench, { recursive: true, force: true });
  return { bench, repository, check, verify, close };
}
