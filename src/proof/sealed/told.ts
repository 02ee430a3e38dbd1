import type { SealedCriterion, SealedHint } from '../../../schema/criteria.ts';
import type { SealedTold } from '../../contract/sealed.ts';
import type { TestReport } from '../../contract/test-report.ts';
import { withoutLineEnds } from '../../record/foreign-text.ts';

/** Trees of one goal that a sealed criterion judges: each answer tells the model a little of it. */
export const MOST_JUDGED = 20;

const LONGEST_HINT = 200;

/** The criterion as everybody may see it, whatever a caller wrote there. */
export const toldCriterion = (
  sealedId: string,
  { name, checks, description, hint }: SealedTold,
): SealedCriterion => ({ kind: 'sealed', name, sealedId, checks, description, hint });

/**
 * What the model learns of an unmet criterion beside that. The code under test runs beside the
 * sealed files and can make up tests with their content as names, so a name is told only if the run
 * on the original, where nothing of that code was, had it. A message is whatever the test process
 * says; a caller who allows it allows that.
 */
export function hintOf(
  allowed: SealedHint,
  report: TestReport | null,
  original: TestReport | null,
): string | null {
  if (allowed === 'none' || report === null) return null;
  const known = new Set([...(original?.passed ?? []), ...(original?.failed ?? [])]);
  const name = report.failed.find((one) => known.has(one));
  const message = allowed === 'message' ? report.messages?.find((one) => one !== '') : undefined;
  const parts = [
    ...(name === undefined ? [] : [`the test "${withoutFile(name)}" fails`]),
    ...(message === undefined ? [] : [message]),
  ];
  return parts.length === 0 ? null : shortLine(parts.join(': '));
}

/** The file's own name was not allowed. */
const withoutFile = (name: string): string => name.split(' > ').slice(1).join(' > ') || 'of a file';

const shortLine = (text: string): string =>
  withoutLineEnds(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_HINT);
