import type { ToolContext } from './tool.ts';

/**
 * Tells which files a search may show. Files that the policy denies stay hidden. Files that need
 * approval stay hidden too, unless the search named such a place and was approved.
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
