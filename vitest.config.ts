import { defineConfig } from 'vitest/config';
// First: setups load the store, all of them before the first one runs.
import './scripts/generate.ts';
import { ClosingLine } from './test/support/closing-line.ts';
import { SlowFirst } from './test/support/slow-first.ts';

const WITH_SERVERS = [
  'store',
  'workflows',
  'activities',
  'temporal',
  'stack',
  'api',
  'cli',
  'turn',
  'evidence',
  'concurrency',
  'hooks',
];
/**
 * A file that takes more than eight seconds of a processor, and the only one that goes the way of
 * its promise through the real service: `npm run test:long`.
 */
const longTests = ['test/**/*.long.test.ts'];
/**
 * `npm run test:campaigns`: a promise that a quick or long file holds in every run, at more moments
 * and in more ways, against more providers, agents and toolchains, or while whole services are
 * stopped and killed. A single test of another file is one by its tag.
 */
const campaigns = ['test/**/*.campaign.test.ts'];
const CAMPAIGN = { name: 'campaign' };
const serverTests = WITH_SERVERS.map((folder) => `test/${folder}/**/*.test.ts`);
const browserTests = ['test/browser/**/*.test.ts'];
/** Attempts on running services, which take a quarter of an hour: `npm run test:security`. */
const securityTests = ['test/security/**/*.test.ts'];
/** Agents of the registry, installed for the test: `npm run test:real-agents`. */
const realAgentTests = ['test/real-agents/**/*.test.ts'];

// Certificates for a network that no test needs: reading them doubles the start of each Node.
delete process.env.NODE_EXTRA_CA_CERTS;

/** One queue of files: the quick ones use what those leave that wait for servers and timers. */
const together = {
  pool: 'forks',
  // Loading the service and its clients anew for every file took a sixth of the time.
  isolate: false,
  // Only what hangs is ended: how long an honest test takes depends on who else is at work.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  setupFiles: ['test/support/file-times.ts'],
} as const;

const onServers = {
  globalSetup: [
    'test/support/global-setup.ts',
    'test/support/bundle-setup.ts',
    'test/support/compile-setup.ts',
  ],
  // Workflows run in the thread of the test: one of their own for each world took a second of
  // processor time, and the engine's watch over it ends on a crowded machine.
  env: { TEMPORAL_DEBUG: '1' },
  ...together,
  setupFiles: [...together.setupFiles, 'test/support/no-promise-hook.ts'],
};

/** Of those in a browser: from a goal's start to its proof, as a person goes. The others are pages. */
const pageTests = ['test/browser/!(journey).test.ts'];

/** Whatever `.ci/run` plays in one queue: what is loaded once serves all, and no end is waited for. */
const allOfThem = {
  name: 'all',
  include: ['test/**/*.test.ts'],
  exclude: [...campaigns, ...pageTests, ...securityTests, ...realAgentTests, 'test/chaos/**'],
  ...onServers,
};

const apart = [
  {
    name: 'unit',
    include: ['test/**/*.test.ts'],
    exclude: [...serverTests, ...longTests, ...browserTests, ...allOfThem.exclude],
    ...together,
  },
  {
    name: 'integration',
    include: serverTests,
    exclude: [...longTests, ...campaigns],
    ...onServers,
  },
  { name: 'long', include: longTests, ...onServers },
  { name: 'campaigns', include: campaigns, ...onServers },
  { name: 'browser', include: browserTests, exclude: campaigns, ...onServers },
  { name: 'real-agents', include: realAgentTests, ...onServers },
  {
    name: 'security',
    include: securityTests,
    ...onServers,
    globalSetup: [...onServers.globalSetup, 'test/support/attempts-setup.ts'],
    // Services that are attacked by floods don't share the machine with others.
    maxWorkers: 1,
  },
];

/** `GOALKEEPER_TESTS=all npm test` plays the long ones and the browser's journey too. */
const isAll = process.env.GOALKEEPER_TESTS === 'all';

export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    sequence: { sequencer: SlowFirst },
    // Two processors have no idle moment with it, and each more loads the whole service once more.
    maxWorkers: 4,
    tags: [CAMPAIGN],
    projects: (isAll ? [allOfThem] : apart).map((test) => ({ test })),
  },
});
