import { bareStatement } from '../expected.ts';
import { endOfLine } from '../lines.ts';
import { endOutside } from '../spans.ts';

/** What the line itself walks or asks, if it does. */
export function headOf(text: string, begin: number): string {
  const own = text.slice(begin, endOfLine(text, begin));
  const bare = bareStatement(own);
  const [walks] = /^\s*(?:for|if|while)\b\s*(?:(?:await\s*)?\()?/.exec(bare) ?? [];
  return walks === undefined ? '' : own.slice(0, endOutside(bare, walks.length, /:/y));
}
