import { relative } from 'node:path';
import type { TestReport } from '../../contract/test-report.ts';
import { type Runner, reportOfNames } from '../../proof/test-report.ts';

interface JestReport {
  readonly testResults?: readonly {
    readonly name: string;
    readonly status?: string;
    readonly assertionResults?: readonly {
      readonly ancestorTitles?: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** The format that Jest defined and Vitest writes as well. @param cwd where the runner ran */
export function parseJestJson(runner: Runner, text: string, cwd: string): TestReport {
  const names = { passed: [] as string[], failed: [] as string[], skipped: [] as string[] };
  const broken: string[] = [];
  const messages: string[] = [];
  for (const file of parse(text).testResults ?? []) {
    const path = relative(cwd, file.name);
    if (file.status === 'failed' && !file.assertionResults?.length) broken.push(path);
    for (const test of file.assertionResults ?? []) {
      const name = [path, ...(test.ancestorTitles ?? []), test.title]
        .filter((part) => part !== '')
        .join(' > ');
      names[resultOf(test.status)].push(name);
      messages.push(...(test.failureMessages ?? []).map((one) => one.split('\n', 1)[0] ?? ''));
    }
  }
  return reportOfNames(runner, { ...names, broken, messages });
}

function resultOf(status: string): 'passed' | 'failed' | 'skipped' {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

function parse(text: string): JestReport {
  try {
    return JSON.parse(text) as JestReport;
  } catch {
    return {};
  }
}
