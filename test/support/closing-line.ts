import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { skippedFor } from './skip-reason.ts';

/**
 * Ends the run with one plain line, `N passed, N failed`, also when a file could not be loaded.
 * Above it stands what the machine lacks, with the number of tests that were skipped for it, and
 * what failed, with the beginning of why: whoever sees only the end of a log sees that.
 */
export class ClosingLine implements Reporter {
  #line = '';
  readonly #lacking = new Map<string, number>();
  readonly #failed: string[] = [];

  /** At the very end, behind what the other reporters print. */
  onInit(): void {
    process.once('exit', () => {
      for (const [what, count] of this.#lacking) {
        process.stdout.write(`\n${count} skipped: ${what}`);
      }
      for (const failed of this.#failed) process.stdout.write(`\n${failed}`);
      process.stdout.write(`\n${this.#line}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    if (errors.length > 0) this.#failed.push(told('outside of a test', errors));
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state, errors: why } = test.result();
        if (state === 'failed') {
          this.#failed.push(told(`${module.relativeModuleId} > ${test.fullName}`, why));
        }
        count[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
        const isLeft = state === 'skipped' && test.tags.includes('campaign');
        const what = isLeft ? 'played by `npm run test:campaigns`' : skippedFor(test.fullName);
        if (what !== null) this.#lacking.set(what, (this.#lacking.get(what) ?? 0) + 1);
      }
      const isBroken =
        module.state() === 'failed' && !tests.some((t) => t.result().state === 'failed');
      if (isBroken) {
        count.failed += 1;
        this.#failed.push(told(module.relativeModuleId, module.errors()));
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    this.#line = `${count.passed} passed, ${count.failed} failed${skipped}`;
  }
}

const LINES = 14;

const told = (where: string, errors: readonly SerializedError[] = []): string =>
  [
    `failed: ${where}`,
    ...errors
      .flatMap(({ message, diff = '', stack = '' }) => [
        ...message.split('\n').slice(0, LINES),
        ...String(diff).split('\n').slice(0, LINES),
        ...stack.split('\n').filter((line) => /^ +at .*\/test\//.test(line)),
      ])
      .map((line) => `  ${stripVTControlCharacters(line)}`),
  ].join('\n');
