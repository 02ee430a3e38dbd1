/** Runs one operation at a time, in the order of arrival. */
export interface Mutex {
  run<Result>(operation: () => Promise<Result>): Promise<Result>;
  isIdle(): boolean;
}

export function createMutex(): Mutex {
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run(operation) {
      waiting += 1;
      const result = tail.then(operation, operation);
      const done = () => {
        waiting -= 1;
      };
      tail = result.then(done, done);
      return result;
    },
    isIdle: () => waiting === 0,
  };
}
