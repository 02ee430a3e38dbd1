import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestReport } from '../../contract/test-report.ts';
import { mergeReports } from '../../proof/test-report.ts';
import type { ResolvedCommand } from '../runners/resolve.ts';
import { parseGoOutput } from './go-output.ts';
import { parseJestJson } from './jest-json.ts';
import { parseNodeTest } from './node-test.ts';
import { parsePrinted } from './printed.ts';
import { parsePytestXml } from './pytest-xml.ts';
import { readReported } from './reported-file.ts';

/** The runners' machine-readable reports, or otherwise their output. */
export async function readReport(
  folder: string,
  cwd: string,
  command: ResolvedCommand,
  output: Uint8Array,
): Promise<TestReport | null> {
  const reports: TestReport[] = [];
  const names = await readdir(folder).catch(() => []);
  for (const name of names.sort()) {
    const text = await readReported(join(folder, name));
    const report = await parseFile(folder, cwd, name, text);
    if (report !== null) reports.push(report);
  }
  const printed = Buffer.from(output).toString('utf8');
  if (command.runners.has('go test')) {
    const report = parseGoOutput(printed);
    if (report !== null) reports.push(report);
  }
  return reports.length > 0 ? mergeReports(reports) : parsePrinted(printed);
}

async function parseFile(
  folder: string,
  cwd: string,
  name: string,
  text: string,
): Promise<TestReport | null> {
  if (name.endsWith('.node-test')) return await parseNodeTest(text, cwd);
  if (name === 'pytest.xml') return parsePytestXml(text);
  if (!name.endsWith('.begun')) return null;
  // The runner began but left no report: it was cut off, and its tests are unknown.
  const runner = name.includes('.vitest.') ? 'vitest' : 'jest';
  const report = await readReported(join(folder, name.slice(0, -'.begun'.length)));
  return parseJestJson(runner, report, text);
}
