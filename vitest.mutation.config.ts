import { defineConfig } from 'vitest/config';

/** `npm run test:mutation`: the tests of the pure zone alone, once for each mutant that they reach. */
export default defineConfig({
  test: {
    include: ['goal', 'record', 'reply', 'policy'].map((folder) => `test/${folder}/**/*.test.ts`),
    testTimeout: 60_000,
    // Stryker begins a worker for each mutant; within it these tests, which keep no state, share
    // their modules. Its setup file counts for each test file only where Vitest runs it itself.
    isolate: false,
    server: { deps: { inline: [/stryker-setup/] } },
  },
});
