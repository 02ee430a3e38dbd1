/** A line that a person types at the foot of the screen. */
export interface TypedLine {
  readonly asks: string;
  readonly text: string;
}

export type AfterKey =
  | { readonly state: 'typing'; readonly line: TypedLine }
  | { readonly state: 'sent'; readonly text: string }
  | { readonly state: 'left' };

const ESCAPE = '\u001b';
const BACKSPACES = ['\u007f', '\b'];

/** The line with what was typed or pasted; Enter sends it, Esc leaves it. */
export function afterKey(line: TypedLine, input: string): AfterKey {
  if (input === ESCAPE) return { state: 'left' };
  if (input.startsWith(ESCAPE)) return { state: 'typing', line };
  if (BACKSPACES.includes(input)) {
    const text = [...line.text].slice(0, -1).join('');
    return { state: 'typing', line: { ...line, text } };
  }
  const end = input.search(/[\r\n]/);
  const added = end < 0 ? input : input.slice(0, end);
  const text = line.text + added.replaceAll(/\p{Control}/gu, '');
  return end < 0 ? { state: 'typing', line: { ...line, text } } : { state: 'sent', text };
}
