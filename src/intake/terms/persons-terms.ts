import type { Budget } from '../../../schema/budget.ts';
import type { StartGoal } from '../../../schema/goal.ts';
import type { Policy } from '../../../schema/policy.ts';
import type { Principal } from '../../../schema/role.ts';
import { resolveBudget } from '../budget.ts';
import type { Issue } from '../issue.ts';
import { personsSettingIssue } from '../persons-settings.ts';
import { sealedByProgram } from '../sealed.ts';
import { layered } from './layered.ts';

/** What a goal of this service has that names nothing itself. */
export interface Base {
  readonly policy: Policy;
  readonly budget: Budget;
}

/** One thing that is asked for, by its place in the start. */
export interface Term {
  readonly place: string;
  readonly value: unknown;
}

type Asked = Partial<StartGoal>;

/** A repository's file is a text that anybody may have written: it may ask what a program may. */
const REPOSITORY: Principal = { role: 'agent', name: 'repository' };

/** Those of the terms that only a person may set, judged as a program's would be. */
export const personsTerms = (asked: Asked, base: Base): Term[] =>
  partsOf(asked).flatMap(({ place, value, part }) =>
    issueOf(part, base) === null ? [] : [{ place, value }],
  );

/** The terms that are not the person's own words: no flag says the same. */
export const termsBeside = (flags: Asked, asked: Asked): Asked =>
  partsOf(asked).reduce<Asked>((rest, { place, value, part }) => {
    const own = partsOf(flags).find((one) => one.place === place);
    const isOwn = own !== undefined && JSON.stringify(own.value) === JSON.stringify(value);
    return isOwn ? rest : layered(rest, part);
  }, {});

function issueOf(part: Asked, { policy, budget }: Base): Issue | null {
  // Beyond a limit of the service's own is what a program may not ask.
  const beyond = resolveBudget(part.budget, budget, { ...budget, deadline: null }).issue;
  return (
    personsSettingIssue(REPOSITORY, part, policy) ??
    sealedByProgram(REPOSITORY, part.criteria ?? []) ??
    beyond
  );
}

interface Part extends Term {
  readonly part: Asked;
}

/** Settings of a policy and limits of a budget are asked for one by one, all else as a whole. */
function partsOf({ policy = {}, budget = {}, ...whole }: Asked): Part[] {
  const inside = (field: 'policy' | 'budget', fields: object) =>
    Object.entries(fields).map(([name, value]) => ({
      place: `${field}.${name}`,
      value,
      part: { [field]: { [name]: value } } as Asked,
    }));
  const plain = Object.entries(whole).map(([place, value]) => ({
    place,
    value,
    part: { [place]: value } as Asked,
  }));
  const all = [...plain, ...inside('policy', policy), ...inside('budget', budget)];
  return all.filter(({ value }) => value !== undefined);
}
