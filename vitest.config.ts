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
];
const serverTests = WITH_SERVERS.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['test/**/*.test.ts'],
          exclude: [...serverTests, 'test/chaos/**'],
          // Properties and processes of their own, also on a machine that is busy.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          // After the quick ones.
          sequence: { groupOrder: 1 },
          include: serverTests,
          globalSetup: [
            'test/support/global-setup.ts',
            'test/support/bundle-setup.ts',
            'test/support/compile-setup.ts',
          ],
          pool: 'forks',
          // Loading the service and its clients anew for every file took a sixth of the time.
          isolate: false,
          // Much of it waits: for servers, timers and processes.
          maxWorkers: 5,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
