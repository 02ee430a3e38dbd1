const tagPatterns = new Map<string, RegExp>();

/** The pattern also matches with invisible characters between the letters. */
function tagPattern(name: string): RegExp {
  const known = tagPatterns.get(name);
  if (known !== undefined) return known;
  const letters = [...name].join('\\p{Cf}*');
  const made = new RegExp(`[<＜﹤](?=[\\s\\p{Cf}]*/?[\\s\\p{Cf}]*${letters}(?![a-z0-9]))`, 'giu');
  tagPatterns.set(name, made);
  return made;
}

/** Takes the beginning of each such tag away. */
export const withoutTags = (text: string, names: readonly string[]): string =>
  names.reduce((safe, name) => safe.replace(tagPattern(name), '&lt;'), text);
