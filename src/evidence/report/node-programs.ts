/**
 * Programs for the tested project's own processes: written to the report's folder and loaded by
 * NODE_OPTIONS, so that the command is unchanged however deep in scripts its runner is called.
 */

/**
 * Variable with the key by which the runner's own process signs its report. That process takes it
 * out of its environment before it starts any test; a report without the key's signature is none.
 */
export const REPORT_KEY = 'GOALKEEPER_REPORT_KEY';

/** Where the hook leaves the key for the reporter of the same process. */
const KEPT_KEY = "Symbol.for('goalkeeper.report')";

/** Each process writes `<pid>-<time>.<kind>`: a command may start several runners. */
const UNIQUE = "process.pid + '-' + process.hrtime.bigint()";

/**
 * A reporter of node:test that notes names and leaves the output as it would have been: where the
 * command chooses reporters itself, this one prints nothing.
 */
export const NODE_TEST_REPORTER = `import { createHmac } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { spec, tap } from 'node:test/reporters';

const here = fileURLToPath(import.meta.url);
const file = join(dirname(here), ${UNIQUE} + '.node-test');
const isQuiet = here.endsWith('quiet.mjs');
const key = globalThis[${KEPT_KEY}] ?? process.env.${REPORT_KEY};
delete globalThis[${KEPT_KEY}];
delete process.env.${REPORT_KEY};
const seal = key === undefined ? null : createHmac('sha256', key);
function note(entry) {
  if (seal === null) return;
  const line = JSON.stringify(entry) + '\\n';
  seal.update(line);
  appendFileSync(file, line);
}
if (seal !== null) process.once('exit', () => writeFileSync(file + '.seal', seal.digest('hex')));
const cwd = process.cwd();
const above = [];

function said(error) {
  const text = String(error?.cause?.message ?? error?.message ?? '');
  return text.slice(0, 500);
}

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
    isCutOff: data.details?.error?.failureType === 'cancelledByParent' ? true : undefined,
    message: type === 'test:fail' ? said(data.details?.error) : undefined,
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
const { createHmac } = require('node:crypto');
const { readFileSync, realpathSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { join } = require('node:path');

const RUNNERS = [
  ['vitest', /\\/vitest\\/(vitest\\.mjs|dist\\/cli\\.js)$/],
  ['jest', /\\/(jest|jest-cli)\\/bin\\/jest\\.js$|\\/react-scripts\\/scripts\\/test\\.js$/],
];

function takeKey() {
  const key = process.env.${REPORT_KEY};
  delete process.env.${REPORT_KEY};
  return key;
}

function add() {
  const argv = process.argv;
  if (!isMainThread) return;
  if (process.execArgv.includes('--test')) globalThis[${KEPT_KEY}] = takeKey();
  if (argv[1] === undefined || process.env.GOALKEEPER_REPORTED) return;
  const entry = realpathSync(argv[1]).replaceAll('\\\\', '/');
  const runner = RUNNERS.find(([, path]) => path.test(entry))?.[0];
  if (runner === undefined || /^(list|bench|init)$/.test(argv[2] ?? '')) return;
  if (argv.some((word) => /^--(outputFile|json|help|version|listTests|showConfig)\\b/.test(word))) return;
  const file = join(__dirname, ${UNIQUE} + '.' + runner);
  const key = takeKey();
  if (key === undefined) return;
  const cwd = process.cwd();
  writeFileSync(file + '.begun', cwd);
  process.once('exit', () => {
    const seal = createHmac('sha256', key).update(cwd + '\\0').update(readFileSync(file));
    writeFileSync(file + '.seal', seal.digest('hex'));
  });
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

/** Hook that tells Mocha and Jest to end after their tests, whatever these left open. */
export const ENDING_HOOK = `'use strict';
const { realpathSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const RUNNERS = [
  ['--exit', /\\/mocha\\/(bin\\/_?mocha(\\.m?js)?|lib\\/cli\\/cli\\.js)$/],
  ['--forceExit', /\\/(jest|jest-cli)\\/bin\\/jest\\.js$|\\/react-scripts\\/scripts\\/test\\.js$/],
];

try {
  const { argv } = process;
  const entry = isMainThread ? realpathSync(argv[1]).replaceAll('\\\\', '/') : '';
  const option = RUNNERS.find(([, path]) => path.test(entry))?.[0];
  if (option !== undefined && !argv.includes(option)) {
    const separator = argv.indexOf('--');
    argv.splice(separator < 0 ? argv.length : separator, 0, option);
  }
} catch {
  // It ends by itself, or when its time is over.
}
`;
