import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { detectChecks } from '../../src/evidence/detect/all.ts';

async function commandsOf(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-detect-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return (await detectChecks(folder)).map(({ command }) => command);
}

const scripts = (named: Record<string, unknown>) => ({
  'package.json': JSON.stringify({ scripts: named }),
});

test('an empty folder and a broken package.json bring no checks', async () => {
  expect(await commandsOf({})).toEqual([]);
  expect(await commandsOf({ 'package.json': '{' })).toEqual([]);
  expect(await commandsOf({ 'package.json': 'null' })).toEqual([]);
  expect(await commandsOf(scripts({ test: 7 }))).toEqual([]);
});

test('scripts of package.json are run by the manager of its lock file', async () => {
  const named = scripts({
    test: 'vitest run',
    lint: 'biome check',
    'check:types': 'tsc',
    dev: 'x',
  });
  expect(await commandsOf(named)).toEqual(['npm test', 'npm run check:types', 'npm run lint']);
  expect(await commandsOf({ ...named, 'pnpm-lock.yaml': '' })).toContain('pnpm test');
  expect(await commandsOf({ ...named, 'yarn.lock': '' })).toContain('yarn run lint');
});

test('scripts that change sources or never end are no checks', async () => {
  const named = scripts({
    test: 'vitest --watch',
    lint: 'eslint --fix .',
    build: 'tsc -w --watch',
  });
  expect(await commandsOf(named)).toEqual([]);
});

test('Python projects are known by their tests and configured tools', async () => {
  expect(await commandsOf({ 'tests/test_sum.py': '' })).toEqual(['python3 -m pytest -q']);
  const project = '[tool.pytest.ini_options]\n[tool.mypy]\n[tool.ruff]\n';
  expect(await commandsOf({ 'pyproject.toml': project })).toHaveLength(3);
  expect(await commandsOf({ 'tool.py': '' })).toEqual([]);
});

test('Go and Rust modules bring their own tools', async () => {
  expect(await commandsOf({ 'go.mod': 'module x' })).toContain('go test ./...');
  expect(await commandsOf({ 'Cargo.toml': '' })).toContain('cargo test');
});

test('a Makefile adds what its languages lack, and its variables are no targets', async () => {
  const makefile = 'test: build\n\tnpm test\nlint:=x\nbuild ::\n\techo\ncheck:\n';
  expect(await commandsOf({ Makefile: makefile })).toEqual(['make test']);
  expect(await commandsOf({ Makefile: makefile, ...scripts({ test: 'x' }) })).toEqual(['npm test']);
});
