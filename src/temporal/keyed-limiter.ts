export interface KeyedLimiter {
  /** Runs `work` when fewer than `width` calls for `key` are running, first come, first served. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

export function createKeyedLimiter(width: number): KeyedLimiter {
  const lanes = new Map<string, Lane>();

  async function enter(key: string): Promise<Lane> {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    if (lane.running < width) lane.running += 1;
    // A call that ends hands its slot over, so `running` stays as it is.
    else await new Promise<void>((resolve) => lane.waiting.push(resolve));
    return lane;
  }

  function leave(key: string, lane: Lane): void {
    const next = lane.waiting.shift();
    if (next === undefined) lane.running -= 1;
    else next();
    if (lane.running === 0) lanes.delete(key);
  }

  return {
    async run(key, work) {
      const lane = await enter(key);
      try {
        return await work();
      } finally {
        leave(key, lane);
      }
    },
  };
}
