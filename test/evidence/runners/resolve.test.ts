import { describe, expect, test } from 'vitest';
import { resolveCommand } from '../../../src/evidence/runners/resolve.ts';
import { project } from '../runner-projects.ts';

const command = (text: string, cwd?: string) => ({
  kind: 'command' as const,
  command: text,
  ...(cwd === undefined ? {} : { cwd }),
});

const manifest = (scripts: Record<string, string>) => JSON.stringify({ name: 'x', scripts });

const files = {
  'package.json': manifest({
    test: 'npm run unit && npm run e2e:web',
    pretest: 'npm run build',
    build: 'tsc -p .',
    unit: 'cross-env CI=1 vitest run',
    'e2e:web': 'playwright test',
    all: 'run-p "e2e:*" unit',
    everywhere: 'npm run check --workspaces',
    shell: 'bash -c "cd packages/a && yarn check"',
  }),
  'packages/a/package.json': manifest({ check: 'node --test', precheck: 'eslint .' }),
  'packages/b/package.json': manifest({ check: 'jest' }),
  Makefile:
    'RUN = pytest -q\n.PHONY: check\ncheck: lint\n\t@$(RUN)\nlint:\n\truff check .\nother:\n\tgo test ./...\ntold: lint ## Tests it\n\tgo test ./...\n',
};

describe('what a command really runs', () => {
  test.each([
    ['npm test', ['vitest']],
    ['npm run all', ['vitest']],
    ['npm --prefix packages/a run check', ['node:test']],
    ['pnpm -C packages/b check', ['jest']],
    ['cd packages/b && yarn check', ['jest']],
    ['npm run everywhere', ['jest', 'node:test']],
    ['npm run shell', ['node:test']],
    ['make check', ['pytest']],
    ['make -C . other', ['go test']],
    ['make told', ['go test']],
    ['npx -y jest --ci', ['jest']],
    ['pnpm exec vitest run', ['vitest']],
    ['CI=1 timeout 60 env A=b python3 -m pytest -x', ['pytest']],
    ['poetry run coverage run -m pytest', ['pytest']],
    ['node --experimental-vm-modules node_modules/.bin/jest', ['jest']],
  ])('%s', async (text, runners) => {
    const folder = await project(files);
    const found = await resolveCommand(folder, command(text));
    expect([...found.runners].sort()).toEqual(runners);
  });

  test.each([
    ['test -f answer.txt && grep -q 42 answer.txt', true],
    ['node build.js | jq .', false],
    ['./run-everything', false],
    ['unheard-of --check', false],
    ['bash scripts/test.sh', false],
  ])('%s is understood: %s', async (text, isUnderstood) => {
    const found = await resolveCommand(await project({}), command(text));
    expect(found.isUnderstood).toBe(isUnderstood);
  });
});
