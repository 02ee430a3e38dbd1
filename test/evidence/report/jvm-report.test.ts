import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readJvmReport } from '../../../src/evidence/report/jvm-report.ts';
import { lostTests } from '../../../src/proof/test-report.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Before any of these files is made. */
const EVER = 0;

async function project(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jvm-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const suite = (cases: string): string =>
  `<?xml version="1.0"?><testsuite name="shop.PriceTest">${cases}</testsuite>`;
const ODD = '<testcase name="odd" classname="shop.PriceTest" time="0"';
const PLAIN = '<testcase name="plain" classname="shop.PriceTest"/>';

test('a quiet build of the JVM tells its tests by the files that it leaves', async () => {
  const folder = await project({
    'settings.gradle': '',
    'app/build/test-results/test/TEST-shop.PriceTest.xml': suite(
      `${PLAIN}${ODD}><failure message="expected 3"/></testcase>`,
    ),
  });
  expect(await readJvmReport(folder, EVER)).toMatchObject({
    ...{ runner: 'JUnit', hasNames: true, ran: 2 },
    ...{ passed: ['shop.PriceTest > plain'], failed: ['shop.PriceTest > odd'] },
  });
});

test('a test that failed and is skipped now is lost, also where a second file says that it passed', async () => {
  const path = 'build/test-results/test/TEST-shop.PriceTest.xml';
  const before = await project({
    'build.gradle': '',
    [path]: suite(`${PLAIN}${ODD}><failure/></testcase>`),
  });
  const now = await project({
    'build.gradle': '',
    [path]: suite(`${PLAIN}${ODD}><skipped/></testcase>`),
    'build/test-results/test/TEST-own.xml': suite(`${ODD}/>`),
  });
  const [earlier, later] = [await readJvmReport(before, EVER), await readJvmReport(now, EVER)];
  expect(lostTests(earlier, later, () => true)).toEqual([
    { name: 'shop.PriceTest > odd', kind: 'test_skipped' },
  ]);
});

test('reports of an earlier run, and of other projects, tell nothing', async () => {
  const files = { 'build/test-results/test/TEST-a.xml': suite(PLAIN) };
  const gradle = await project({ 'build.gradle': '', ...files });
  expect(await readJvmReport(gradle, Date.now() + 60_000)).toBeNull();
  expect(await readJvmReport(await project(files), EVER)).toBeNull();
});
