/** Values by the name of the parameter. */
export type Values = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Texts that people and models read, and nothing runs or looks up. */
const PROSE: ReadonlySet<string> = new Set(['objective', 'text', 'rubric', 'question']);

/** One word that no shell, glob or pattern reads as anything else; never an option. */
const PLAIN = /^[\w@%+:,./][\w@%+=:,./-]*$/;

/** A folder above, as a part of a path; `main..topic` is none. */
const UPWARD = /(?<![\w.])\.\.(?![\w.])/g;

/** A value that can't be filled in; `place` is where in the template. */
export interface Unfilled {
  readonly parameter: string;
  readonly place: string;
  readonly why: 'unset' | 'not_plain';
}

export type Filled =
  | { readonly content: unknown; readonly unfilled: null }
  | { readonly content: null; readonly unfilled: Unfilled };

/**
 * The template with its parameters' values. Prose takes any text; wherever else a parameter stands,
 * as in a command or a path, its value has to be one plain word: whoever sets it, from the title of
 * an issue perhaps, writes no commands and leaves no folder.
 */
export function fillTemplate(template: unknown, values: Values): Filled {
  const missing: Unfilled[] = [];
  const content = mapTexts(template, [], (text, path) => {
    const filled = text.replace(PLACEHOLDER, (whole, parameter: string) => {
      const value = Object.hasOwn(values, parameter) ? values[parameter] : undefined;
      const why =
        value === undefined
          ? 'unset'
          : isProse(path) || PLAIN.test(value)
            ? null
            : ('not_plain' as const);
      if (why === null) return value ?? whole;
      missing.push({ parameter, place: path.join('.'), why });
      return whole;
    });
    // Of the whole text: two harmless values, or one beside the template's own dots, may make one.
    if (!isProse(path) && upwards(filled) > upwards(text)) {
      const [, parameter = ''] = new RegExp(PLACEHOLDER.source).exec(text) ?? [];
      missing.push({ parameter, place: path.join('.'), why: 'not_plain' });
    }
    return filled;
  });
  const [first] = missing;
  return first === undefined ? { content, unfilled: null } : { content: null, unfilled: first };
}

/** Does a text in it, at any depth, wait for a parameter? */
export function hasParameter(value: unknown): boolean {
  let isFound = false;
  mapTexts(value, [], (text) => {
    isFound ||= text.search(PLACEHOLDER) >= 0;
    return text;
  });
  return isFound;
}

const upwards = (text: string): number => text.match(UPWARD)?.length ?? 0;

/** A list's items are what the list is. */
const isProse = (path: readonly string[]): boolean =>
  PROSE.has(path.filter((name) => !/^\d+$/.test(name)).at(-1) ?? '');

function mapTexts(
  value: unknown,
  path: readonly string[],
  change: (text: string, path: readonly string[]) => string,
): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) {
    return value.map((item, index) => mapTexts(item, [...path, String(index)], change));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, [...path, name], change)]),
  );
}
