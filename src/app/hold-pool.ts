import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolsPort } from '../contract/pools.ts';

const LOOK_EVERY_MS = 2000;
/** Half of the time after which another machine takes a pool that nobody renews. */
const LOST_AFTER_MS = 30_000;
const CHECK_EVERY_MS = 1000;

interface Holding {
  readonly pools: PoolsPort;
  readonly name: string;
  readonly machine: string;
  /** Other machines may wait for it, so what can't be renewed is lost. */
  readonly isShared: boolean;
  readonly clock: () => number;
}

export interface Starting {
  /** Told whom the start waits for. */
  readonly onWait: (what: string) => void;
  readonly signal: AbortSignal;
}

/** Another machine serves the pool, or may by now. */
export class PoolLost extends Error {
  constructor(name: string, why: string) {
    super(`the pool "${name}" is not this machine's any more: ${why}`);
    this.name = 'PoolLost';
  }
}

export interface HeldPool {
  /** Resolves once another machine may serve it. */
  readonly lost: Promise<PoolLost>;
  renew(): Promise<void>;
  /** Nothing of this process writes any more. */
  release(): Promise<void>;
}

/**
 * Waits until this machine serves the pool.
 * @throws what ended the waiting
 */
export async function takePool(holding: Holding, starting?: Starting): Promise<HeldPool> {
  const { pools, name, machine, clock } = holding;
  for (let told = ''; ; ) {
    const at = clock();
    const holder = await pools.take(name, machine);
    if (holder === machine) return keepPool(holding, at);
    if (holder !== told) starting?.onWait(`${holder} serves the pool "${name}"`);
    told = holder;
    await sleep(LOOK_EVERY_MS, undefined, { signal: starting?.signal });
  }
}

function keepPool({ pools, name, machine, isShared, clock }: Holding, takenAt: number): HeldPool {
  let renewedAt = takenAt;
  let lose: (why: string) => void = () => {};
  const lost = new Promise<PoolLost>((resolve) => {
    lose = (why) => resolve(new PoolLost(name, why));
  });
  const timer = setInterval(() => {
    if (isShared && clock() - renewedAt > LOST_AFTER_MS)
      lose('the database took none of its heartbeats');
  }, CHECK_EVERY_MS);
  return {
    lost,
    async renew() {
      // An answer that comes late says nothing of now.
      const at = clock();
      const holder = await pools.take(name, machine);
      if (holder === machine) renewedAt = at;
      else lose(`${holder} serves it`);
    },
    async release() {
      clearInterval(timer);
      await pools.release(name, machine);
    },
  };
}
