import { resolve } from 'node:path';
import type { TestReport } from '../../contract/test-report.ts';
import { reportOfNames } from '../../proof/test-report.ts';
import { readReported } from './reported-file.ts';

interface Noted {
  readonly file: string;
  readonly path: readonly string[];
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly kind: 'file' | 'suite' | 'test';
  readonly isCutOff?: boolean;
  readonly message?: string;
}

/** Reads the reporter's records; a run that was cut off has the tests that ended by then. */
export async function parseNodeTest(text: string, cwd: string): Promise<TestReport> {
  const noted = text.split('\n').flatMap(parseLine);
  const names = { passed: [] as string[], failed: [] as string[], skipped: [] as string[] };
  const broken: string[] = [];
  const cutOff: string[] = [];
  const hasRun = new Set(noted.filter(({ kind }) => kind === 'test').map(({ file }) => file));
  for (const { file, path, result, kind, isCutOff } of noted) {
    const name = [file, ...path].filter((part) => part !== '').join(' > ');
    if (kind === 'test') names[result].push(name);
    if (kind === 'test' && isCutOff) cutOff.push(name);
    else if (kind === 'file') await noteFile(file, result);
  }
  const messages = noted.flatMap(({ kind, message }) => (kind === 'test' ? (message ?? []) : []));
  return reportOfNames('node:test', { ...names, broken, messages, cutOff });

  /** A whole file counts as a test only if it registers none. */
  async function noteFile(file: string, result: Noted['result']): Promise<void> {
    const content = await readReported(resolve(cwd, file));
    const hasTests = /['"]node:test['"]/.test(content);
    if (!hasTests) names[result].push(file);
    if (!hasTests && result === 'failed') cutOff.push(file);
    else if (result === 'failed' && !hasRun.has(file)) broken.push(file);
  }
}

function parseLine(line: string): Noted[] {
  try {
    const entry = JSON.parse(line) as Noted;
    return entry.path === undefined ? [] : [entry];
  } catch {
    return [];
  }
}
