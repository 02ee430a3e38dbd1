/** Why a server's schema is not used; `keyword` is the one that goes too far. */
export interface SchemaFault {
  readonly keyword: string;
  readonly why: string;
}

/** Deeper ones would take the stack of whoever walks through them, here or at a provider. */
const MOST_LEVELS = 64;

interface Place {
  readonly value: unknown;
  readonly keyword: string;
  readonly level: number;
}

/** Walks without recursion, so that no depth can harm it. */
export function schemaFault(schema: unknown): SchemaFault | null {
  const open: Place[] = [{ value: schema, keyword: 'inputSchema', level: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value, keyword, level } = at;
    if (typeof value !== 'object' || value === null) continue;
    if (level > MOST_LEVELS) return { keyword, why: `is nested deeper than ${MOST_LEVELS} levels` };
    const isList = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      open.push({ value: inner, keyword: isList ? keyword : name, level: level + 1 });
    }
  }
  return null;
}
