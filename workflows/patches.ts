/**
 * Changes to workflow code that running goals must not meet half-way: `patched(id)` guards each.
 * A flag leaves when no goal that began before it can still run.
 */
export const PATCHES = {} as const satisfies Record<string, { since: string; why: string }>;
