import { expect, test } from 'vitest';
import { createKeyedLimiter } from '../../src/temporal/keyed-limiter.ts';

test('a lane lets so many work at once, in the order of their coming, each key by itself', async () => {
  const lanes = createKeyedLimiter(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (key: string, name: string) =>
    lanes.run(key, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const all = [work('a', '1'), work('a', '2'), work('a', '3'), work('a', '4'), work('b', '5')];
  await Promise.resolve();
  expect(begun).toEqual(['1', '2', '5']);
  for (const name of ['2', '1', '5', '3', '4']) {
    await new Promise((resolve) => setImmediate(resolve));
    ends.get(name)?.();
  }
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4', '5']);
  expect(begun).toEqual(['1', '2', '5', '3', '4']);
});

test('work that fails gives its place back', async () => {
  const lanes = createKeyedLimiter(1);
  const failed = lanes.run('a', () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(await lanes.run('a', async () => 'yes')).toBe('yes');
});
