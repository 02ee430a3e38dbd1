import { describe, expect, test } from 'vitest';
import { isInScope } from '../../../src/proof/scope/scope.ts';
import { changeable, infer, json, projects } from './projects.ts';

describe('the host infers what a goal may change', () => {
  test.each(projects)('of $title', ({ files, commands, change, product }) => {
    expect(infer(files, commands).change).toEqual(change);
    expect(changeable(files, commands)).toEqual(product);
  });

  test('and says why, for every glob', () => {
    const files = {
      'package.json': json({ main: 'dist/index.js' }),
      'src/index.ts': '',
      'src/check.ts': '',
    };
    expect(infer(files, ['node src/check.ts']).why).toEqual([
      {
        glob: 'src/**/*.{ts,tsx}',
        reason: 'package.json names dist/index.js as main, which is made from it',
      },
      { glob: 'src/check.ts', reason: "the criterion's command `node src/check.ts` names it" },
    ]);
  });

  test('the file whose own examples a criterion runs', () => {
    const files = {
      'setup.py': "setup(py_modules=['units'])",
      'units.py': '',
      'test_units.py': '',
    };
    const scope = infer(files, ['python3 -m doctest units.py && python3 -m unittest']);
    expect(isInScope(scope, 'units.py')).toBe(true);
    expect(isInScope(scope, 'test_units.py')).toBe(false);
  });

  test('all of a folder that holds nothing yet but notes', () => {
    expect(infer({ 'README.md': '', '.gitignore': '' })).toMatchObject({ change: ['*', '**'] });
  });

  test('and says so where it can infer nothing', () => {
    expect(infer({ 'README.md': '', 'notes/x.yaml': '' })).toEqual({
      change: [],
      keep: [],
      why: [{ glob: '**', reason: 'no manifest and no convention says what the product is' }],
    });
  });
});

describe('a file that a criterion runs is the judge, wherever it lies', () => {
  const files = {
    'package.json': json({
      scripts: { test: 'node -r ./src/prepare src/all', start: 'node src/a.js' },
    }),
    'packages/x/package.json': json({ scripts: { verify: 'cd sub && node src/far.js' } }),
    'packages/x/sub/src/far.js': '',
    Makefile:
      'all: prog\nprog: src/sum.js\n\tpack src/sum.js\nquality: strict\n\techo ok\nstrict:\n\tnode src/strict.js && cc src/a.c\n',
    'src/a.js': "import './sum.js'",
    'src/sum.js': '',
    'src/all.js': "import './near.js'; import './sum.js'",
    'src/near.js': "import './deep.js'",
    'src/deep.js': '',
    'src/prepare.js': '',
    'src/strict.js': '',
    'src/quality/__main__.py': 'from . import rules',
    'src/quality/rules.py': '',
    'src/a.c': '',
  };
  const kept = (command: string) => infer(files, [command]).keep;

  test.each([
    ['node src/all.js', ['src/all.js', 'src/deep.js', 'src/near.js']],
    ['node ./src/all', ['src/all.js', 'src/deep.js', 'src/near.js']],
    ['cd src && node all.js', ['src/all.js', 'src/deep.js', 'src/near.js']],
    ['node --require=./src/prepare.js x.js', ['src/prepare.js']],
    ['node all.js', ['src/all.js', 'src/deep.js', 'src/near.js']],
    ['npm test', ['src/all.js', 'src/deep.js', 'src/near.js', 'src/prepare.js']],
    ['make quality', ['src/strict.js']],
    ['make', []],
    ['python3 -m quality', ['src/quality/__main__.py', 'src/quality/rules.py']],
    ['eslint src', []],
    ["prettier --check 'src/**/*.js'", []],
    ["node --test 'src/*ll.js'", ['src/all.js', 'src/deep.js', 'src/near.js']],
  ])('%s', (command, paths) => {
    expect(kept(command)).toEqual(paths);
  });

  test('also where the product lies at the top: what only it imports is not the product', () => {
    const program = {
      'package.json': json({ main: 'index.js' }),
      'index.js': "import './sum.js'; import './quality.js'",
      'sum.js': '',
      'quality.js': "import './near.js'; import './sum.js'",
      'near.js': '',
    };
    expect(changeable(program, ['node quality.js'])).toEqual(['index.js', 'sum.js']);
    expect(changeable(program)).toEqual(['index.js', 'near.js', 'quality.js', 'sum.js']);
  });

  test('and so is what the configuration of a runner sets up', () => {
    const configured = {
      'package.json': json({ jest: { setupFiles: ['<rootDir>/src/globals.js'] } }),
      '.mocharc.yml': "require:\n  - './src/hooks.js'\n",
      'vitest.config.ts': "export default { test: { globalSetup: 'src/world.ts' } }",
      'src/globals.js': '',
      'src/hooks.js': '',
      'src/world.ts': '',
      'src/sum.js': '',
    };
    expect(changeable(configured)).toEqual(['src/sum.js']);
    const ofPython = {
      'pyproject.toml':
        '[project]\nname = "calc"\n[tool.pytest.ini_options]\naddopts = "-p calc.near"\n',
      'tests/conftest.py': "pytest_plugins = [\n    'calc.far',\n]\n",
      'calc/__init__.py': '',
      'calc/near.py': '',
      'calc/far.py': '',
    };
    expect(changeable(ofPython)).toEqual(['calc/__init__.py']);
  });
});

describe('the tricks that a list of names missed are out of scope', () => {
  const library = {
    'package.json': json({
      main: 'src/index.js',
      dependencies: { left: 'file:lib/left' },
      devDependencies: { chai: 'file:stubs/chai', should: 'link:src/should' },
    }),
    'src/index.js': "export * from './sum.js'",
    'src/sum.js': '',
    'src/should/index.js': '',
    'src/expectations.json': '{}',
    'src/schema.json': '{}',
    'src/base-test-case.js': '',
    'src/close-to.js': '',
    'src/hooks.js': '',
    'test/sum.test.js': "import '../src/close-to.js'; import '../src/sum.js'",
    '.mocharc.json': json({ require: ['./src/hooks.js'] }),
    'stubs/chai/index.js': '',
    'support/assert-near.js': '',
    'rules.mk': '',
    'dist/index.js': '',
    'test/sum.expected': '',
    'build.stamp': '',
  };

  test('of a package', () => {
    expect(changeable(library)).toEqual(['src/index.js', 'src/sum.js']);
  });

  test.each([
    ['an assertion helper in support/', 'support/near.js'],
    ['the same in a source folder', 'src/support/near.js'],
    ['rules behind the Makefile', 'rules.mk'],
    ['an expected output', 'src/sum.expected'],
    ['a JSON schema', 'src/schema.json'],
    ['a base class of tests', 'src/BaseTestCase.js'],
    ["a --require'd set-up file", 'src/mocha-setup.js'],
    ['a stub of a package', 'stubs/chai/index.js'],
    ['the same in a source folder', 'src/stubs/chai/index.js'],
    ['a vendored assertion library', 'src/vendor/expect.js'],
    ['compiled Python', 'src/__pycache__/calc.cpython-312.pyc'],
    ['compiled Python beside its source', 'src/calc.pyc'],
    ['dist built by hand', 'dist/index.js'],
    ['a build below the sources', 'src/dist/index.js'],
    ['a stamp file', 'src/.stamp'],
    ['a new package of tests', 'tests/__init__.py'],
    ['a new test that patches the module under test', 'src/patch.test.js'],
    ['a new manifest among the sources', 'src/package.json'],
    ['a new file at the top', 'near.js'],
    ['an installed package', 'node_modules/chai/index.js'],
  ])('%s: a new %s', (_, path) => {
    const scope = infer(library);
    expect(changeable({ ...library, [path]: '' }, [])).not.toContain(path);
    expect(scope.change).toContain('src/**/*.{js,jsx}');
  });

  test('a file that no glob can name is kept with its folder', () => {
    const long = `src/${'a'.repeat(200)}/${'b'.repeat(100)}.js`;
    const files = {
      'package.json': json({ main: 'src/index.js' }),
      'src/index.js': '',
      'src/sum.js': '',
      [long]: '',
      'test/all.js': `import '../${long}'`,
    };
    expect(infer(files).keep).toEqual([`src/${'a'.repeat(200)}`]);
    expect(changeable(files)).toEqual(['src/index.js', 'src/sum.js']);
  });

  test('go.mod replace puts no folder in the place of what others made', () => {
    const files = {
      'go.mod':
        'module github.com/acme/shop\nreplace github.com/stretchr/testify => ./near\nreplace (\n\tgithub.com/acme/core v1 => ./core\n\texample.com/y => ./deep/y\n)\n',
      'cart.go': '',
      'near/near.go': '',
      'core/core.go': '',
      'deep/y/y.go': '',
      'deep/z.go': '',
    };
    expect(changeable(files)).toEqual(['cart.go', 'core/core.go', 'deep/z.go']);
  });

  test('Cargo: patched crates, and crates that only tests depend on, are the judge’s', () => {
    const files = {
      'Cargo.toml':
        '[package]\nname = "a"\n[dev-dependencies]\nnear = { path = "src/near" }\n[patch.crates-io]\nserde = { path = "src/serde" }\n',
      'src/lib.rs': '',
      'src/near/lib.rs': '',
      'src/serde/lib.rs': '',
    };
    expect(changeable(files)).toEqual(['src/lib.rs']);
  });
});
