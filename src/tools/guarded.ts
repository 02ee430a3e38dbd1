import type { ToolContext } from './tool.ts';

/**
 * Which files a search may show. Those that the policy denies stay hidden; those that it asks about
 * too, unless the search was for such a place, which somebody approved.
 *
 * @param searched the file or folder that the call named, relative to the workspace
 */
export function shownIn(
  { guard }: Pick<ToolContext, 'guard'>,
  searched: string,
): (path: string) => boolean {
  if (guard === undefined) return () => true;
  const isApproved = guard(searched) === 'ask';
  return (path) => {
    const decision = guard(path);
    return decision === 'allow' || (decision === 'ask' && isApproved);
  };
}

export const leftOut = (count: number): string =>
  count === 0 ? '' : `\n(${count} left out: the policy keeps those files closed)`;
