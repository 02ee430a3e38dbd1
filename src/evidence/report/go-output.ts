import type { TestReport } from '../../contract/test-report.ts';
import { reportOfNames } from '../../proof/test-report.ts';

const RESULT = /^\s*--- (PASS|FAIL|SKIP): (\S+) \(/;
const PACKAGE = /^(ok|FAIL)\s+(\S+)(?:\s+(.*))?$/;

/** The output of `go test -v`: results first, then the line of the package that they belong to. */
export function parseGoOutput(text: string): TestReport | null {
  const names = { passed: [] as string[], failed: [] as string[], skipped: [] as string[] };
  const broken: string[] = [];
  let open: { name: string; result: 'passed' | 'failed' | 'skipped' }[] = [];
  let isSeen = false;
  for (const line of plainLines(text)) {
    const result = RESULT.exec(line);
    if (result !== null) {
      open.push({ name: result[2] ?? '', result: RESULTS[result[1] ?? ''] ?? 'failed' });
      continue;
    }
    const [, state, name = '', rest = ''] = PACKAGE.exec(line) ?? [];
    if (state === undefined) continue;
    isSeen = true;
    if (state === 'FAIL' && (open.length === 0 || /^\[(build|setup) failed\]/.test(rest)))
      broken.push(name);
    for (const test of open) names[test.result].push(`${name} > ${test.name}`);
    open = [];
  }
  return isSeen ? reportOfNames('go test', { ...names, broken }) : null;
}

const RESULTS: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>> = {
  PASS: 'passed',
  FAIL: 'failed',
  SKIP: 'skipped',
};

/** `go test -json` wraps the same lines. */
function plainLines(text: string): string[] {
  if (!/^\{"(Time|ImportPath|Action)"/m.test(text)) return text.split('\n');
  const output = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(outputOf)
    .join('');
  return output.split('\n');
}

function outputOf(line: string): string {
  try {
    return (JSON.parse(line) as { Output?: string }).Output ?? '';
  } catch {
    return '';
  }
}
