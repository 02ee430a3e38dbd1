import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { Worker } from '../../schema/operations.ts';
import { findRepository } from '../../src/check/choose-base.ts';
import { baseCommit } from '../../src/proof-place/base-commit.ts';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { identities, neverAsked } from './identities.ts';

let world: GoalWorld;
let as: ReturnType<typeof identities>['as'];
beforeAll(async () => {
  world = await openGoalWorld({ script: neverAsked, worker: false });
  ({ as } = identities(world));
});
afterAll(() => world.close());

const admin = (line: string, body?: object) => as(TOKENS.admin)(line, body);

const startIn = (workspace: object) =>
  admin('POST /v1/goals', {
    ...{ objective: 'go', workspace, criteria: [{ kind: 'command', command: 'true' }] },
  });

/** A worker that serves these until the end of `look`. */
async function served(workspaces: readonly string[], look: () => Promise<void>): Promise<void> {
  const worker = await world.startWorker(undefined, undefined, workspaces);
  try {
    await eventually(async () => expect(await workers()).toHaveLength(1));
    await look();
  } finally {
    worker.stop();
    await worker.done;
  }
}

const names = async (): Promise<string[]> =>
  (await admin('GET /v1/workspaces')).body.items.map(({ name }: { name: string }) => name);

const workers = async (): Promise<Worker[]> => (await admin('GET /v1/workers')).body.items;

const refused = async () => (await workers()).flatMap((worker) => worker.refused);

describe('served folders', () => {
  it('REC-30 one that can’t be served is told everywhere, and the others are served', async () => {
    const [shop, home] = [await world.workspace({}), world.environment.GOALKEEPER_HOME ?? ''];
    const bad = ['root=/', `own=${home}`, `above=${dirname(home)}`, 'gone=/no/such/folder'];
    await served([...bad, `shop=${shop}`], async () => {
      expect(await names()).toEqual(['shop']);
      expect((await refused()).map(({ name, why }) => [name, why])).toEqual([
        ['root', expect.stringContaining('whole machine')],
        ['own', expect.stringContaining("service's own home")],
        ['above', expect.stringContaining("service's own home lies in")],
        ['gone', expect.stringContaining('no folder')],
      ]);
      const ready = (await (await fetch(`${world.url}/readyz`)).json()) as object;
      const refusedWorkspaces = ['above', 'gone', 'own', 'root'];
      expect(ready).toMatchObject({ status: 'ok', refusedWorkspaces });
      const { status, body } = await startIn({ name: 'root' });
      expect([status, body.code, body.detail]).toEqual([
        ...[400, 'unknown_workspace'],
        expect.stringContaining('whole machine'),
      ]);
      const { items } = (await admin('GET /v1/alerts')).body;
      expect(items.filter(({ kind }: { kind: string }) => kind === 'workspace')).toHaveLength(4);
      expect((await startIn({ name: 'shop' })).status).toBe(201);
      for (const path of ['/', dirname(home)]) {
        expect((await startIn({ path })).body.code).toBe('unknown_workspace');
      }
    });
  });

  it('REC-33 folders of the system are no workspaces, whoever names them, and nobody’s home is one of root’s worker', async () => {
    const system = ['/etc', '/etc/ssl', '/usr/local', '/usr/src', '/dev/shm', '/var/lib', '/proc'];
    const homes = process.getuid?.() === 0 ? ['/root', '/home'] : [];
    const there = [...system, ...homes].filter((path) => existsSync(path));
    const named = there.map((path, index) => `n${index}=${path}`);
    await served(named, async () => {
      expect(await refused()).toHaveLength(there.length);
      for (const path of there) {
        const { status, body } = await startIn({ path });
        expect([status, body.code, body.field], path).toEqual([
          ...[400, 'unknown_workspace', 'workspace.path'],
        ]);
        expect(body.detail).toMatch(/name a folder of a project/);
      }
    });
  });

  it('REC-31 a plain folder that becomes a repository stays what it was', async () => {
    const [plain, other] = [await world.workspace({ 'a.txt': 'a' }), await world.workspace({})];
    const both = [`plain=${plain}`, `other=${other}`];
    await served(both, async () => expect(await refused()).toEqual([]));
    execFileSync('git', ['init', '-q', plain]);
    await served(both, async () => {
      expect(await refused()).toEqual([]);
      const { body } = await startIn({ name: 'plain' });
      expect((body as Goal).workspace.name).toBe('plain');
    });
  });

  it('REC-32 folders of two workspaces don’t lie in one another', async () => {
    const outer = await world.workspace({});
    const [inner, deep] = [join(outer, 'inner'), join(outer, 'inner', 'deep')];
    await mkdir(deep, { recursive: true });
    const all = [`inner=${inner}`, `outer=${outer}`, `deep=${deep}`];
    await served(all, async () => {
      expect((await refused()).map(({ name }) => name)).toEqual(['outer', 'deep']);
      const { body } = await startIn({ path: outer });
      expect([body.code, body.detail]).toEqual([
        'unknown_workspace',
        expect.stringContaining('"inner"'),
      ]);
    });
    // The one inside is no workspace any more.
    await rm(join(inner, '.goalkeeper-workspace'));
    await served([`outer=${outer}`], async () => expect(await refused()).toEqual([]));
  });

  it('CON-157 a repository that its .git only names is told as such with the ways out, where a worktree or a base is asked for and in the list', async () => {
    const shop = await world.workspace({ 'README.md': '# shop' });
    const elsewhere = join(dirname(shop), 'elsewhere.git');
    execFileSync('git', ['init', '-q', '--separate-git-dir', elsewhere, shop]);
    const words = /leads to a repository elsewhere.*"git init --separate-git-dir"/;
    await served([`apart=${shop}`], async () => {
      const tree = await startIn({ name: 'apart', mode: 'worktree' });
      expect([tree.status, tree.body.detail]).toEqual([400, expect.stringMatching(words)]);
      const { items } = (await admin('GET /v1/workspaces')).body;
      const problem = expect.stringMatching(words);
      expect(items).toContainEqual(
        expect.objectContaining({ name: 'apart', worktreeProblem: problem }),
      );
    });
    const base = await baseCommit(shop, 'HEAD').catch((error: unknown) => error);
    expect(base).toMatchObject({ problem: 'no_repository', message: expect.stringMatching(words) });
    await expect(findRepository(shop)).rejects.toThrow(words);
    await rm(join(shop, '.git'));
    await rename(elsewhere, join(shop, '.git'));
    await expect(findRepository(shop)).resolves.toMatchObject({ top: shop });
  });
});
