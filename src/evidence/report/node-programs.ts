/**
 * Programs for the tested project's own processes: written to the report's folder and loaded by
 * NODE_OPTIONS, so that the command is unchanged however deep in scripts its runner is called.
 */

/** Each process writes `<pid>-<time>.<kind>`: a command may start several runners. */
const UNIQUE = "process.pid + '-' + process.hrtime.bigint()";

/**
 * A reporter of node:test that notes names and leaves the output as it would have been: where the
 * command chooses reporters itself, this one prints nothing.
 */
export const NODE_TEST_REPORTER = `import { appendFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { spec, tap } from 'node:test/reporters';

const here = fileURLToPath(import.meta.url);
const file = join(dirname(here), ${UNIQUE} + '.node-test');
const isQuiet = here.endsWith('quiet.mjs');
const note = (entry) => appendFileSync(file, JSON.stringify(entry) + '\\n');
const cwd = process.cwd();
const above = [];

function record({ type, data }) {
  if (type === 'test:start') {
    above.length = data.nesting;
    above[data.nesting] = data.name;
  }
  if (type !== 'test:pass' && type !== 'test:fail') return;
  const path = data.file === undefined ? '' : relative(cwd, data.file);
  const isFile = data.nesting === 0 && (data.name === data.file || data.name === path);
  note({
    file: path,
    path: [...above.slice(0, data.nesting), data.name],
    result: data.skip !== undefined && data.skip !== false ? 'skipped'
      : data.todo !== undefined && data.todo !== false ? 'skipped'
      : type === 'test:pass' ? 'passed' : 'failed',
    kind: isFile ? 'file' : data.details?.type === 'suite' ? 'suite' : 'test',
  });
}

export default async function* report(source) {
  note({ begin: true });
  async function* noted() {
    for await (const event of source) {
      record(event);
      yield event;
    }
  }
  if (isQuiet) {
    for await (const _ of noted());
  } else if (Number(process.versions.node.split('.')[0]) < 23) {
    yield* tap(noted());
  } else {
    yield* Readable.from(noted()).compose(new spec());
  }
}
`;

/**
 * Hook that adds a machine-readable report to the options of Vitest and Jest, at any depth of
 * scripts.
 */
export const RUNNER_HOOK = `'use strict';
const { realpathSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { join } = require('node:path');

const RUNNERS = [
  ['vitest', /\\/vitest\\/(vitest\\.mjs|dist\\/cli\\.js)$/],
  ['jest', /\\/(jest|jest-cli)\\/bin\\/jest\\.js$|\\/react-scripts\\/scripts\\/test\\.js$/],
];

function add() {
  const argv = process.argv;
  if (!isMainThread || argv[1] === undefined || process.env.GOALKEEPER_REPORTED) return;
  const entry = realpathSync(argv[1]).replaceAll('\\\\', '/');
  const runner = RUNNERS.find(([, path]) => path.test(entry))?.[0];
  if (runner === undefined || /^(list|bench|init)$/.test(argv[2] ?? '')) return;
  if (argv.some((word) => /^--(outputFile|json|help|version|listTests|showConfig)\\b/.test(word))) return;
  const file = join(__dirname, ${UNIQUE} + '.' + runner);
  writeFileSync(file + '.begun', process.cwd());
  // Processes that the tests start aren't part of this run.
  process.env.GOALKEEPER_REPORTED = '1';
  const hasReporter = argv.some((word) => /^--reporter\\b/.test(word));
  const options = runner === 'jest'
    ? ['--json', '--outputFile=' + file]
    : [...(hasReporter ? [] : ['--reporter=default']), '--reporter=json', '--outputFile.json=' + file];
  const separator = argv.indexOf('--');
  argv.splice(separator < 0 ? argv.length : separator, 0, ...options);
}

try {
  add();
} catch {
  // Without a report the run is judged by its output.
}
`;
