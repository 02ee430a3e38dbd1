import type { ProblemCode } from '../../schema/problem.ts';

/** An input's problem; the API turns it into a refusal, a tool into a sentence for the model. */
export interface Issue {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A value as the record keeps it, or the first thing that is wrong. */
export type Resolved<Value> =
  | { readonly value: Value; readonly issue: null }
  | { readonly value: null; readonly issue: Issue };

export const resolved = <Value>(value: Value): Resolved<Value> => ({ value, issue: null });

export const unresolved = (issue: Issue): Resolved<never> => ({ value: null, issue });

/** One field of a request does not hold what it should. */
export const fieldIssue = (field: string, why: string): Issue => ({
  code: 'invalid_request',
  detail: `${field}: ${why}`,
  data: { field },
});

/** The same issue of a part of the request. */
export const issueAt = (place: string, { code, detail, data }: Issue): Issue => {
  const { field } = data;
  const at = typeof field === 'string' ? { field: `${place}.${field}` } : { field: place };
  return { code, detail: `${place}: ${detail}`, data: { ...data, ...at } };
};

/** The first issue, in the order in which the checks stand; later checks are not asked. */
export function firstIssue(...checks: readonly (() => Issue | null)[]): Issue | null {
  for (const check of checks) {
    const issue = check();
    if (issue !== null) return issue;
  }
  return null;
}

/** The first issue of a list's items; `field` of an item ends with its index. */
export function issueIn<Item>(
  items: readonly Item[],
  field: string,
  check: (item: Item, field: string) => Issue | null,
): Issue | null {
  for (const [index, item] of items.entries()) {
    const issue = check(item, `${field}.${index}`);
    if (issue !== null) return issue;
  }
  return null;
}
