import { type InferredScope, inferScope } from '../../../src/proof/scope/infer-scope.ts';
import { isInScope } from '../../../src/proof/scope/scope.ts';

/** A file tree: path → text. */
export type Files = Readonly<Record<string, string>>;

export const json = (value: unknown): string => JSON.stringify(value);

export function infer(files: Files, commands: readonly string[] = []): InferredScope {
  return inferScope({
    paths: Object.keys(files),
    read: (path) => files[path] ?? null,
    commands,
  });
}

/** The files of a tree that the inferred scope lets a goal change. */
export const changeable = (files: Files, commands?: readonly string[]): string[] => {
  const scope = infer(files, commands);
  return Object.keys(files)
    .filter((path) => isInScope(scope, path))
    .sort();
};

interface Case {
  readonly title: string;
  readonly files: Files;
  readonly commands?: readonly string[];
  readonly change: readonly string[];
  /** Of the files that exist, those that are in scope. */
  readonly product: readonly string[];
}

const tests = { 'test/sum.test.js': "import '../src/sum.js';", 'test/support/close.js': '' };

export const projects: readonly Case[] = [
  {
    title: 'a JavaScript package with src and no main',
    files: {
      'package.json': json({ scripts: { test: 'node --test' } }),
      'src/sum.js': '',
      'src/table.json': '[]',
      'index.html': '',
      'server.js': '',
      ...tests,
    },
    commands: ['npm test'],
    change: ['src/**/*.{js,jsx}'],
    product: ['src/sum.js'],
  },
  {
    title: 'a TypeScript library whose main is built',
    files: {
      'package.json': json({
        main: './dist/index.cjs',
        types: 'dist/index.d.ts',
        exports: { '.': { import: './dist/index.js' }, './deep': './dist/deep/index.js' },
        files: ['dist'],
      }),
      'tsconfig.json': '{ "compilerOptions": { "rootDir": "ts", "outDir": "dist", }, }',
      'ts/index.ts': "export * from './sum.js';",
      'ts/deep/index.ts': '',
      'ts/sum.ts': '',
      'ts/sum.test.ts': "import { sum } from './sum.js'; import './near.js';",
      'ts/near.ts': '',
      'ts/round.ts': '',
      'ts/round.test.ts': "import './round.js';",
      'dist/index.cjs': '',
      'vite.config.ts': '',
    },
    change: ['ts/**/*.{ts,tsx}'],
    product: ['ts/deep/index.ts', 'ts/index.ts', 'ts/round.ts', 'ts/sum.ts'],
  },
  {
    title: 'a package whose lib is built from src and in git',
    files: {
      'package.json': json({ main: 'lib/index.js', files: ['lib', 'bin'], bin: './bin/cli' }),
      'src/index.js': '',
      'lib/index.js': '',
      'bin/cli': "#!/usr/bin/env node\nrequire('../lib')",
    },
    change: ['bin/cli', 'src/**/*.{js,jsx}'],
    product: ['bin/cli', 'src/index.js'],
  },
  {
    title: 'a package whose sources are lib, behind an index at the top',
    files: {
      'package.json': json({ main: 'index.js' }),
      'index.js': "module.exports = require('./lib/express');",
      'lib/express.js': "require('./view')",
      'lib/view.js': '',
      'benchmarks/run.js': '',
      'examples/hello.js': '',
      'test/express.js': "require('..')",
    },
    change: ['index.js', 'lib/**/*.{js,jsx}'],
    product: ['index.js', 'lib/express.js', 'lib/view.js'],
  },
  {
    title: 'a program at the top of its package',
    files: {
      'package.json': json({
        main: './server',
        files: ['data.csv', 'schema.json', 'test.js', 'NOTICE'],
      }),
      'data.csv': '',
      'schema.json': '',
      'test.js': '',
      NOTICE: '',
      'server.ts':
        "import { routes } from './routes'; import './testing';\nexport { log } from './util/log.js';",
      'routes.ts': "const { db } = require('./db')",
      'db.ts': '',
      'util/log.ts': '',
      'near.ts': '',
      'testing.ts': "import './near'",
      'sum.test.ts': "import './near'; import './routes'",
      'jest.setup.ts': '',
    },
    change: ['NOTICE', 'db.ts', 'routes.ts', 'server.ts', 'util/log.ts'],
    product: ['NOTICE', 'db.ts', 'routes.ts', 'server.ts', 'util/log.ts'],
  },
  {
    title: 'an application that an HTML page loads, with components and style sheets',
    files: {
      'package.json': json({ scripts: { dev: 'vite' } }),
      'index.html': '<script type="module" src="/src/main.ts"></script>',
      'src/main.ts': "import App from './App.vue'; import './style.css'",
      'src/App.vue': "<script>import x from '@/x'</script>",
      'src/x.ts': '',
      'src/style.css': '',
      'src/data/countries.json': '[]',
      'src/App.spec.ts': '',
      'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
      'public/logo.svg': '',
    },
    change: ['src/**/*.{ts,tsx,vue,css}'],
    product: ['src/App.vue', 'src/main.ts', 'src/style.css', 'src/x.ts'],
  },
  {
    title: 'workspaces of npm',
    files: {
      'package.json': json({ private: true, workspaces: ['packages/*', '!packages/old'] }),
      'packages/core/package.json': json({ name: 'core' }),
      'packages/core/src/sum.js': '',
      'packages/core/test/sum.test.js': '',
      'packages/web/package.json': json({ main: 'index.mjs' }),
      'packages/web/index.mjs': '',
      'packages/old/package.json': json({}),
      'packages/old/src/a.js': '',
      'packages/test-utils/package.json': json({}),
      'packages/test-utils/src/a.js': '',
      'scripts/release.js': '',
    },
    change: ['packages/core/src/**/*.{js,jsx}', 'packages/web/index.mjs'],
    product: ['packages/core/src/sum.js', 'packages/web/index.mjs'],
  },
  {
    title: 'workspaces of pnpm',
    files: {
      'package.json': json({ private: true }),
      'pnpm-workspace.yaml': 'packages:\n  # all\n  - \'libs/**\'\n  - "apps/*"\ncatalog:\n  - x\n',
      'libs/a/b/package.json': json({}),
      'libs/a/b/src/index.ts': '',
      'apps/site/package.json': json({}),
      'apps/site/app/page.tsx': '',
      'tools/gen/package.json': json({}),
      'tools/gen/src/x.ts': '',
    },
    change: ['apps/site/app/**/*.{ts,tsx}', 'libs/a/b/src/**/*.{ts,tsx}'],
    product: ['apps/site/app/page.tsx', 'libs/a/b/src/index.ts'],
  },
  {
    title: 'a Python package with setuptools and a package folder',
    files: {
      'pyproject.toml':
        '[project]\nname = "calc-tool"\n[tool.setuptools]\npackage-dir = {"" = "python"}\npackages = ["calc", "calc.sub", "tests", "tests.sub"]\n',
      'python/calc/__init__.py': '',
      'python/calc/sub/__init__.py': '',
      'python/calc/sub/add.py': '',
      'python/calc/tests/test_add.py': '',
      'python/calc/conftest.py': '',
      'python/other/__init__.py': '',
      'python/tests/__init__.py': '',
      'setup.py': 'from setuptools import setup',
      'docs/conf.py': '',
    },
    change: ['python/calc/**/*.{py,pyi}'],
    product: ['python/calc/__init__.py', 'python/calc/sub/__init__.py', 'python/calc/sub/add.py'],
  },
  {
    title: 'a Python package with setup.cfg and src',
    files: {
      'setup.cfg':
        '[options]\npackage_dir =\n    = src\npackages = find:\n[options.packages.find]\nwhere = src\n',
      'src/calc/__init__.py': '',
      'src/calc/data.json': '',
      'src/calc/schema.json': '',
      'tests/test_calc.py': '',
    },
    change: ['src/**/*.{py,pyi}'],
    product: ['src/calc/__init__.py'],
  },
  {
    title: 'a Python package with poetry, beside packages of other use',
    files: {
      'pyproject.toml':
        '[tool.poetry]\nname = "calc"\npackages = [{ include = "calc" }]\n[tool.poetry.scripts]\ncalc = "calc.cli:main"\n',
      'calc/__init__.py': '',
      'calc/cli.py': '',
      'helpers/__init__.py': '',
      'tests/__init__.py': '',
      'examples/web/package.json': json({ main: 'src/index.js' }),
      'examples/web/src/index.js': '',
    },
    change: ['calc/**/*.{py,pyi}'],
    product: ['calc/__init__.py', 'calc/cli.py'],
  },
  {
    title: 'Python packages at the top, without a word about them',
    files: {
      'shop/__init__.py': '',
      'shop/models.py': '',
      'examples/__init__.py': '',
      'testing/__init__.py': '',
      'main.py': 'import shop',
    },
    change: ['shop/**/*.{py,pyi}'],
    product: ['shop/__init__.py', 'shop/models.py'],
  },
  {
    title: 'a Python program at the top',
    files: {
      'main.py': 'import calc as c, os\nfrom util import (\n    near,  # one\n    far,\n)\n',
      'calc.py': 'from shapes.round import area',
      'shapes/round.py': '',
      'util/near.py': '',
      'util/far.py': '',
      'checks.py': '',
      'helper.py': '',
      'test_calc.py': 'import helper, calc',
    },
    change: ['calc.py', 'main.py', 'shapes/round.py', 'util/far.py', 'util/near.py'],
    product: ['calc.py', 'main.py', 'shapes/round.py', 'util/far.py', 'util/near.py'],
  },
  {
    title: 'modules that say nothing of themselves, of which one has a test of its name',
    files: {
      'calc.py': '',
      'helper.py': '',
      'rules.py': '',
      'conftest.py': 'import rules',
      'test_calc.py': 'import helper, calc',
      'tests/test_rules.py': 'import helper',
    },
    change: ['calc.py'],
    product: ['calc.py'],
  },
  {
    title: 'a Cargo workspace',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
      'crates/core/Cargo.toml': '[package]\nname = "core"\n[lib]\npath = "source/lib.rs"\n',
      'crates/core/source/lib.rs': 'mod sum;\n#[cfg(test)]\nmod near;\n',
      'crates/core/source/sum.rs': '',
      'crates/core/source/near.rs': '',
      'crates/core/build.rs': '',
      'crates/core/tests/all.rs': '',
      'crates/core/benches/b.rs': '',
      'crates/cli/Cargo.toml': '[package]\nname = "cli"\n',
      'crates/cli/src/main.rs': '',
      'xtask/src/main.rs': '',
    },
    change: ['crates/cli/src/**/*.rs', 'crates/core/source/**/*.rs'],
    product: ['crates/cli/src/main.rs', 'crates/core/source/lib.rs', 'crates/core/source/sum.rs'],
  },
  {
    title: 'a Go module with packages and a program at the top',
    files: {
      'go.mod': 'module example.com/shop\n',
      'go.sum': '',
      'main.go': '',
      'main_test.go': '',
      'cart/cart.go': '',
      'cart/cart_test.go': '',
      'cart/testdata/want.go': '',
      'cmd/shop/main.go': '',
      'internal/testutil/near.go': '',
      'vendor/x/x.go': '',
      'tools/gen.go': '',
      'cart/prices.csv': '',
    },
    change: ['*.go', 'cart/**/*.go', 'cmd/**/*.go'],
    product: ['cart/cart.go', 'cmd/shop/main.go', 'main.go'],
  },
  {
    title: 'a Maven project of modules',
    files: {
      'pom.xml': '<project/>',
      'core/pom.xml': '<project/>',
      'core/src/main/java/a/Sum.java': '',
      'core/src/main/resources/a/expected.csv': '',
      'core/src/test/java/a/SumTest.java': '',
      'core/src/it/java/a/Near.java': '',
      'old/pom.xml': '<build><sourceDirectory>java</sourceDirectory></build>',
      'old/java/Old.java': '',
    },
    change: ['core/src/main/java/**/*.java', 'old/java/**/*.java'],
    product: ['core/src/main/java/a/Sum.java', 'old/java/Old.java'],
  },
  {
    title: 'a Gradle project for several platforms',
    files: {
      'build.gradle.kts': '',
      'settings.gradle.kts': '',
      'app/src/main/kotlin/App.kt': '',
      'app/src/integrationTest/kotlin/AppTest.kt': '',
      'app/src/testFixtures/kotlin/Near.kt': '',
      'shared/src/commonMain/kotlin/Sum.kt': '',
      'shared/src/commonTest/kotlin/Near.kt': '',
      'buildSrc/src/main/kotlin/Rules.kt': '',
    },
    change: ['app/src/main/kotlin/**/*.kt', 'shared/src/commonMain/kotlin/**/*.kt'],
    product: ['app/src/main/kotlin/App.kt', 'shared/src/commonMain/kotlin/Sum.kt'],
  },
  {
    title: 'a C library with src and include',
    files: {
      'CMakeLists.txt': '',
      'cmake/Flags.cmake': '',
      'src/sum.c': '',
      'include/sum.h': '',
      'tests/sum_test.c': '',
      'unity/unity.c': '',
    },
    change: ['include/**/*.{c,h}', 'src/**/*.{c,h}'],
    product: ['include/sum.h', 'src/sum.c'],
  },
  {
    title: 'a C program at the top, as its Makefile names it',
    files: {
      Makefile:
        'CC = cc # unity.c\nOBJ = main.o \\\n  sum.o\nprog: $(OBJ)\n\t$(CC) -o $@ $^\ntest_sum: test_sum.c sum.c near.c\n\t$(CC) -o $@ $^\n',
      'rules.mk': '',
      'main.c': '#include "sum.h"\n#include <stdio.h>',
      'sum.c': '',
      'sum.h': '',
      'near.c': '',
      'unity.c': '',
      'test_sum.c': '',
    },
    change: ['main.c', 'sum.c', 'sum.h'],
    product: ['main.c', 'sum.c', 'sum.h'],
  },
  {
    title: 'a CMake project whose folders have builds of their own',
    files: {
      'CMakeLists.txt': 'add_subdirectory(geometry)\nadd_subdirectory(tests)\n',
      'geometry/CMakeLists.txt':
        // biome-ignore lint/suspicious/noTemplateCurlyInString: CMake's
        'add_library(geometry ${CMAKE_CURRENT_SOURCE_DIR}/area.c parts/*.c)\nadd_executable(geometry_test near.c)\n',
      'geometry/area.c': '#include "area.h"',
      'geometry/area.h': '',
      'geometry/near.c': '',
      'geometry/parts/side.c': '',
      'geometry/unused.c': '',
      'tests/CMakeLists.txt': 'add_executable(run run.c)\n',
      'tests/run.c': '',
      'examples/CMakeLists.txt': 'add_executable(show show.c)\n',
      'examples/show.c': '',
    },
    change: ['geometry/area.c', 'geometry/area.h', 'geometry/parts/side.c'],
    product: ['geometry/area.c', 'geometry/area.h', 'geometry/parts/side.c'],
  },
  {
    title: 'a C++ library whose test is a program that the build makes',
    files: {
      Makefile:
        'all: xmlrun lib.a\nxmlrun: xmlrun.cpp lib.a\nlint:\n\tc++ xmlrun.cpp xml.cpp -o xmlrun\ntest: xmlrun\n\t./xmlrun\nlib.a: xml.o\n\tar cr $@ $^\nxml.o: xml.cpp xml.h\ninstall: xmlrun lib.a\n\tinstall xmlrun /usr/bin\n',
      'CMakeLists.txt':
        'add_library(xml xml.cpp xml.h)\nadd_executable(xmlrun xmlrun.cpp)\nadd_test(\n  NAME all\n  COMMAND xmlrun\n)\n',
      'xml.cpp': '#include "xml.h"',
      'xml.h': '',
      'xmlrun.cpp': '#include "xml.h"\n#include "same.h"\nint main() { return 0; }',
      'same.h': '',
    },
    commands: ['mkdir -p out && make test'],
    change: ['xml.cpp', 'xml.h'],
    product: ['xml.cpp', 'xml.h'],
  },
  {
    title: 'a program that tests run with arguments, or look at what it says',
    files: {
      'CMakeLists.txt':
        'add_executable(count count.c words.c)\nadd_executable(cut cut.c)\nadd_executable(unit unit.c words.c)\nadd_test(NAME count COMMAND count five.txt)\nadd_test(NAME all COMMAND $<TARGET_FILE:unit> --all)\nadd_test(NAME cut COMMAND sh cut.sh cut)\nset_tests_properties(count PROPERTIES PASS_REGULAR_EXPRESSION 5)\ninstall(TARGETS count DESTINATION bin)\n',
      'count.c': 'int main(void) { return 0; }',
      'cut.c': 'int main(void) { return 0; }',
      'unit.c': 'int main(void) { return 0; }',
      'words.c': '',
    },
    commands: ['cmake -S . -B build && ctest', './build/cut < five.txt > cut.txt', './cut 5 | wc'],
    change: ['count.c', 'cut.c', 'words.c'],
    product: ['count.c', 'cut.c', 'words.c'],
  },
  {
    title: 'a program of the work and its test in one',
    files: {
      Makefile: 'sums: sums.c add.c\n\tcc -o $@ $^\ntest: sums\n\t./sums >/dev/null 2>&1\n',
      'add.c': '',
      'sums.c': 'int\nmain(int argc, char **argv)\n{\n  return add(1, 2) != 3;\n}',
    },
    commands: ['make test'],
    change: ['add.c'],
    product: ['add.c'],
  },
  {
    title: 'a test by its name beside the sources that it is made of',
    files: {
      'CMakeLists.txt':
        // biome-ignore lint/suspicious/noTemplateCurlyInString: CMake's
        'foreach(one even odd)\n  add_executable(sum_${one} test/${one}.c near.c add.c)\n  add_test(NAME ${one} COMMAND sum_${one})\nendforeach()\n',
      'add.c': '',
      'near.c': '',
      'test/even.c': 'int main(void) { return 0; }',
    },
    change: ['add.c', 'near.c'],
    product: ['add.c', 'near.c'],
  },
  {
    title: 'a program among the sources that a test runs',
    files: {
      'meson.build':
        "add = static_library('add', 'src/add.c')\nall = executable('sums', 'src/sums.c', link_with: add)\ntest('sums', all)\n",
      'src/add.c': '',
      'src/add.h': '',
      'src/sums.c': '#include "add.h"\nint main(void) { return 0; }',
    },
    change: ['src/**/*.{c,h}'],
    product: ['src/add.c', 'src/add.h'],
  },
  {
    title: 'a .NET solution',
    files: {
      'Shop.sln': '',
      'Shop/Shop.csproj': '<Project/>',
      'Shop/Cart.cs': '',
      'Shop/appsettings.json': '',
      'Shop.Tests/Shop.Tests.csproj': '<Project/>',
      'Shop.Tests/CartTests.cs': '',
      'Quality/Quality.csproj': '<PackageReference Include="xunit" />',
      'Quality/Near.cs': '',
      'Directory.Build.props': '',
    },
    change: ['Shop/**/*.cs'],
    product: ['Shop/Cart.cs'],
  },
  {
    title: 'a gem',
    files: {
      'shop.gemspec': '',
      Gemfile: '',
      Rakefile: '',
      'lib/shop.rb': '',
      'bin/shop': '#!/usr/bin/env ruby',
      'bin/verify': '#!/bin/sh',
      'spec/spec_helper.rb': '',
      'features/support/env.rb': '',
    },
    change: ['bin/shop', 'lib/**/*.rb'],
    product: ['bin/shop', 'lib/shop.rb'],
  },
  {
    title: 'a package of Composer',
    files: {
      'composer.json': json({
        autoload: { 'psr-4': { 'Shop\\': 'source/' }, files: ['functions.php', 'words.dat'] },
        'autoload-dev': { 'psr-4': { 'Shop\\Near\\': 'source/Near/' } },
      }),
      'source/Cart.php': '',
      'source/Near/Near.php': '',
      'functions.php': '',
      'words.dat': '',
      'tests/CartTest.php': '',
    },
    change: ['functions.php', 'source/**/*.php'],
    product: ['functions.php', 'source/Cart.php'],
  },
  {
    title: 'a distribution of Perl',
    files: {
      'Makefile.PL': '',
      'lib/Shop.pm': '',
      't/shop.t': '',
      't/lib/Near.pm': '',
      'xt/author.t': '',
    },
    change: ['lib/**/*.{pl,pm}'],
    product: ['lib/Shop.pm'],
  },
  {
    title: 'scripts of the shell, in folders that say what they are',
    files: {
      'bin/greet': '#!/bin/sh\n. ../lib/words.sh',
      'lib/words.sh': '',
      'test/greet.bats': '',
      'verify.sh': '',
    },
    commands: ['sh verify.sh'],
    change: ['bin/greet', 'lib/**/*.{sh,bash,zsh}'],
    product: ['bin/greet', 'lib/words.sh'],
  },
  {
    title: 'a service of two languages in two folders',
    files: {
      'web/package.json': json({}),
      'web/src/main.ts': '',
      'api/pyproject.toml': '[project]\nname = "api"\n',
      'api/api/__init__.py': '',
      'api/tests/test_api.py': '',
      'compose.yml': '',
    },
    change: ['api/api/**/*.{py,pyi}', 'web/src/**/*.{ts,tsx}'],
    product: ['api/api/__init__.py', 'web/src/main.ts'],
  },
  {
    title: 'two scripts at the top, of which nobody says which is the product',
    files: { 'greet.sh': '', 'check.sh': '' },
    commands: ['sh check.sh'],
    change: [],
    product: [],
  },
  {
    title: 'a module of Python at the top that the test of its name imports',
    files: { 'calc.py': '', 'test_calc.py': 'from calc import add' },
    commands: ['python3 -m unittest -q'],
    change: ['calc.py'],
    product: ['calc.py'],
  },
  {
    title: 'one that only a test of another name imports',
    files: { 'calc.py': '', 'test_sums.py': 'from calc import add' },
    commands: ['python3 -m unittest -q'],
    change: [],
    product: [],
  },
];
