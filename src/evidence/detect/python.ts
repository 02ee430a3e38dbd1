import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Detector, type FoundCheck, readText } from './found-check.ts';

export const detectPython: Detector = async (workspace) => {
  const [project, setup] = await Promise.all([
    readText(workspace, 'pyproject.toml'),
    readText(workspace, 'setup.cfg'),
  ]);
  const configuration = `${project ?? ''}\n${setup ?? ''}`;
  const isTested = /^\[tool[.:]pytest/m.test(configuration) || (await hasTests(workspace));
  const checks: FoundCheck[] = [];
  if (isTested) checks.push({ purpose: 'test', command: 'python3 -m pytest -q' });
  if (/^\[(tool\.)?mypy\]/m.test(configuration)) {
    checks.push({ purpose: 'typecheck', command: 'python3 -m mypy .' });
  }
  if (/^\[tool\.ruff/m.test(configuration)) {
    checks.push({ purpose: 'lint', command: 'python3 -m ruff check .' });
  }
  return checks;
};

const TEST_FILE = /^(test_.+|.+_test|conftest)\.py$|^pytest\.ini$/;

async function hasTests(workspace: string): Promise<boolean> {
  const folders = ['', 'tests', 'test'].map((folder) =>
    readdir(join(workspace, folder)).catch(() => []),
  );
  return (await Promise.all(folders)).flat().some((name) => TEST_FILE.test(name));
}
