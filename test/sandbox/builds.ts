import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { seedsFor } from '../../src/evidence/proof/seeds.ts';
import { programPath } from '../../src/sandbox/program-path.ts';
import { toolchainsOf } from '../../src/sandbox/seeds/all.ts';
import { seedsFolder } from '../../src/sandbox/seeds/seed-store.ts';
import { describeWith } from '../support/needs.ts';
import { SANDBOX, testBox } from './support.ts';

interface Build {
  readonly program: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
}

const BUILDS: readonly Build[] = [
  {
    program: 'go',
    files: {
      'go.mod': 'module a\n\ngo 1.18\n',
      'a.go': 'package a\n\nfunc Add(a, b int) int { return a + b }\n',
      'a_test.go':
        'package a\n\nimport ("net"; "testing")\n\nfunc TestAdd(t *testing.T) {\n\tl, err := net.Listen("tcp", "127.0.0.1:0")\n\tif err != nil || Add(2, 3) != 5 { t.Fatal(err) }\n\tl.Close()\n}\n',
    },
    // With `-x` it tells each run of the compiler; those of its own library are for a seed to save.
    command:
      'go test -x ./... 2> told && go vet ./... && grep -q /compile told && ! grep -e "/compile.* -std " told',
  },
  {
    program: 'cargo',
    files: {
      'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        '#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() { std::thread::spawn(|| assert_eq!(2 + 3, 5)).join().unwrap(); }\n}\n',
    },
    command: 'cargo test --offline --quiet',
  },
  {
    program: 'javac',
    files: {
      'A.java':
        'public class A { public static void main(String[] a) throws Exception { Thread t = new Thread(() -> System.out.println("ran")); t.start(); t.join(); } }\n',
    },
    command: 'javac A.java && java A',
  },
  {
    program: 'gcc',
    files: { 'a.c': '#include <stdio.h>\nint main(void) { return puts("ran") < 0; }\n' },
    command: 'gcc a.c -o a && ./a && install -m 755 a b && tar cf a.tar a && tar xf a.tar',
  },
  {
    program: 'python3',
    files: {
      'a.py':
        'import multiprocessing, subprocess, tempfile, asyncio\ndef double(n): return n * 2\nif __name__ == "__main__":\n  with multiprocessing.Pool(2) as pool: assert pool.map(double, [1]) == [2]\n  subprocess.check_call(["true"])\n  asyncio.run(asyncio.sleep(0))\n  tempfile.TemporaryFile().close()\n',
    },
    command: 'python3 -m venv --without-pip v && v/bin/python a.py',
  },
  {
    program: 'node',
    files: {
      'a.test.js':
        "const { test } = require('node:test');\nconst { Worker } = require('node:worker_threads');\ntest('works', async () => {\n  await new Promise((done) => new Worker('1', { eval: true }).on('exit', done));\n  require('node:os').networkInterfaces();\n  require('node:child_process').execSync('git init -q r && git -C r status');\n  await require('node:fs/promises').cp('a.test.js', 'copy.js');\n});\n",
    },
    command: 'node --test a.test.js && npm --version',
  },
];

async function makeSeeds(home: string, paths: readonly string[]): Promise<void> {
  const { workspace, effects } = await testBox({ home, goalId: 'seeds' });
  const { signal } = new AbortController();
  const order = { workspace, signal, attempt: { effects }, ports: { seeds: seedsFolder(home) } };
  const seeds = await seedsFor(order, paths, '/nonexistent');
  expect(seeds.map(({ toolchain }) => toolchain)).toEqual(toolchainsOf(paths));
}

/** BOX-4: the builds of these programs go on in the sandbox. */
export function testBuilds(programs: readonly string[]): void {
  describeWith(SANDBOX, 'honest work in the sandbox', () => {
    for (const { program, files, command } of BUILDS.filter((one) =>
      programs.includes(one.program),
    )) {
      const isHere = programPath(program) !== null;
      test.runIf(isHere)(`BOX-4 builds and tests with ${program} go on`, async () => {
        const { home } = await testBox();
        // What a toolchain compiles of its own is no part of the build, and has a limit of its own.
        const paths = Object.keys(files);
        await makeSeeds(home, paths);
        const box = await testBox({ home });
        for (const [name, content] of Object.entries(files)) {
          const path = join(box.workspace, name);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, content);
        }
        const run = await box.run(command);
        expect(run, run.output).toMatchObject({ exitCode: 0, ended: 'exited' });
      });
    }
  });
}
