import { expect, test } from 'vitest';
import { serveWorkspaces } from '../../src/app/serve-workspaces.ts';
import { Refusal } from '../../src/contract/failures.ts';

function served(entries: readonly string[]) {
  const refusals = new Map<string, string>();
  const asked: string[] = [];
  const said: string[] = [];
  const registry = {
    async registerAs(name: string, path: string) {
      asked.push(`${name}=${path}`);
      const why = refusals.get(name);
      if (why !== undefined) throw new Refusal('invalid_request', why);
    },
  };
  const say = (_: object, message: string) => void said.push(message);
  const log = { error: say, info: say };
  return { serving: serveWorkspaces(entries, registry, log), refusals, asked, said };
}

test('POOL-8 one that is refused keeps no other from being served, and is served once the reason is gone', async () => {
  const { serving, refusals, asked, said } = served(['shop=/srv/a=b', 'bank=/srv/bank']);
  refusals.set('shop', 'served elsewhere');
  await serving.register();
  await serving.register();
  expect(serving.refused()).toEqual([{ name: 'shop', path: '/srv/a=b', why: 'served elsewhere' }]);
  refusals.delete('shop');
  await serving.register();
  await serving.register();
  expect(serving.refused()).toEqual([]);
  expect(asked).toEqual(['shop=/srv/a=b', 'bank=/srv/bank', 'shop=/srv/a=b', 'shop=/srv/a=b']);
  expect(said).toEqual(['a workspace is not served', 'the workspace is served now']);
});

test('POOL-8 where the database is away, what was to be served stays so', async () => {
  const { serving, asked } = served(['shop=/srv/shop']);
  const failing = serveWorkspaces(
    ['shop=/srv/shop'],
    { registerAs: () => Promise.reject(new Error('away')) },
    { error: () => {}, info: () => {} },
  );
  await expect(failing.register()).rejects.toThrow('away');
  expect(failing.refused()).toMatchObject([{ name: 'shop' }]);
  await serving.register();
  expect(asked).toEqual(['shop=/srv/shop']);
});
