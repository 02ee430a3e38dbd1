import { withoutLineEnds } from '../record/foreign-text.ts';

const OTHERS = /^(.*?(?:its output ends with|the reviewer says):) (.*)$/isu;

/**
 * A reason on one line of the host's words. What a command printed or a reviewer wrote in it stands
 * in quotes to its end, so that it can't go on in the host's words.
 *
 * @param most characters, without the quotes and what they escape
 */
export function reasonLine(reason: string, most: number): string {
  const line = withoutLineEnds(reason.slice(0, most));
  const [, said, others] = OTHERS.exec(line) ?? [];
  return said === undefined ? line : `${said} ${JSON.stringify(others)}`;
}
