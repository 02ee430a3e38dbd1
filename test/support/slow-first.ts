import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take over a minute on two cores: begun late, one of them would be waited for alone. */
const SLOW = [
  'evidence/names',
  'evidence/proof.long',
  'evidence/reviewer-away.long',
  'evidence/criteria-kinds.long',
  'evidence/moving-files.long',
  'evidence/flaky',
  'evidence/setup.long',
  'evidence/sealed/lifecycle.long',
  'workflows/provider-faults.long',
  'workflows/provider-waits',
  'workflows/approvals-claims.long',
  'workflows/disputes.long',
  'stack/up.long',
  'evidence/in-process/honest.long',
  'evidence/in-process/tricks.long',
  'evidence/sealed-attacks/attacks.long',
].map((name) => `/test/${name}.test.ts`);

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
  (project.name === 'unit' ? 0 : 2) + (SLOW.some((file) => moduleId.endsWith(file)) ? 0 : 1);
