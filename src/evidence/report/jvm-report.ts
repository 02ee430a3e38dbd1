import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestReport } from '../../contract/test-report.ts';
import { mergeReports, reportOfNames } from '../../proof/test-report.ts';
import { parseJUnitXml } from './junit-xml.ts';
import { readReported } from './reported-file.ts';

const BUILD_FILE = /^(?:pom\.xml|build\.(?:xml|sbt)|(?:build|settings)\.gradle(?:\.kts)?)$/;
/** Gradle, Surefire, Failsafe, sbt and Ant name one for each class like this. */
const REPORT = /^TEST-.+\.xml$/;
const NEVER = new Set(['.git', '.gradle', 'node_modules', 'src']);
const MOST_FOLDERS = 5000;

/**
 * Names of tests from the reports that a build of the JVM leaves below its folder: a quiet build
 * prints none. Null where it left none.
 *
 * @param since reports from before this time (ms) are of another run
 */
export async function readJvmReport(cwd: string, since: number): Promise<TestReport | null> {
  const own = await readdir(cwd).catch(() => []);
  if (!own.some((name) => BUILD_FILE.test(name))) return null;
  const reports: TestReport[] = [];
  const folders = [cwd];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      const isWalked = entry.isDirectory() && !NEVER.has(entry.name);
      if (isWalked && folders.length < MOST_FOLDERS) folders.push(path);
      if (!entry.isFile() || !REPORT.test(entry.name)) continue;
      const { ctimeMs = 0 } = (await stat(path).catch(() => null)) ?? {};
      if (ctimeMs >= since) reports.push(parseJUnitXml('JUnit', await readReported(path)));
    }
  }
  return atWorst(mergeReports(reports));
}

/** What the work writes beside the build's own report makes no test better. */
function atWorst(report: TestReport | null): TestReport | null {
  if (report === null) return null;
  const failed = new Set(report.failed);
  const skipped = report.skipped.filter((name) => !failed.has(name));
  const worse = new Set([...failed, ...skipped]);
  const passed = [...new Set(report.passed)].filter((name) => !worse.has(name));
  const { broken, messages = [] } = report;
  return reportOfNames(report.runner, { passed, failed: [...failed], skipped, broken, messages });
}
