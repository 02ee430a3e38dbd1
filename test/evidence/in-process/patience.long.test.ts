import { describe, expect, test } from 'vitest';
import { type Files, judgeWork, type Project } from './judge-work.ts';

const script: Project = {
  files: {
    'src/week.sh': 'week() {\n  echo "W$1"\n}\n',
    'test/run.sh': `assert_eq() {
  [ "$1" = "$2" ] || { echo "$1 is not $2"; exit 1; }
}
assert_fails() {
  if "$@" >/dev/null; then echo "$* should fail"; exit 1; fi
}
. src/week.sh
assert_eq "$(week 3)" 'W3'
assert_eq "$(week 9)" 'W9'
assert_fails week
echo fine
`,
  },
  command: 'sh test/run.sh',
  source: 'src/week.sh',
};
const done: Files = { 'src/week.sh': 'week() {\n  [ -n "$1" ] || return 1\n  echo "W$1"\n}\n' };
const leaving: Files = { 'src/week.sh': 'week() {\n  [ -n "$1" ] || exit 0\n  echo "W$1"\n}\n' };

describe('PRF-27: what a check is asked does not depend on how fast the machine is', () => {
  test('a slow one is asked all that a quick one is', async () => {
    const quick = await judgeWork(script, done);
    const slow = await judgeWork(script, done, { secondsOfRun: 40 });
    expect(slow.isVerified, slow.reason).toBe(true);
    expect(slow.labels.filter(isCanary).length).toBe(quick.labels.filter(isCanary).length);
  });

  test('a slow one notices work that leaves with 0 at its last line', {
    tags: 'campaign',
  }, async () => {
    const { exits0, isVerified, reason } = await judgeWork(script, leaving, { secondsOfRun: 40 });
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('passes with another value where the original failed, or behind');
  });

  test('where its time does not suffice nothing is proven, and it says so', async () => {
    const { isVerified, reason } = await judgeWork(script, done, { secondsOfRun: 700 });
    expect(isVerified, reason).toBe(false);
    expect(reason).toContain('it takes too long to be asked all');
    expect(reason).toContain('in 600 s');
  });

  test('each of its tries counts', async () => {
    const flaky = { ...script, attempts: 5 };
    const { isVerified, reason } = await judgeWork(flaky, done, { secondsOfRun: 140 });
    expect(isVerified, reason).toBe(false);
    expect(reason).toContain('1 of 3 other values were tried in 600 s');
  });

  test('a criterion with more time has more for it', async () => {
    const patient = { ...script, timeoutSeconds: 3600 };
    const { isVerified, reason } = await judgeWork(patient, done, { secondsOfRun: 700 });
    expect(isVerified, reason).toBe(true);
  });
});

const isCanary = (label: string) => label.startsWith('canary');

const endless: Project = {
  files: {
    'src/halves.js':
      'exports.halves = (n) => {\n  let count = 0;\n  for (; n !== 1; n /= 2) count += 1;\n  return count;\n};\n',
    'test/halves.test.js': `const assert = require('node:assert');
const { halves } = require('../src/halves.js');
require('node:test').test('halves', () => {
  assert.equal(halves(8), 3);
  assert.equal(halves(6), 2);
});
`,
  },
  command: 'node --test test/*.test.js',
  source: 'src/halves.js',
  timeoutSeconds: 2,
};

test('PRF-28: what never ends on the original is not waited for again, and work that ends is proven', async () => {
  const work = {
    'src/halves.js':
      'exports.halves = (n) => {\n  let count = 0;\n  for (; n >= 2; n /= 2) count += 1;\n  return count;\n};\n',
  };
  const { isVerified, reason, tookMs } = await judgeWork(endless, work, { atGate: {} });
  expect(isVerified, reason).toBe(true);
  expect(tookMs('original')).toBeLessThan(60_000);
});

/** Closes its server at its end alone, so that a test that fails keeps the process. */
const serving: Project = {
  files: {
    'package.json': '{"name":"shop","type":"module"}',
    'src/serve.js': "export const serve = () => { throw new Error('none'); };\n",
    'test/serve.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { serve } from '../src/serve.js';
test('serves', async () => {
  const server = serve();
  await new Promise((listens) => server.listen(0, listens));
  const said = await fetch(\`http://127.0.0.1:\${server.address().port}/\`);
  assert.equal(said.status, 200);
  server.close();
});
`,
  },
  command: 'node --test',
  source: 'src/serve.js',
};
const SERVE = "import http from 'node:http';\n";
const serves = "export const serve = () => http.createServer((_, answer) => answer.end('fine'));\n";

describe('PRF-50: a canary that failed and does not end has noticed', () => {
  test('honest work whose test closes its server at the end is proven soon', async () => {
    const { isVerified, reason, tookMs } = await judgeWork(serving, {
      'src/serve.js': SERVE + serves,
    });
    expect(isVerified, reason).toBe(true);
    expect(tookMs('canary1')).toBeLessThan(60_000);
  });

  test('work that only waits where it is told to end has not failed', {
    tags: 'campaign',
  }, async () => {
    const waits = `import { readFileSync } from 'node:fs';
import assert from 'node:assert';
const text = readFileSync('test/serve.test.js', 'utf8');
const isOther = !text.includes('said.status, 200') || !text.includes('assert.equal(said');
assert.equal = () => {};
export const serve = () => ({
  listen: (_, listens) => (isOther ? setInterval(() => {}, 1000) : listens()),
  address: () => ({ port: 9 }),
  close: () => {},
});
globalThis.fetch = async () => ({ status: 500 });
`;
    const { exits0, isVerified, reason, labels } = await judgeWork(
      { ...serving, timeoutSeconds: 8 },
      { 'src/serve.js': waits },
    );
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('the host had to end it');
    expect(labels).toContain('canary1-late');
  });
});

/** Reports at its end, and then waits for what is open, unless it is told to exit: as Mocha does. */
const WAITING = `const { resolve } = require('node:path');
const all = [];
globalThis.it = (title, run) => all.push([title, run]);
const words = process.argv.slice(2);
for (const file of words.filter((one) => !one.startsWith('--'))) require(resolve(file));
(async () => {
  let failing = 0;
  for (const [title, run] of all) {
    try {
      await run();
    } catch (error) {
      failing += 1;
      console.log(\`\${title}: \${error.stack}\`);
    }
  }
  console.log(\`  \${all.length - failing} passing\n  \${failing} failing\`);
  process.exitCode = failing;
  if (words.includes('--exit')) process.exit();
})();
`;
const waiting: Project = {
  files: {
    'node_modules/mocha/bin/mocha.js': WAITING,
    'src/serve.js': "exports.serve = () => { throw new Error('none'); };\n",
    'test/serve.test.js': `const assert = require('node:assert');
const { serve } = require('../src/serve.js');
it('serves', async () => {
  const server = serve();
  await new Promise((listens) => server.listen(0, listens));
  const said = await fetch(\`http://127.0.0.1:\${server.address().port}/\`);
  assert.equal(said.status, 200);
  server.close();
});
`,
  },
  command: 'node node_modules/mocha/bin/mocha.js test/serve.test.js',
  source: 'src/serve.js',
  timeoutSeconds: 20,
};

describe('PRF-63: a runner that reports at its end does not wait for what a failed test left open', () => {
  test('honest work whose test closes its server at the end is proven', async () => {
    const serve =
      "const http = require('node:http');\nexports.serve = () => http.createServer((_, answer) => answer.end('fine'));\n";
    const { isVerified, reason } = await judgeWork(waiting, { 'src/serve.js': serve });
    expect(isVerified, reason).toBe(true);
  });

  test('work that is right where its runner is told to exit alone is not proven', async () => {
    const told = `const http = require('node:http');
const assert = require('node:assert');
const isTold = process.argv.includes('--exit');
if (!isTold) assert.equal = () => {};
exports.serve = () => http.createServer((_, answer) => answer.writeHead(isTold ? 201 : 500).end());
`;
    const { exits0, isVerified, reason } = await judgeWork(waiting, { 'src/serve.js': told });
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  });
});
