import type { Column } from 'postgres';
import ts from 'typescript';

/** How the store's driver gives the types of PostgreSQL; all others are text. */
const KINDS: Readonly<Record<number, Kind>> = {
  16: 'boolean',
  17: 'bytes',
  20: 'number',
  21: 'number',
  23: 'number',
  114: 'json',
  700: 'number',
  701: 'number',
  3802: 'json',
};

type Kind = 'boolean' | 'bytes' | 'number' | 'json' | 'string';

/** What the type of the rows says and the result doesn't hold. */
export function rowProblems(
  row: ts.Type,
  columns: readonly Column<string>[],
  checker: ts.TypeChecker,
): string[] {
  const known = new Map(columns.map(({ name, type }) => [name, KINDS[type] ?? 'string'] as const));
  return checker.getPropertiesOfType(row).flatMap((property) => {
    const kind = known.get(property.name);
    if (kind === undefined) return [`the result has no column "${property.name}"`];
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
    if (fits(type, kind, checker)) return [];
    return [`"${property.name}" is ${kind}, not ${checker.typeToString(type)}`];
  });
}

function fits(type: ts.Type, kind: Kind, checker: ts.TypeChecker): boolean {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return true;
  if (kind === 'json') return true;
  if (kind === 'bytes') return type.getProperty('byteLength') !== undefined;
  const plain = {
    boolean: checker.getBooleanType(),
    number: checker.getNumberType(),
    string: checker.getStringType(),
  }[kind];
  return checker.isTypeAssignableTo(type, plain);
}
