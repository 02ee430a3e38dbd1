import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ProofGround } from '../../../src/contract/original.ts';
import { isDeliverable, nameOf } from '../../../src/evidence/proof/changes.ts';
import { differences } from '../../../src/evidence/proof/differences.ts';
import { readDependencies } from '../../../src/proof-place/dependencies.ts';
import { keepOriginal, readOriginal, withComparison } from '../../../src/proof-place/original.ts';

export type Files = Readonly<Record<string, string>>;

/** The files of a work in `src` and `lib` that no scope can include. */
export async function undeliverableAfter(
  before: Files,
  work: Files,
  commands: readonly string[] = [],
): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-undeliverable-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [home, workspace] = [join(root, 'home'), join(root, 'shop')];
  put(workspace, { '.gitignore': 'node_modules\n', ...before });
  const original = await keepOriginal(home, 'g-1', workspace);
  const tree = await readOriginal(home, 'g-1', original);
  const dependencies = await readDependencies(workspace, tree);
  put(workspace, work);
  const ground: ProofGround = {
    original,
    scope: { change: ['src/**', 'lib/**'], keep: [] },
    dependencies,
  } as never;
  return await withComparison({ home, goalId: 'g-1', workspace }, original, async (trees) => {
    const { changes } = await differences(workspace, ground, trees, [], commands);
    return changes.filter((change) => !isDeliverable(change)).map(nameOf);
  });
}

function put(workspace: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
}
