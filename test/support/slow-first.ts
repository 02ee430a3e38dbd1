import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take over a minute on two cores: begun late, one of them would be waited for alone. */
const SLOW =
  /\/test\/(browser\/|.*\.long\.test|evidence\/(names|flaky)\.|workflows\/provider-waits\.)/;

/**
 * Unit tests, then the others, in both the slow ones first: what is left at the end is short, and
 * no processor waits for the last file.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}

const rankOf = ({ moduleId, project }: TestSpecification): number =>
  (project.name === 'unit' ? 0 : 2) + (SLOW.test(moduleId) ? 0 : 1);
