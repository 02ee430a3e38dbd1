import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { startRepository } from '../support/git.ts';
import { type NpmRegistry, openNpmRegistry } from '../support/npm-registry.ts';
import { openSetupGoal, type Setting } from './setup-ground.ts';

const CHECK = 'node --test test/*.test.js';
export const RIGHT = 'exports.sum = (a, b) => a + b;\n';

/** For each test of a file: a project whose check needs a package that npm installs. */
export function setupProject() {
  let workspace: string;
  let registry: NpmRegistry;

  beforeEach(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'goalkeeper-setup-'));
    registry = await openNpmRegistry({
      expected: { 'index.js': 'module.exports = 3;\n' },
      plus: { 'index.js': 'module.exports = (a, b) => a + b;\n' },
    });
    put('.gitignore', 'node_modules/\n');
    put('.npmrc', `registry=${registry.url}\n`);
    putPackages(['expected']);
    put('src/sum.js', 'exports.sum = (a, b) => a - b;\n');
    put(
      'test/sum.test.js',
      `const { test } = require('node:test');
const { sum } = require('../src/sum.js');
test('sums', () => require('node:assert').equal(sum(1, 2), require('expected')));
`,
    );
    startRepository(workspace);
  });

  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  function put(path: string, text: string): void {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }

  /** As npm writes them. */
  function putPackages(names: readonly string[], own: object = {}): void {
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
    const root = { name: 'shop', main: 'src/sum.js', dependencies };
    const installed = names.map((name) => [`node_modules/${name}`, registry.entry(name)]);
    const packages = { '': { name: 'shop', dependencies }, ...Object.fromEntries(installed) };
    const lock = { name: 'shop', lockfileVersion: 3, requires: true, packages };
    put('package.json', JSON.stringify({ ...root, ...own }));
    put('package-lock.json', JSON.stringify(lock));
  }

  const openGoal = (setting?: Setting) => openSetupGoal(workspace, { command: CHECK, ...setting });

  const installs = () => registry.asked.filter((path) => path.endsWith('.tgz')).length;
  return {
    get workspace() {
      return workspace;
    },
    get registry() {
      return registry;
    },
    ...{ put, putPackages, openGoal, installs },
  };
}
