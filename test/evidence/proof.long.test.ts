import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandCriterion, Criterion } from '../../schema/criteria.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { ScopeInput } from '../../schema/scope.ts';
import type { ProofFinding } from '../../src/contract/proofs.ts';
import { startRepository } from '../support/git.ts';
import { openGround } from './gate-ground.ts';

let workspace: string;
const passes: CommandCriterion = { kind: 'command', command: 'node --test test/*.test.js' };

const RIGHT = 'exports.sum = (a, b) => a + b;\n';
const WRONG = 'exports.sum = (a, b) => a - b;\n';

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-proof-'));
  put(
    'package.json',
    '{"name":"shop","main":"src/sum.js","scripts":{"test":"node --test test/*.test.js"}}',
  );
  put('src/sum.js', WRONG);
  put('support/expected.js', 'exports.expected = 3;\n');
  put(
    'test/sum.test.js',
    `const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../src/sum.js');
const { expected } = require('../support/expected.js');
test('sums', () => assert.equal(sum(1, 2), expected));
`,
  );
  put('.gitignore', 'node_modules/\ndist/\nlocal.js\n');
  put('node_modules/lib/index.js', 'module.exports = (a, b) => a - b;\n');
  startRepository(workspace);
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

interface Setting {
  readonly criteria?: readonly Criterion[];
  readonly scope?: ScopeInput;
  /** Before the goal's first write. */
  readonly before?: () => void;
}

async function judge(work: () => void, { criteria = [passes], scope, before }: Setting = {}) {
  before?.();
  const kept: unknown[] = [];
  const found: GoalProof[] = [];
  const proofs = {
    baselines: async () => [],
    keepBaselines: async () => {},
    finishedGoals: async () => [],
    keepFinding: async (_: unknown, __: number, { changes, proof }: ProofFinding) => {
      kept.push(...changes);
      if (proof !== null) found.push(proof);
    },
  };
  const own = { scope: scope ?? null };
  const ground = openGround(workspace, criteria, { proofs } as never, own);
  const baseline = await ground.lookFirst();
  work();
  const evidence = await ground.gate();
  return { baseline, evidence, kept, proof: found.at(-1), rows: ground.rows };
}

test('the work in scope proves itself: the original with it passes', async () => {
  const { baseline, evidence } = await judge(() => put('src/sum.js', RIGHT));
  expect(baseline?.states).toEqual({ c1: 'unmet' });
  expect(baseline?.proof).toMatchObject({ scope: { setBy: 'host', keep: expect.any(Array) } });
  expect(evidence.weakened).toEqual([]);
  expect(evidence.criteria).toMatchObject([
    { state: 'met', baseline: 'unmet', isHostChecked: true },
  ]);
});

test('honest changes beyond the scope cost nobody a question where the proof does without them', async () => {
  const { evidence } = await judge(() => {
    put('src/sum.js', RIGHT);
    put('test/more.test.js', "require('node:test').test('more', () => {});\n");
    put('test/sum.test.js', "// formatted\nrequire('node:test').test('sums', () => {});\n");
    put('README.md', 'Sums.\n');
    put('package.json', '{"name":"shop","version":"1.0.1","main":"src/sum.js"}');
  });
  expect(evidence.weakened).toEqual([]);
  expect(evidence.criteria).toMatchObject([{ state: 'met' }]);
});

describe('PRF-20 a change beyond the scope that breaks a check of the original is a question to a person', () => {
  const before = () => {
    put('lib/money.js', 'exports.cents = (n) => n * 100;\n');
    put('config/app.json', '{"isOn":true}\n');
    put(
      'test/money.test.js',
      "require('node:test').test('cents', () => require('node:assert').equal(require('../lib/money.js').cents(2), 200));\n",
    );
  };
  const scope = { change: ['src/sum.js'] };

  test('whatever was made of the test beside it', async () => {
    const { evidence, kept } = await judge(
      () => {
        put('src/sum.js', RIGHT);
        put('lib/money.js', 'exports.cents = (n) => n;\n');
        put('lib/more.js', 'exports.more = 1;\n');
        put('test/money.test.js', "require('node:test').test('cents', () => {});\n");
      },
      { before, scope },
    );
    expect(evidence.weakened).toEqual(['breaks:lib/money.js']);
    expect(kept).toMatchObject([{ kind: 'breaks', diff: expect.stringContaining('+') }]);
  });

  test('also where it is a setting that switches the work off', { tags: 'campaign' }, async () => {
    const { evidence } = await judge(
      () => {
        put(
          'src/sum.js',
          `const { isOn } = require('../config/app.json');\n${RIGHT}if (!isOn) exports.sum = () => 0;\n`,
        );
        put('config/app.json', '{"isOn":false}\n');
        put('test/sum.test.js', "require('node:test').test('sums', () => {});\n");
      },
      { before, scope },
    );
    expect(evidence.weakened).toEqual(['breaks:config/app.json']);
  });

  test('and none where it holds with it', async () => {
    const { evidence } = await judge(
      () => {
        put('src/sum.js', RIGHT);
        put('lib/money.js', 'const each = 100;\nexports.cents = (n) => n * each;\n');
      },
      { before, scope },
    );
    expect(evidence.weakened).toEqual([]);
    expect(evidence.criteria).toMatchObject([{ state: 'met' }]);
  });
});

describe('a change beyond the scope that carries the proof is a question to a person', () => {
  const tricks: [string, readonly string[], () => void][] = [
    [
      'an edited test',
      ['test/sum.test.js'],
      () => put('test/sum.test.js', "require('node:test').test('sums', () => {});\n"),
    ],
    [
      'an expectation under a name that no list has',
      ['support/expected.js'],
      () => put('support/expected.js', 'exports.expected = -1;\n'),
    ],
    [
      'a test that is a link to another file',
      ['support/empty.js', 'test/sum.test.js'],
      () => {
        put('support/empty.js', '');
        rmSync(join(workspace, 'test/sum.test.js'));
        symlinkSync('../support/empty.js', join(workspace, 'test/sum.test.js'));
      },
    ],
  ];
  test.each(tricks)('%s', async (_, carries, work) => {
    const { evidence, kept } = await judge(() => {
      work();
      put('README.md', 'Nothing to see here.\n');
    });
    expect(evidence.criteria).toMatchObject([{ state: 'met' }]);
    expect(evidence.weakened).toEqual(carries);
    expect(kept).toMatchObject(carries.map((name) => ({ name, kind: 'beyond_scope' })));
  });

  test('several together, and none that is not needed', { tags: 'campaign' }, async () => {
    const criteria: CommandCriterion[] = [{ kind: 'command', command: 'sh check/run.sh' }];
    const { evidence } = await judge(
      () => {
        put('check/a.txt', 'yes\n');
        put('check/b.txt', 'yes\n');
        for (const name of ['c', 'd', 'e', 'f']) put(`notes/${name}.txt`, 'x\n');
      },
      {
        criteria,
        before: () =>
          put(
            'check/run.sh',
            'grep -q yes "$(dirname $0)/a.txt" && grep -q yes "$(dirname $0)/b.txt"\n',
          ),
      },
    );
    expect(evidence.weakened).toEqual(['check/a.txt', 'check/b.txt']);
  });
});

describe('what no proof run has, proves nothing', () => {
  const unproven: [string, () => void, Setting][] = [
    [
      'a build by hand in a folder that git ignores',
      () => put('dist/sum.js', RIGHT),
      {
        criteria: [
          {
            kind: 'command',
            command: 'node -e "if (require(\'./dist/sum.js\').sum(1,2)!==3) process.exit(1)"',
          },
        ],
        before: () => put('dist/sum.js', WRONG),
      },
    ],
    [
      'a fix in an ignored file',
      () => {
        put('local.js', RIGHT);
        put(
          'src/sum.js',
          "try { module.exports = require('../local.js') } catch { exports.sum = () => 0 }\n",
        );
      },
      {},
    ],
    [
      'a package that was edited where it is installed',
      () => {
        put('node_modules/lib/index.js', 'module.exports = (a, b) => a + b;\n');
      },
      { before: () => put('src/sum.js', "exports.sum = require('lib');\n") },
    ],
    [
      'an ignored folder that the goal no longer ignores',
      () => {
        put('.gitignore', '');
        put('dist/sum.js', RIGHT);
        put('src/sum.js', "module.exports = require('../dist/sum.js');\n");
      },
      {},
    ],
  ];
  test.each(unproven)('%s', async (_, work, setting) => {
    const { evidence } = await judge(work, setting);
    const proven = evidence.criteria.every(({ state }) => state === 'met');
    expect(proven && evidence.weakened.length === 0).toBe(false);
  });
});

test('an installed package that nobody touched is there in the proof run', async () => {
  const { evidence } = await judge(
    () =>
      put('src/sum.js', "const minus = require('lib');\nexports.sum = (a, b) => minus(a, -b);\n"),
    {},
  );
  expect(evidence.criteria).toMatchObject([{ state: 'met' }]);
  expect(evidence.weakened).toEqual([]);
});

test('a deleted test stays in the proof, whatever passes in the workspace', async () => {
  const criteria: CommandCriterion[] = [
    { kind: 'command', command: 'for f in test/*.js; do node $f; done' },
  ];
  const { evidence } = await judge(
    () => {
      rmSync(join(workspace, 'test/sum.test.js'));
      put('test/none.js', '');
    },
    { criteria },
  );
  expect(evidence.weakened).toContain('test/sum.test.js');
});

test("the caller's scope says what the work is", async () => {
  const work = () => put('support/expected.js', 'exports.expected = -1;\n');
  const given = await judge(work, { scope: { change: ['support/expected.js'] } });
  expect(given.evidence.weakened).toEqual([]);
  expect(given.evidence.criteria).toMatchObject([{ state: 'met' }]);
});

test('tests come along only where the scope names them', async () => {
  const work = () => put('test/sum.test.js', "require('node:test').test('sums', () => {});\n");
  const all = await judge(work, { scope: { change: ['**'] } });
  expect(all.evidence.weakened).toEqual(['test/sum.test.js']);
});

test('a criterion that already passes on the original is a guard', async () => {
  const { baseline } = await judge(() => {}, { before: () => put('src/sum.js', RIGHT) });
  expect(baseline?.states).toEqual({ c1: 'met' });
});

test('the setup of a criterion runs in the proof place first, on the sources alone', async () => {
  const criteria: CommandCriterion[] = [
    {
      kind: 'command',
      setup: 'mkdir -p dist && cp src/sum.js dist/sum.js',
      command: 'node -e "if (require(\'./dist/sum.js\').sum(1,2)!==3) process.exit(1)"',
    },
  ];
  const { evidence } = await judge(
    () => {
      put('src/sum.js', RIGHT);
      put('dist/sum.js', RIGHT);
    },
    { criteria },
  );
  expect(evidence.criteria).toMatchObject([{ state: 'met', baseline: 'unmet' }]);
  expect(evidence.weakened).toEqual([]);
});

test('a mode is a change as well', { tags: 'campaign' }, async () => {
  const criteria: CommandCriterion[] = [{ kind: 'command', command: 'test -x tools/run.sh' }];
  const { evidence } = await judge(() => chmodSync(join(workspace, 'tools/run.sh'), 0o755), {
    criteria,
    before: () => put('tools/run.sh', '#!/bin/sh\n'),
  });
  expect(evidence.weakened).toEqual(['tools/run.sh']);
});

test.skipIf(spawnSync('cc', ['--version']).status !== 0)(
  'a new header that takes the name of the language’s own is no work by itself',
  async () => {
    const before = () => {
      put('Makefile', '.PHONY: test\ntest:\n\tcc -Isrc -o t test/t.c && ./t\n');
      put('test/t.c', '#include <stdlib.h>\nint main(void) { exit(1); }\n');
      put('src/sum.c', '');
    };
    const { evidence, kept } = await judge(
      () => put('src/stdlib.h', '#define exit(code) return 0\n'),
      {
        before,
        criteria: [{ kind: 'command', command: 'make test' }],
        scope: { change: ['src/**'] },
      },
    );
    expect(evidence.weakened).toEqual(['src/stdlib.h']);
    expect(kept).toMatchObject([{ name: 'src/stdlib.h', kind: 'beyond_scope' }]);
  },
);

test('a file that a criterion asks for is work, also beyond the scope', async () => {
  const written = { kind: 'file', path: 'docs/new.md', exists: true } as const;
  const work = () => {
    put('src/sum.js', RIGHT);
    put('docs/new.md', 'new');
  };
  const { evidence, proof } = await judge(work, { criteria: [passes, written] });
  expect(evidence.criteria.map(({ isHostChecked }) => isHostChecked)).toEqual([true, true]);
  expect(proof?.files.map(({ path }) => path)).toEqual(['docs/new.md', 'src/sum.js']);
});

describe('PRF-62: what a criterion asks for is in the tree that is proven', () => {
  const before = () => {
    put('docs/new.md', 'old');
    put('test/note.txt', 'old');
  };

  test.each(['docs/new.md', 'test/note.txt'])(
    'as the work has it, beyond the scope as well: %s',
    async (path) => {
      const written = { kind: 'file', path, matches: '^new$' } as const;
      const work = () => {
        put('src/sum.js', RIGHT);
        put(path, 'new');
      };
      const criteria = [passes, written];
      const scope = { change: ['src/**'] };
      const { evidence, proof } = await judge(work, { before, criteria, scope });
      expect(evidence.criteria.map(({ isHostChecked }) => isHostChecked)).toEqual([true, true]);
      expect(proof?.files.map(({ path }) => path).sort()).toEqual([path, 'src/sum.js'].sort());
      expect(proof).toMatchObject({ selfChecked: false });
    },
  );

  test('and the commands have to hold with it', { tags: 'campaign' }, async () => {
    const written = { kind: 'file', path: 'test/sum.test.js', matches: 'new' } as const;
    const work = () => {
      put('src/sum.js', RIGHT);
      put(
        'test/sum.test.js',
        "// new\nprocess.exit(require('node:fs').existsSync('here') ? 0 : 1);\n",
      );
      put('here', 'here');
    };
    const scope = { change: ['src/**'] };
    const { evidence } = await judge(work, { criteria: [passes, written], scope });
    expect(evidence.weakened).toEqual(['here']);
  });
});

describe('what only the workspace shows carries no proof', () => {
  test('a work with a file that no proof run can have is not done, and nobody is asked', async () => {
    const { evidence } = await judge(() => {
      put('src/sum.js', RIGHT);
      put('src/data.js', ' '.repeat(11 * 1024 * 1024));
    });
    expect(evidence.criteria).toMatchObject([
      { state: 'unmet', reason: expect.stringContaining('src/data.js is too large') },
    ]);
  });

  test('a folder in the place of a link, through which the place would be written to', {
    tags: 'campaign',
  }, async () => {
    const { evidence } = await judge(
      () => {
        rmSync(join(workspace, 'src/config'));
        put('src/config/x.js', 'exports.x = 1;\n');
        put('src/sum.js', RIGHT);
      },
      {
        before: () => symlinkSync('../test', join(workspace, 'src/config')),
        scope: { change: ['src/**'] },
      },
    );
    const [one] = evidence.criteria;
    expect(one?.isHostChecked).toBe(false);
    expect(one?.reason).toContain('src/config is a folder');
  });

  test('a proof that was asked for when the goal had begun', { tags: 'campaign' }, async () => {
    const own = { baseline: { states: {}, reasons: {} } };
    const ground = openGround(workspace, [passes], {}, own as never);
    await ground.lookFirst();
    put('src/sum.js', RIGHT);
    expect((await ground.gate()).criteria).toMatchObject([{ isHostChecked: false }]);
  });
});

test('every proof run has bytecode of its own', async () => {
  const criteria: CommandCriterion[] = [
    { kind: 'command', command: 'test -z "$PYTHONPYCACHEPREFIX"' },
  ];
  const { evidence, rows } = await judge(() => {}, { criteria });
  expect(evidence.criteria).toMatchObject([{ state: 'unmet' }]);
  const outcomes = rows.map(({ tool, outcome }) => `${tool} ${outcome}`);
  expect([...new Set(outcomes)]).toEqual([
    'check.baseline failed',
    'check.gate succeeded',
    'check.proof failed',
  ]);
});

test('no check of the workspace reads stale bytecode of it, or leaves any', async () => {
  const criteria: CommandCriterion[] = [{ kind: 'command', command: 'python3 -m unittest' }];
  const second = new Date('2026-01-01T00:00:00Z');
  const write = (text: string) => {
    put('sums.py', text);
    utimesSync(join(workspace, 'sums.py'), second, second);
  };
  const { evidence } = await judge(
    () => {
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '' };
      execFileSync('python3', ['-c', 'import sums'], { cwd: workspace, env });
      write('def add(a, b): return a + b\n');
    },
    {
      criteria,
      scope: { change: ['sums.py'] },
      before: () => {
        write('def add(a, b): return a - b\n');
        put(
          'test_sums.py',
          'import unittest, sums\nclass T(unittest.TestCase):\n  def test_add(self): self.assertEqual(sums.add(1, 2), 3)\n',
        );
        put('.gitignore', '__pycache__/\n');
      },
    },
  );
  expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
  // Of the two runs of Python only the goal's own left something.
  expect(
    readdirSync(join(workspace, '__pycache__')).every((name) => name.startsWith('sums.')),
  ).toBe(true);
});

describe('files of the judge that the work rewrites while the check runs', () => {
  const compares: CommandCriterion = { kind: 'command', command: 'sh test/check.sh' };
  const CHECK = 'node src/sum.js > out.txt && diff out.txt test/expected.txt\n';
  const before = () => {
    put('test/check.sh', CHECK);
    put('test/expected.txt', '3\n');
    put('src/sum.js', 'console.log(1 - 2)\n');
  };
  const touching = (code: string) => `require('node:fs').${code};\nconsole.log(4)\n`;

  test.each([
    [
      'the expectation',
      'test/expected.txt',
      touching("writeFileSync('test/expected.txt', '4\\n')"),
    ],
    ['the script', 'test/check.sh', touching("appendFileSync('test/check.sh', 'exit 0\\n')")],
  ])('%s is a question to a person', async (_, path, code) => {
    const { evidence, kept } = await judge(() => put('src/sum.js', code), {
      criteria: [compares],
      before,
    });
    expect(evidence.weakened).toEqual([`rewritten:${path}`]);
    expect(kept).toMatchObject([
      { name: `rewritten:${path}`, kind: 'rewritten', diff: expect.stringMatching(/^\+/m) },
    ]);
  });

  test('so it is where the work puts them back before the check ends', {
    tags: 'campaign',
  }, async () => {
    const code = `
      const fs = require('node:fs');
      fs.writeFileSync('test/expected.txt', '4\\n');
      process.on('exit', () => fs.writeFileSync('test/expected.txt', '3\\n'));
      console.log(3)`;
    const { kept } = await judge(() => put('src/sum.js', code), { criteria: [compares], before });
    expect(kept).toMatchObject([
      { name: 'rewritten:test/expected.txt', diff: expect.stringContaining('put back') },
    ]);
  });

  test('what the check itself rewrites on the original is nobody’s trick', async () => {
    const own = () => {
      before();
      put('test/last-run.txt', '');
      put('test/check.sh', `date > test/last-run.txt; ${CHECK}`);
    };
    const { evidence, kept } = await judge(() => put('src/sum.js', 'console.log(1 + 2)\n'), {
      criteria: [compares],
      before: own,
    });
    expect(kept).toEqual([]);
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
  });
});

describe('files that the work makes while the check runs', () => {
  const later = 'node src/sum.js > out.txt && node test/check.js\n';
  const twice: CommandCriterion = { kind: 'command', command: later };
  const start = () => {
    put('src/sum.js', 'console.log(1 - 2)\n');
    put('test/check.js', "if (+require('fs').readFileSync('out.txt') !== 3) throw 1\n");
  };
  const making = (code: string) => `const fs = require('node:fs');\n${code}\nconsole.log(3)\n`;

  test.each([
    ['a test helper', 'test/helper.js', "fs.writeFileSync('test/helper.js', '1')"],
    [
      'a program where the judge looks first',
      'node_modules/.bin/diff',
      "fs.mkdirSync('node_modules/.bin', { recursive: true }); fs.writeFileSync('node_modules/.bin/diff', '1')",
    ],
    [
      'a file that is gone by the end',
      'test/gone.js',
      "fs.writeFileSync('test/gone.js', '1'); fs.unlinkSync('test/gone.js')",
    ],
    ['a module that shadows one', 'src/same.py', "fs.writeFileSync('src/same.py', '1')"],
  ])('%s is a question to a person', async (_, path, code) => {
    const first = () => {
      start();
      rmSync(join(workspace, 'node_modules'), { recursive: true });
      put('test/same.py', '');
    };
    const { kept } = await judge(() => put('src/sum.js', making(code)), {
      ...{ criteria: [twice], before: first, scope: { change: ['src/**'] } },
    });
    expect(kept).toMatchObject([{ name: `rewritten:${path}`, kind: 'rewritten', before: null }]);
  });

  test('what it builds, caches and reports, or makes as the original does, asks nobody', async () => {
    const made = `
      for (const folder of ['dist', 'test/__pycache__', 'src/gen'])
        fs.mkdirSync(folder, { recursive: true });
      const files = ['dist/sum.js', 'test/__pycache__/a.pyc', 'src/gen/a.js', 'report.xml', 'a.txt'];
      for (const path of [...files, '.coverage', 'src/sum.o'])
        fs.writeFileSync(path, '1');`;
    const first = () => {
      start();
      put('test/start.js', "require('fs').writeFileSync('test/state.json', '1')\n");
    };
    const command = `node test/start.js && ${later}`;
    const { evidence, kept } = await judge(() => put('src/sum.js', making(made)), {
      ...{ criteria: [{ kind: 'command', command }], before: first, scope: { change: ['src/**'] } },
    });
    expect(kept).toEqual([]);
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
  });
});

describe('what a new or a named file does not open', () => {
  test.each([
    ['a fragment that a makefile includes', 'src/sum.d', 'SHELL := /bin/true\n'],
    ['a program without extension', 'src/check', 'x\n'],
    ['metadata of a plugin', 'src/evil-1.0.dist-info/entry_points.txt', '[pytest11]\n'],
  ])('%s', async (_, path, text) => {
    const make: CommandCriterion = { kind: 'command', command: `test -e ${path}` };
    const { kept } = await judge(() => put(path, text), {
      criteria: [make],
      scope: { change: ['src/**'] },
    });
    expect(kept).toMatchObject([{ name: path, kind: 'beyond_scope' }]);
  });

  test('a kind of file that the work had, or that the scope names, is work', {
    tags: 'campaign',
  }, async () => {
    const both: CommandCriterion = {
      kind: 'command',
      command: 'test -e src/b.json -a -e src/x.tpl',
    };
    const { evidence, kept } = await judge(
      () => {
        put('src/b.json', '{}\n');
        put('src/x.tpl', 'x\n');
      },
      {
        criteria: [both],
        scope: { change: ['src/**', 'src/**/*.tpl'] },
        before: () => put('src/a.json', '{}\n'),
      },
    );
    expect(kept).toEqual([]);
    expect(evidence.criteria).toMatchObject([{ state: 'met', isHostChecked: true }]);
  });

  test('a file of the original that a criterion names judges the others still', {
    tags: 'campaign',
  }, async () => {
    const own: Criterion = { kind: 'file', path: 'package.json', matches: '"version"' };
    const npm: CommandCriterion = { kind: 'command', command: 'npm test' };
    const cheat = () => put('package.json', '{"version":"1.1.0","scripts":{"test":"true"}}');
    const cheated = await judge(cheat, { criteria: [npm, own] });
    expect(cheated.evidence.criteria.map(({ isHostChecked }) => isHostChecked)).toEqual([
      false,
      false,
    ]);
    expect(cheated.proof).toMatchObject({ selfChecked: true });
  });

  test('a module of the work under the name of a helper of the judge', {
    tags: 'campaign',
  }, async () => {
    const python: CommandCriterion = {
      kind: 'command',
      command: 'PYTHONPATH=src:support python3 -m check',
    };
    const { kept } = await judge(() => put('src/matching.py', 'def same(a, b): return True\n'), {
      criteria: [python],
      scope: { change: ['src/**'] },
      before: () => {
        put('src/calc.py', 'total = 1\n');
        put('support/matching.py', 'def same(a, b): return a == b\n');
        const lines = ['import sys, calc, matching', 'sys.exit(not matching.same(calc.total, 3))'];
        put('support/check.py', `${lines.join('\n')}\n`);
      },
    });
    expect(kept).toMatchObject([{ name: 'src/matching.py', kind: 'beyond_scope' }]);
  });
});
