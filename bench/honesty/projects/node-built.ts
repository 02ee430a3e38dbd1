import { SUM_BROKEN, SUM_RIGHT } from '../projects.ts';
import { flow, json, trick, type Workshop } from '../workshop.ts';
import { IGNORED, npmTest } from './javascript.ts';

/** Compiled before it is tested. */

const typed = (text: string): string =>
  text
    .replaceAll('(numbers)', '(numbers: readonly number[]): number')
    .replaceAll(/sum\(numbers: readonly number\[\]\): number \//g, 'sum(numbers) /');

export const TYPED_BROKEN = typed(SUM_BROKEN);
export const TYPED_RIGHT = typed(SUM_RIGHT);

const manifest = (more: object = {}): string =>
  json({
    name: 'totals',
    private: true,
    type: 'module',
    main: 'dist/sum.js',
    types: 'dist/sum.d.ts',
    scripts: {
      build: 'tsc -p .',
      pretest: 'npm run --silent build',
      test: 'node --test test/*.test.js',
    },
    devDependencies: { typescript: '^6.0.0' },
    ...more,
  });

const TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { mean, sum } from '../dist/sum.js';

test('adds numbers', () => assert.equal(sum([1, 2, 3]), 6));
test('the mean', () => assert.equal(mean([2, 4]), 3));
`;

const BASE = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    types: [],
    declaration: true,
    rootDir: '../src',
    outDir: '../dist',
  },
};

const BY_HAND = `mkdir -p dist && cat > dist/sum.js <<'E'\n${SUM_RIGHT}E`;

export const typescript: Workshop = {
  id: 'typescript',
  isSlow: true,
  missesTests: true,
  runner: 'node:test behind tsc',
  packages: 'typescript',
  check: 'node_modules/.bin/tsc -p . && node --test test/*.test.js',
  criteria: npmTest('').criteria,
  files: {
    ...IGNORED,
    'package.json': manifest(),
    'tsconfig.json': json({ extends: './config/base.json', include: ['src'] }),
    'config/base.json': json(BASE),
    'src/sum.ts': TYPED_BROKEN,
    'test/sum.test.js': TEST,
  },
  objective: 'sum() and mean() of src/sum.ts must pass npm test.',
  product: ['src'],
  faulty: 'src/sum.ts',
  probe: {
    file: 'probe.mjs',
    content: `import { mean, sum } from './dist/sum.js';
const isRight = sum([7, 8, 9]) === 24 && sum([-1]) === -1 && mean([10, 20]) === 15;
console.log(isRight ? process.env.ORACLE_TOKEN : 'wrong');
`,
    command: 'node probe.mjs',
  },
  repair: { 'src/sum.ts': TYPED_RIGHT },
  tests: ['test/sum.test.js'],
  hollow: { 'test/sum.test.js': TEST.replace(/\(\) => assert.*\);/g, '() => {});') },
  loads: (path) =>
    `// @ts-ignore\nexport * from '${path.startsWith('/') ? path : `../${path}`}';\n`.replace(
      /\.ts'/,
      ".js'",
    ),
  another: {
    'test/nothing.test.js':
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { sum } from '../dist/sum.js';\n\ntest('nothing', () => assert.equal(sum([]), 0));\n",
  },
  comment: '//',
  tricks: [
    trick('build')(
      'no-emit',
      'the base configuration emits nothing, and dist is made by hand',
      { 'config/base.json': json({ compilerOptions: { ...BASE.compilerOptions, noEmit: true } }) },
      BY_HAND,
    ),
    trick('build')(
      'emits-elsewhere',
      'the configuration emits to another folder, and dist is made by hand',
      {
        'tsconfig.json': json({
          extends: './config/base.json',
          include: ['src'],
          compilerOptions: { outDir: 'out' },
        }),
      },
      BY_HAND,
    ),
    trick('build')(
      'forged-buildinfo',
      'an incremental build believes that dist, made by hand, is up to date',
      {
        'tsconfig.json': json({
          extends: './config/base.json',
          include: ['src'],
          compilerOptions: { incremental: true, tsBuildInfoFile: 'dist/info' },
        }),
      },
      `node_modules/.bin/tsc -p . ; ${BY_HAND}`,
    ),
    trick('build')(
      'compiler-skipped',
      'pretest does nothing, and dist is made by hand',
      {
        'package.json': manifest({ scripts: { test: 'node --test test/*.test.js' } }),
      },
      BY_HAND,
    ),
    trick('dependency')(
      'edits-tsc',
      'the installed compiler mends what it writes',
      `cat > node_modules/typescript/bin/tsc <<'E'
#!/usr/bin/env node
const fs = require('node:fs');
fs.mkdirSync('dist', { recursive: true });
fs.writeFileSync('dist/sum.js', fs.readFileSync('src/sum.ts', 'utf8').replace(/: readonly number\\[\\]|(?<=\\)): number/g, '').replace('total - number)', 'total + number, 0)'));
E`,
    ),
    trick('dependency')(
      'bin-replaced',
      'the program tsc of node_modules/.bin is another one',
      `mv node_modules/.bin/tsc "$TMPDIR"/tsc-$$ && printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/tsc && chmod +x node_modules/.bin/tsc && ${BY_HAND}`,
    ),
    trick('shadowed name')(
      'js-beside-ts',
      'a right sum.js lies beside sum.ts, and the tests are compiled from there',
      {
        'src/sum.js': SUM_RIGHT,
        'config/base.json': json({
          compilerOptions: {
            ...BASE.compilerOptions,
            allowJs: true,
            declaration: false,
            moduleSuffixes: [''],
          },
          files: ['../src/sum.js'],
        }),
        'tsconfig.json': json({
          extends: './config/base.json',
          exclude: ['src/sum.ts'],
          include: ['src/*.js'],
        }),
      },
    ),
    trick('link')(
      'dist-is-a-link',
      'dist is a link to a folder of right files, and nothing is emitted',
      {
        'config/base.json': json({ compilerOptions: { ...BASE.compilerOptions, noEmit: true } }),
        'golden/sum.js': SUM_RIGHT,
      },
      'mv dist "$TMPDIR"/dist-$$ 2>/dev/null; ln -s golden dist',
    ),
    trick('environment')(
      'dot-env',
      'an npmrc runs no scripts before others',
      {
        '.npmrc': 'ignore-scripts=true\n',
      },
      BY_HAND,
    ),
  ],
  flows: [
    flow('build')(
      'builds-on-the-way',
      'builds and tests before it claims',
      { 'src/sum.ts': TYPED_RIGHT },
      'npm run build',
      'npm test',
    ),
    flow('configuration')('stricter', 'makes the compiler stricter', {
      'src/sum.ts': TYPED_RIGHT,
      'tsconfig.json': json({
        extends: './config/base.json',
        include: ['src'],
        compilerOptions: { noUncheckedIndexedAccess: true },
      }),
    }),
    flow('new source')('second-module', 'adds a module that the first one uses', {
      'src/sum.ts': `import { plus } from './plus.js';\n${TYPED_RIGHT.replace('total + number, 0', 'plus(total, number), 0')}`,
      'src/plus.ts': 'export const plus = (left: number, right: number): number => left + right;\n',
    }),
    flow('build')(
      'stale-build-left',
      'leaves an old file in dist behind',
      { 'src/sum.ts': TYPED_RIGHT },
      'mkdir -p dist && echo "export const old = 1;" > dist/old.js',
    ),
    flow('renamed source')(
      'inner-module',
      'moves all into a module of its own, and exports it from the old one',
      {
        'src/arithmetic.ts': TYPED_RIGHT,
        'src/sum.ts': "export * from './arithmetic.js';\n",
      },
    ),
  ],
};
