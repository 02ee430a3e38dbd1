import type { Reporter, TestModule } from 'vitest/node';

/** Characters of the first try's errors. */
const MAX_WHY = 3000;

/**
 * Ends the run with one plain line, `N passed, N failed`, also when a file could not be loaded.
 * Above it stands by name what passed only on its second try, and what became of the first: such a
 * test, or what it tests, races.
 */
export class ClosingLine implements Reporter {
  #line = '';
  readonly #unsteady: string[] = [];

  /** At the very end, behind what the other reporters print. */
  onInit(): void {
    process.once('exit', () => {
      for (const name of this.#unsteady) process.stdout.write(`\npassed on a second try: ${name}`);
      process.stdout.write(`\n${this.#line}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state, errors: tried } = test.result();
        if (test.diagnostic()?.flaky) {
          const why =
            tried?.map(({ message, diff }) => `\n${message}\n${diff ?? ''}`).join('') ?? '';
          this.#unsteady.push(`${module.moduleId}: ${test.name}${why.slice(0, MAX_WHY)}`);
        }
        count[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
      }
      const isBroken =
        module.state() === 'failed' && !tests.some((t) => t.result().state === 'failed');
      if (isBroken) count.failed += 1;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    this.#line = `${count.passed} passed, ${count.failed} failed${skipped}`;
  }
}
