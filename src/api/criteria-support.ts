import type { CommandCriterion, Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import { Refusal } from '../goal/errors.ts';
import { whyUncheckable } from '../goal/shell/checkable.ts';
import { loadShellParser } from '../shell/parse.ts';

/** Criteria as the record keeps them, or a refusal that names the first that can't be kept. */
export async function trackCriteria(specs: readonly Criterion[]): Promise<TrackedCriterion[]> {
  await assertSupported(specs);
  return specs.map((spec, index) => ({
    criterionId: `c${index + 1}`,
    spec,
    state: 'unmet',
    baseline: 'not_run',
    origin: 'caller',
    receipts: [],
  }));
}

export async function assertSupported(specs: readonly Criterion[]): Promise<void> {
  for (const [index, spec] of specs.entries()) await assertOne(spec, `criteria.${index}`);
}

async function assertOne(spec: Criterion, field: string): Promise<void> {
  if (spec.kind === 'approval') return;
  if (spec.kind !== 'command') {
    throw unsupported(
      `${field}.kind`,
      `Criteria of kind ${spec.kind} are not supported; command and approval are.`,
    );
  }
  if (spec.check !== undefined && spec.check !== 'rerun') {
    throw unsupported(`${field}.check`, `check "${spec.check}" is not supported; "rerun" is.`);
  }
  for (const name of ['setup', 'scope'] as const) {
    if (spec[name] !== undefined) {
      throw unsupported(`${field}.${name}`, `${name} has no meaning for check "rerun".`);
    }
  }
  await assertCheckable(spec, field);
}

/** What can't fail, doesn't parse or looks elsewhere would carry a goal to an end that nobody saw. */
async function assertCheckable(spec: CommandCriterion, field: string): Promise<void> {
  const parse = await loadShellParser();
  const found = whyUncheckable(parse(spec.command), spec);
  if (found === null) return;
  const at = `${field}.${found.field}`;
  throw new Refusal('invalid_request', `${at} proves nothing: ${found.reason}`, { field: at });
}

function unsupported(field: string, detail: string): Refusal {
  return new Refusal('unsupported', detail, { field });
}
