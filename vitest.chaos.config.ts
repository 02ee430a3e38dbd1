import { defineConfig } from 'vitest/config';
import './scripts/generate.ts';
import { ClosingLine } from './test/support/closing-line.ts';

/** `npm run test:chaos`: minutes of killed processes, one file after the other. */
export default defineConfig({
  test: {
    include: ['test/chaos/**/*.test.ts'],
    globalSetup: [
      'test/support/global-setup.ts',
      'test/support/bundle-setup.ts',
      'test/support/compile-setup.ts',
    ],
    reporters: ['default', new ClosingLine()],
    fileParallelism: false,
    pool: 'forks',
    // Goals of one file at a time.
    maxConcurrency: 4,
    testTimeout: 360_000,
    hookTimeout: 60_000,
  },
});
