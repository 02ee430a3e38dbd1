import { createHmac, timingSafeEqual } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestReport } from '../../contract/test-report.ts';
import { mergeReports } from '../../proof/test-report.ts';
import type { ResolvedCommand } from '../runners/resolve.ts';
import { parseGoOutput } from './go-output.ts';
import { parseJestJson } from './jest-json.ts';
import { parseJUnitXml } from './junit-xml.ts';
import { parseNodeTest } from './node-test.ts';
import { parsePrinted } from './printed.ts';
import { readReported } from './reported-file.ts';

export interface ReportPlace {
  readonly folder: string;
  /** Signs the reports of runners whose tests run in other processes. */
  readonly key: string;
}

/** The runners' machine-readable reports, or otherwise their output. */
export async function readReport(
  place: ReportPlace,
  cwd: string,
  command: ResolvedCommand,
  output: Uint8Array,
): Promise<TestReport | null> {
  const reports: TestReport[] = [];
  const names = await readdir(place.folder).catch(() => []);
  for (const name of names.sort()) {
    const report = await parseFile(place, cwd, name);
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
  place: ReportPlace,
  cwd: string,
  name: string,
): Promise<TestReport | null> {
  const read = (file: string) => readReported(join(place.folder, file));
  if (name.endsWith('.node-test')) {
    return await parseNodeTest(await sealed(place, name, await read(name)), cwd);
  }
  if (name.endsWith('.pytest')) return parseJUnitXml('pytest', await read(name));
  if (!name.endsWith('.begun')) return null;
  // The runner began but left no report: it was cut off, and its tests are unknown.
  const runner = name.includes('.vitest.') ? 'vitest' : 'jest';
  const [own, file] = [await read(name), name.slice(0, -'.begun'.length)];
  return parseJestJson(runner, await sealed(place, file, await read(file), `${own}\0`), own);
}

/** Nothing, unless the process that had the key wrote exactly this text. */
async function sealed(
  { folder, key }: ReportPlace,
  name: string,
  text: string,
  before = '',
): Promise<string> {
  const seal = createHmac('sha256', key).update(before).update(text).digest();
  const found = Buffer.from(await readReported(join(folder, `${name}.seal`)), 'hex');
  return found.length === seal.length && timingSafeEqual(found, seal) ? text : '';
}
