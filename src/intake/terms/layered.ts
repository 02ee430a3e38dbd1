/**
 * What `over` says, and where it says nothing what `under` says. Objects are laid field by field;
 * a list or a value takes the other's place as a whole.
 */
export function layered<Value>(under: Value, over: Value): Value {
  if (over === undefined) return under;
  if (!isRecord(under) || !isRecord(over)) return over;
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  const fields = [...names].map(
    (name) => [name, layered(ownOf(under, name), ownOf(over, name))] as const,
  );
  return Object.fromEntries(fields) as Value;
}

/** No name leads to what all objects have. */
const ownOf = (fields: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
