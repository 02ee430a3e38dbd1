import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInTools } from '../../../src/tools/built-in.ts';
import { createRegistry } from '../../../src/tools/registry.ts';
import type { ToolResult } from '../../../src/tools/tool.ts';
import type { Effects } from '../../../src/workspace/helper/client.ts';
import { temporaryFolder, testContext } from '../support.ts';

export const CANARY = 'CANARY-5e1f-outside';
export const registry = createRegistry(builtInTools);

export interface Ground {
  readonly base: string;
  readonly root: string;
  call(tool: string, input: unknown): Promise<ToolResult>;
  /** Everything outside of the workspace, and git's own folder in it. */
  guarded(): string;
}

/**
 * A workspace with traps, beside files that nobody may read or write.
 * @param given holds it; the test's own folder unless told
 */
export async function openGround(effects: Effects, given?: string): Promise<Ground> {
  const base = given ?? (await temporaryFolder());
  const root = join(base, 'work');
  for (const folder of ['work/src', 'work/.git/hooks', 'work/sub/.git', 'outside']) {
    await mkdir(join(base, folder), { recursive: true });
  }
  const files = {
    'secret.txt': CANARY,
    'outside/secret.txt': CANARY,
    'work/a.txt': 'plain text\n',
    'work/src/b.txt': 'plain text too\n',
    'work/.git/config': '[core]\n',
    'work/.git/HEAD': 'ref: refs/heads/main\n',
    'work/sub/.git/config': '[core]\n',
    'work/line\nfeed.txt': 'plain in an odd file\n',
    'work/wide.txt': Buffer.from('\uFEFFplain', 'utf16le'),
    'work/binary.dat': Buffer.from([1, 0, 2, 0, 3]),
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(base, path), content);
  const links = {
    'to-file': '../secret.txt',
    'to-folder': '../outside',
    'to-chain': 'to-folder/secret.txt',
    'to-root': '/',
    'to-environment': '/proc/self/environ',
    'to-zero': '/dev/zero',
    'to-git': '.git',
    'to-nothing': '../not-there',
    'to-itself': 'to-itself',
    'src/up': '../..',
  };
  for (const [path, target] of Object.entries(links)) await symlink(target, join(root, path));
  await link(join(base, 'secret.txt'), join(base, 'outside/hard'));
  execFileSync('mkfifo', [join(root, 'pipe'), join(root, 'src/pipe')]);
  await writeFile(join(root, 'huge.txt'), 'first line\n');
  await truncate(join(root, 'huge.txt'), 3 * 1024 ** 3);
  const context = testContext(root, effects);
  return {
    base,
    root,
    call: async (name, input) => {
      const parsed = await registry.parse(
        name,
        typeof input === 'string' ? input : JSON.stringify(input),
      );
      const tool = registry.find(name);
      if (!parsed.ok || !tool) return refusal(parsed.ok ? name : parsed.message);
      const plan = await tool.plan?.(parsed.args, context);
      if (plan && 'outcome' in plan) return plan;
      return tool.run(parsed.args, context, plan);
    },
    guarded: () =>
      ['secret.txt', 'outside', 'work/.git', 'work/sub/.git']
        .map((path) => fingerprint(join(base, path)))
        .concat(readdirSync(base).sort().join())
        .join('\n'),
  };
}

const refusal = (text: string): ToolResult => ({ outcome: 'refused', text, receipt: {} });

function fingerprint(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
  if (!stats.isDirectory()) {
    return `${path} ${stats.mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
  }
  return readdirSync(path)
    .sort()
    .map((name) => fingerprint(join(path, name)))
    .join('\n');
}
