import { createSupportsHyperlinks } from 'supports-hyperlinks';
import { findService } from '../service.ts';

/** The id of a goal as it is shown, which may lead to its page in the console. */
export type GoalLink = (shown: string, goalId: string) => string;

export const unlinked: GoalLink = (shown) => shown;

/** By OSC 8, which takes no column. */
export const linkTo = (url: string): GoalLink => {
  const { origin } = new URL(url);
  return (shown, goalId) => {
    const address = `${origin}/goals/${encodeURIComponent(goalId)}`;
    return `\u001b]8;;${address}\u0007${shown}\u001b]8;;\u0007`;
  };
};

/** Only where a terminal says that it can: files, pipes and plain lines get no links. */
export function goalLinkOn(stream: NodeJS.WriteStream): GoalLink {
  if (stream.isTTY !== true || !createSupportsHyperlinks(stream)) return unlinked;
  try {
    return linkTo(findService(process.env).url);
  } catch {
    return unlinked;
  }
}
