import type { Reporter, TestModule } from 'vitest/node';
import { skippedFor } from './skip-reason.ts';

/**
 * Ends the run with one plain line, `N passed, N failed`, also when a file could not be loaded.
 * Above it stands what the machine lacks, with the number of tests that were skipped for it.
 */
export class ClosingLine implements Reporter {
  #line = '';
  readonly #lacking = new Map<string, number>();

  /** At the very end, behind what the other reporters print. */
  onInit(): void {
    process.once('exit', () => {
      for (const [what, count] of this.#lacking) {
        process.stdout.write(`\n${count} skipped: ${what}`);
      }
      process.stdout.write(`\n${this.#line}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        count[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
        const what = skippedFor(test.fullName);
        if (what !== null) this.#lacking.set(what, (this.#lacking.get(what) ?? 0) + 1);
      }
      const isBroken =
        module.state() === 'failed' && !tests.some((t) => t.result().state === 'failed');
      if (isBroken) count.failed += 1;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    this.#line = `${count.passed} passed, ${count.failed} failed${skipped}`;
  }
}
