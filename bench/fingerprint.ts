import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeFingerprint } from '../src/workspace/fingerprint.ts';
import { median, quantile, round } from './statistics.ts';

const FOLDERS = 250;
export const FILES_EACH = 40;

/** 10,000 files that didn't change, beside `git status` on the same tree in the same run. */
export async function measureFingerprint(rounds = 60) {
  const root = makeTree();
  const first = await timed(() => takeFingerprint(root));
  const looks: number[] = [];
  const git: number[] = [];
  const processor: number[] = [];
  for (let look = 0; look < rounds; look += 1) {
    const before = process.cpuUsage();
    looks.push(await timed(() => takeFingerprint(root)));
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
    git.push(
      await timed(async () => execFileSync('git', ['status', '--porcelain'], { cwd: root })),
    );
  }
  rmSync(root, { recursive: true });
  return {
    'first look, ms': round(first),
    'median, ms': round(median(looks)),
    'p95, ms': round(quantile(looks, 0.95)),
    'processor time, median, ms': round(median(processor)),
    'git status, median, ms': round(median(git)),
    'git status, p95, ms': round(quantile(git, 0.95)),
  };
}

/** @param folders of 40 files each */
export function makeTree(folders = FOLDERS): string {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-bench-tree-'));
  writeFileSync(join(root, '.gitignore'), 'dist/\n*.log\nnode_modules\ncoverage/\n.env*\n');
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, 'packages', `p${folder % 25}`, 'src', `f${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1) {
      writeFileSync(join(path, `${file}.ts`), `export const it = ${folder * file};\n`.repeat(8));
    }
  }
  const git = 'git -c user.name=bench -c user.email=bench@example.com';
  execFileSync('sh', ['-c', `git init -q && git add -A && ${git} commit -qm tree`], { cwd: root });
  return root;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
