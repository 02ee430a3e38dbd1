import {
  MOST_REQUIREMENTS,
  type Requirement,
  type RequirementInput,
} from '../../../schema/requirement.ts';
import type { RequirementChange } from '../../contract/requirements.ts';

/** What a person asks for. */
export interface RequirementEdits {
  readonly requirements?: readonly RequirementInput[] | undefined;
  readonly removeRequirements?: readonly string[] | undefined;
}

const plain = (text: string): string => text.trim().replace(/\s+/gu, ' ').toLowerCase();

export const isSameText = (left: string, right: string): boolean => plain(left) === plain(right);

const numberOf = (requirementId: string): number => Number(requirementId.slice(1)) || 0;

/**
 * Adds what is new, with ids that no requirement of the goal ever had. What stands in the list
 * already, and what is too much, is left out.
 *
 * @param newest highest number of an id so far
 * @param by who names them
 */
export function addRequirements(
  known: readonly Requirement[],
  wanted: readonly RequirementInput[],
  newest: number,
  by: Pick<Requirement, 'setBy' | 'late'>,
): Requirement[] {
  const list = [...known];
  let last = newest;
  for (const { text, criteria = [] } of wanted) {
    if (list.length >= MOST_REQUIREMENTS) break;
    if (list.some((one) => isSameText(one.text, text))) continue;
    last += 1;
    list.push({ requirementId: `R${last}`, text, criteria: [...new Set(criteria)], ...by });
  }
  return list;
}

/** What a person adds, changes and removes; the others stay as they are. */
export function editRequirements(
  known: readonly Requirement[],
  { requirements = [], removeRequirements: removed = [] }: RequirementEdits,
  newest: number,
): Requirement[] {
  const changes = requirements.flatMap(({ requirementId, text, criteria }): RequirementChange[] => {
    const before = known.find((one) => one.requirementId === requirementId);
    if (requirementId === undefined || before === undefined) return [];
    const to = { text, criteria: [...new Set(criteria ?? before.criteria)] };
    return isSame(before, to) ? [] : [{ requirementId, to }];
  });
  const removals = removed.map((requirementId) => ({ requirementId, to: null }));
  const added = requirements.filter(({ requirementId }) => requirementId === undefined);
  return addRequirements(applyChanges(known, [...removals, ...changes]), added, newest, {
    setBy: 'person',
  });
}

/** The list after changes that a person accepted; what is gone meanwhile stays gone. */
export function applyChanges(
  known: readonly Requirement[],
  changes: readonly RequirementChange[],
): Requirement[] {
  return known.flatMap((one): Requirement[] => {
    const change = changes.find(({ requirementId }) => requirementId === one.requirementId);
    if (change === undefined) return [one];
    const { requirementId } = one;
    return change.to === null ? [] : [{ requirementId, ...change.to, setBy: 'person' }];
  });
}

export const newestNumber = (ids: readonly string[]): number => Math.max(0, ...ids.map(numberOf));

export const isSame = (
  left: Pick<Requirement, 'text' | 'criteria'>,
  right: Pick<Requirement, 'text' | 'criteria'>,
): boolean => left.text === right.text && isSameSet(left.criteria, right.criteria);

const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((id) => right.includes(id));

/** What a person reads before they decide; one line a change. */
export function describeChanges(
  known: readonly Requirement[],
  changes: readonly RequirementChange[],
): string[] {
  return changes.map(({ requirementId, to }) => {
    const before = known.find((one) => one.requirementId === requirementId);
    const said = before === undefined ? '' : ` "${before.text}"${boundTo(before.criteria)}`;
    if (to === null) return `remove ${requirementId}${said}`;
    return `${requirementId}${said} becomes "${to.text}"${boundTo(to.criteria)}`;
  });
}

const boundTo = (criteria: readonly string[]): string =>
  criteria.length === 0 ? ' (checked by nobody)' : ` (checked by ${criteria.join(', ')})`;
