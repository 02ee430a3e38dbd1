import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/stack/ports.ts';

test('SERVE-21 a port that the service chooses is none that the system gives to others, such as Temporal’s own', async () => {
  const chosen = await Promise.all(Array.from({ length: 50 }, () => freePort(0)));
  expect(chosen.filter((port) => port < 20_000 || port > 32_767)).toEqual([]);
});

test('SERVE-21 the wanted port is taken where it is free, and another one where it is not', async () => {
  const wanted = await freePort(0);
  expect(await freePort(wanted)).toBe(wanted);
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const other = await freePort(wanted);
  expect(other).not.toBe(wanted);
  expect(other).toBeGreaterThan(0);
});
