import type { Scope, ScopeNotice } from '../../../schema/scope.ts';
import { speaksOfJudge } from './judge-like.ts';

type Shown = Readonly<
  Pick<Scope, 'change' | 'keep' | 'why'> & Partial<Pick<Scope, 'base' | 'baseName'>>
>;

/** How many globs a sentence names. */
const MOST_NAMED = 6;

/** The same beside the notices, one of which says why nothing is known of it; null = that one does. */
export const scopeBeside = (scope: Shown, notices: readonly ScopeNotice[] = []): string | null =>
  notices.some(({ code }) => code === 'nothing_inferred') ? null : scopeSentence(scope);

/** What a goal may change, in words for people. */
export function scopeSentence({ change, keep, why, base, baseName }: Shown): string {
  const since =
    base == null
      ? ''
      : ` since ${baseName === undefined ? '' : `${baseName}, `}${base.slice(0, 12)}`;
  if (change.length === 0) {
    const reasons = why.map(({ reason }) => reason).join('; ');
    return `The goal's work could not be told from its judge: ${reasons}. Name its files as scope.change.`;
  }
  const withReason = (glob: string) => {
    const reason = why.find((one) => one.glob === glob)?.reason;
    return reason === undefined || reason === '' ? glob : `${glob} (${reason})`;
  };
  const judges = change.filter((glob) => speaksOfJudge(glob));
  const except = keep.length === 0 ? '' : `, except ${listed(keep.map(withReason))}`;
  const kept =
    judges.length === 0
      ? 'Tests, expected outputs, schemas, configuration and builds stay the judge’s.'
      : `With ${listed(judges)} it may change what judges it.`;
  return `The goal may change ${listed(change.map(withReason))}${except}${since}. ${kept}`;
}

function listed(parts: readonly string[]): string {
  const named = parts.slice(0, MOST_NAMED);
  const left = parts.length - named.length;
  const all = left > 0 ? [...named, `${left} more`] : named;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
