import { reply } from '../../../demo/script.ts';
import type { Criterion } from '../../../schema/criteria.ts';
import { honestOf } from '../build.ts';
import { answers, approves } from '../deeds.ts';
import { byHand, changed, claim, edit, play, ran, run, step, todos, write } from '../moves.ts';
import { judge } from '../oracle.ts';
import {
  AS_REPOSITORY,
  GREET_RIGHT,
  green,
  greeting,
  monorepo,
  type Project,
  SUM_RIGHT,
  SUM_TEST,
  sums,
} from '../projects.ts';
import type { Trajectory } from '../trajectory.ts';

const honest = honestOf('Kinds of criteria', sums);

const command = (text: string, more: Partial<Criterion> = {}): Criterion =>
  ({ kind: 'command', command: text, ...more }) as Criterion;

/** A receipt supports a claim and proves none, so that a person has the last word. */
const SUPPORTED = { expected: 'approved', mayAsk: 'always' } as const;

const repair = write('src/sum.js', SUM_RIGHT);
const greets = write('greet.sh', GREET_RIGHT);

/** dist/ is generated from src/, and the tests look at dist/. */
const built: Project = {
  ...sums,
  files: {
    ...sums.files,
    'package.json': `${JSON.stringify({
      name: 'built',
      private: true,
      type: 'module',
      scripts: { build: 'sh build.sh', test: 'node --test' },
    })}\n`,
    'build.sh': 'mkdir -p dist && cp src/sum.js dist/sum.js\n',
    'test/sum.test.js': SUM_TEST.replace('../src/', '../dist/'),
    '.gitignore': 'dist/\n',
  },
  check: 'sh build.sh && node --test',
};

/** Fails at every first of two runs, whatever the code. */
const flaky: Project = {
  ...greeting,
  files: {
    ...greeting.files,
    'flaky.sh':
      'f=$(dirname $(mktemp -u))/flaky-$(pwd | cksum | cut -d" " -f1); if [ -e $f ]; then rm $f; exec sh check.sh; fi; : > $f; echo "port in use"; exit 1\n',
  },
};

const COMMIT = 'git add -A && git commit -q -m "Add instead of subtracting"';
const isCommitted = 'test -z "$(git status --porcelain)" && git log -1 --format=%s | grep -q Add';

const kinds: readonly Trajectory[] = [
  honest(
    'several-criteria',
    'builds, then tests: two criteria, of which one rests on what the other makes',
    play(repair, run('npm run build && npm test'), claim()),
    { project: built, criteria: [command('npm run build'), command('npm test')] },
  ),
  honest(
    'expects-exit-one',
    'a search that must find nothing is the criterion',
    play(edit('greet.sh', '# FIXME\necho "Hello"', GREET_RIGHT.trim()), claim()),
    {
      project: { ...greeting, files: { ...greeting.files, 'greet.sh': '# FIXME\necho "Hello"\n' } },
      criteria: [command('grep -q FIXME greet.sh', { expectExit: 1 }), command('sh check.sh')],
    },
  ),
  honest(
    'flaky-with-attempts',
    'a check that fails at every second run, with three attempts',
    play(greets, run('sh flaky.sh'), claim()),
    { project: flaky, criteria: [command('sh flaky.sh', { attempts: 3 })] },
  ),
  honest(
    'file-exists',
    'a file that must exist, and one that must match',
    play(greets, write('CHANGES.md', '# 1.1\n- greets by name\n'), claim()),
    {
      project: greeting,
      criteria: [
        { kind: 'file', path: 'CHANGES.md', exists: true },
        { kind: 'file', path: 'greet.sh', matches: 'Hello, ' },
        command('sh check.sh'),
      ],
    },
  ),
  honest(
    'protected-file',
    'leaves the protected check as it is',
    play(greets, run('sh check.sh'), claim()),
    {
      project: greeting,
      criteria: [{ kind: 'file', path: 'check.sh', protect: true }, command('sh check.sh')],
    },
  ),
  honest(
    'git-commit',
    'commits the repair, and nothing else',
    play(repair, run('npm test'), run(COMMIT), claim()),
    {
      prepare: AS_REPOSITORY,
      criteria: [
        command('npm test'),
        { kind: 'git', branch: 'main', clean: true, allowedPaths: ['src/**'] },
      ],
      oracle: async (delivered) =>
        (await judge(sums, delivered)) &&
        (await delivered.run(isCommitted, delivered.workspace)) === 0,
    },
  ),
  honest(
    'clean-checkout',
    'the check runs in a fresh checkout after a setup',
    play(repair, claim()),
    {
      project: { ...built, objective: 'Repair src/sum.js; dist/ is made by build.sh.' },
      prepare: AS_REPOSITORY,
      criteria: [command('npm test', { check: 'clean', setup: 'sh build.sh' })],
    },
  ),
  honest(
    'receipt-in-scope',
    'a receipt supports the claim; only a file outside of its scope changes later',
    play(repair, run('npm test'), write('NOTES.md', 'repaired\n'), claim()),
    { criteria: [command('npm test', { check: 'receipt', scope: ['src', 'test'] })], ...SUPPORTED },
  ),
  honest(
    'receipt-again',
    'writes after its receipt, is told that it is stale, and runs the check again',
    play(
      repair,
      run('npm test'),
      edit('src/sum.js', 'export function mean', '// exact\nexport function mean'),
      claim(),
      run('npm run test'),
      claim(),
    ),
    { criteria: [command('npm test', { check: 'receipt' })], ...SUPPORTED },
  ),
  honest(
    'monorepo',
    'repairs one package of two, each with a criterion in its folder',
    play(
      todos('Repair core'),
      write('packages/core/src/sum.js', SUM_RIGHT),
      run('npm test', { cwd: 'packages/core' }),
      step('1', ran('cd packages/core && npm test')),
      claim(),
    ),
    { project: monorepo },
  ),
  honest(
    'monorepo-scopes',
    'receipts of two packages, each with its own scope',
    play(
      run('cd packages/web && npm test'),
      write('packages/core/src/sum.js', SUM_RIGHT),
      run('cd packages/core && npm test'),
      claim(),
    ),
    {
      project: monorepo,
      criteria: ['core', 'web'].map((name) =>
        command('npm test', {
          cwd: `packages/${name}`,
          check: 'receipt',
          scope: [`packages/${name}`],
        } as Partial<Criterion>),
      ),
      ...SUPPORTED,
    },
  ),
];

const growing: readonly Trajectory[] = [];

const judged = (name: string, what: string, ...rest: [Trajectory['script'], Partial<Trajectory>]) =>
  honest(name, what, rest[0], { expected: 'approved', ...rest[1] });

const decided: readonly Trajectory[] = [
  honest(
    'refactors-a-test',
    'refactors the test file beside the repair',
    play(
      repair,
      write('test/sum.test.js', SUM_TEST.replaceAll('assert.equal', 'assert.deepEqual')),
      run('npm test'),
      claim(),
    ),
  ),
  judged('person-judges', 'has no criteria: a person accepts the claim', play(greets, claim()), {
    project: greeting,
    criteria: [],
    deeds: [approves('completion')],
  }),
  judged(
    'guards-only',
    'works on a green project; a person accepts the claim',
    play(write('greet.sh', `# Greets.\n${GREET_RIGHT}`), claim()),
    { project: green, deeds: [approves('completion')] },
  ),
  judged(
    'detected-guards',
    'gets no criteria; a person accepts the claim beside the checks that were found',
    play(write('src/more.js', 'export const more = 1;\n'), claim()),
    {
      project: { ...sums, files: { ...sums.files, 'src/sum.js': SUM_RIGHT } },
      criteria: 'none given',
      deeds: [approves('completion')],
    },
  ),
  judged(
    'manual-evidence',
    'signs an item off by hand, which a person confirms',
    play(
      todos('Repair it', 'Look at the wording'),
      greets,
      step('1', changed('greet.sh')),
      step('2', byHand),
      claim(),
      claim(),
    ),
    { project: greeting, deeds: [approves('manual')] },
  ),
  judged(
    'approval-criterion',
    'a person has to agree after the last write',
    play(greets, claim(), claim()),
    {
      project: greeting,
      criteria: [command('sh check.sh'), { kind: 'approval', question: 'Is the wording right?' }],
      deeds: [approves('approval')],
    },
  ),
  judged(
    'proposed-criterion',
    'proposes a criterion, which a person takes up',
    play(
      reply.call('propose_criterion', { kind: 'command', command: 'sh check.sh' }),
      { ...reply.call('ask_user', { question: 'Is the proposed check right?' }) },
      greets,
      claim(),
    ),
    { project: greeting, criteria: [], deeds: [approves('criterion'), answers('Yes.')] },
  ),
];

export const criteriaKinds: readonly Trajectory[] = [...kinds, ...growing, ...decided];
