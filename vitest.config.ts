import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

const WITH_SERVERS = [
  'db',
  'workflows',
  'activities',
  'temporal',
  'stack',
  'api',
  'concurrency',
  'cli',
  'turn',
  'honesty',
  'evidence',
  'browser',
];
const serverTests = WITH_SERVERS.map((folder) => `test/${folder}/**/*.test.ts`);

/** One queue of files: the quick ones use what those leave that wait for servers and timers. */
const together = {
  pool: 'forks',
  // Loading the service and its clients anew for every file took a sixth of the time.
  isolate: false,
  maxWorkers: 5,
} as const;

export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...serverTests, 'test/chaos/**'],
          ...together,
          // Properties and processes of their own, also on a machine that is busy.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: serverTests,
          globalSetup: [
            'test/support/global-setup.ts',
            'test/support/bundle-setup.ts',
            'test/support/compile-setup.ts',
          ],
          ...together,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
