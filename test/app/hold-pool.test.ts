import { expect, onTestFinished, test, vi } from 'vitest';
import { type HeldPool, takePool } from '../../src/app/hold-pool.ts';

function held(isShared: boolean) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let holder: string | Error = 'here';
  let takesMs = 0;
  let now = 0;
  const pass = async (ms: number) => {
    now += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const released: string[] = [];
  const pools = {
    async take() {
      now += takesMs;
      if (holder instanceof Error) throw holder;
      return holder;
    },
    async release(name: string) {
      released.push(name);
    },
  };
  const holding = { pools, name: 'shop', machine: 'here', isShared, clock: () => now };
  return {
    holding,
    pass,
    released,
    becomes: (next: string | Error) => {
      holder = next;
    },
    answersAfter: (ms: number) => {
      takesMs = ms;
    },
  };
}

/** Null as long as it isn't lost. */
function watched({ lost }: HeldPool): () => string | null {
  let why: string | null = null;
  void lost.then(({ message }) => {
    why = message;
  });
  return () => why;
}

test('POOL-1 a start waits for the machine that serves the pool, and says once which it is', async () => {
  const { holding, becomes, pass } = held(true);
  becomes('there');
  const waits: string[] = [];
  const signal = new AbortController().signal;
  const taking = takePool(holding, { onWait: (what) => waits.push(what), signal });
  await pass(10_000);
  becomes('here');
  await pass(2000);
  await taking;
  expect(waits).toEqual(['there serves the pool "shop"']);
});

test('POOL-1 a start that waits ends when it is told to', async () => {
  const { holding, becomes } = held(true);
  becomes('there');
  const ending = new AbortController();
  const taking = takePool(holding, { onWait: () => ending.abort(), signal: ending.signal });
  await expect(taking).rejects.toThrow('abort');
});

test('POOL-2 a shared pool that can’t be renewed is lost half a minute before another machine has it', async () => {
  const { holding, becomes, pass } = held(true);
  const pool = await takePool(holding);
  const why = watched(pool);
  await pass(25_000);
  await pool.renew();
  becomes(new Error('the database is away'));
  await pass(29_000);
  await expect(pool.renew()).rejects.toThrow('away');
  expect(why()).toBeNull();
  await pass(3000);
  expect(why()).toContain('the database took none of its heartbeats');
});

test('POOL-2 an answer that came late renews it as of when it was asked', async () => {
  const { holding, answersAfter, pass } = held(true);
  const pool = await takePool(holding);
  const why = watched(pool);
  answersAfter(29_000);
  await pool.renew();
  await pass(2000);
  expect(why()).toContain('"shop" is not this machine');
});

test('POOL-2 a pool of this machine’s own name outlives a database that is away for hours', async () => {
  const { holding, becomes, pass } = held(false);
  const pool = await takePool(holding);
  const why = watched(pool);
  becomes(new Error('the database is away'));
  await pass(600_000);
  expect(why()).toBeNull();
  await pool.release();
});

test('POOL-2 a pool that another machine serves is lost at once', async () => {
  const { holding, becomes, released } = held(false);
  const pool = await takePool(holding);
  becomes('there');
  await pool.renew();
  expect((await pool.lost).message).toContain('there serves it');
  await pool.release();
  expect(released).toEqual(['shop']);
});
