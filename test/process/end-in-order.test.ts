import { expect, test } from 'vitest';
import { endInOrder } from '../../src/process/end-in-order.ts';

test('REC-59 the parts of a process end in order; one that does not end, or fails, is told, and keeps none of the others', async () => {
  const ended: string[] = [];
  const told: string[] = [];
  const part = (name: string, end: () => Promise<unknown>) => ({
    name,
    end: () => {
      ended.push(name);
      return end();
    },
  });
  const parts = [
    part('first', async () => {}),
    part('fails', async () => {
      throw new Error('it broke');
    }),
    part('throws', () => {
      throw new Error('at once');
    }),
    part('hangs', () => new Promise(() => {})),
    part('hangs too', () => new Promise(() => {})),
    part('last', async () => {}),
  ];
  const begun = performance.now();
  await endInOrder(parts, 300, (name, error) => told.push(`${name}: ${(error as Error).message}`));
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(ended).toEqual(['first', 'fails', 'throws', 'hangs', 'hangs too', 'last']);
  expect(told).toEqual([
    'fails: it broke',
    'throws: at once',
    'hangs: it does not end',
    'hangs too: it does not end',
  ]);
});
