import ignore, { type Ignore } from 'ignore';

/** One `.gitignore`, and those above it. From the workspace down, the last opinion decides. */
export interface IgnoreRules {
  readonly above: IgnoreRules | null;
  /** Folder with a trailing slash, or empty. */
  readonly base: string;
  readonly stamp: string;
  readonly matcher: Ignore;
}

export function readRules(
  text: string,
  { above, base, stamp = '' }: Omit<IgnoreRules, 'matcher' | 'stamp'> & { stamp?: string },
): IgnoreRules {
  return { above, base, stamp, matcher: ignore().add(text) };
}

/** Rules of a file that git applies after all `.gitignore` files, such as `info/exclude`. */
export function outermostRules(text: string): IgnoreRules {
  return readRules(text, { above: null, base: '' });
}

/** @param path in a folder that is not ignored; of a folder with a trailing slash */
export function isIgnored(rules: IgnoreRules | null, path: string): boolean {
  for (let one = rules; one !== null; one = one.above) {
    const { ignored, unignored } = one.matcher.test(path.slice(one.base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

const within = new WeakMap<IgnoreRules, Map<string, IgnoreRules>>();

/**
 * The rules as they hold in a folder that is not ignored. Where a file further up ignores the
 * folder itself, one further down took it back: git then judges what lies in it by its own names,
 * and a matcher would ignore it for the folder's sake.
 *
 * @param folder with a trailing slash; the workspace itself is the empty path
 * @returns the same object for the same rules and folder
 */
export function rulesWithin(rules: IgnoreRules | null, folder: string): IgnoreRules | null {
  if (rules === null || folder === '') return rules;
  const above = rulesWithin(rules.above, folder);
  const path = folder.slice(rules.base.length);
  const isTakenBack = path !== '' && rules.matcher.test(path).ignored;
  if (above === rules.above && !isTakenBack) return rules;
  const known = within.get(rules) ?? new Map<string, IgnoreRules>();
  within.set(rules, known);
  const same = known.get(folder);
  if (same !== undefined && same.above === above) return same;
  const matcher = isTakenBack
    ? ignore()
        .add(rules.matcher)
        .add([`!/${escaped(path)}`])
    : rules.matcher;
  const fresh = { ...rules, above, matcher };
  known.set(folder, fresh);
  return fresh;
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\] ]/g, '\\$&');
}
