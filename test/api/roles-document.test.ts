import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { roleSchema } from '../../schema/role.ts';
import { isAllowed, LEAST_ROLES, type OperationId } from '../../src/api/roles.ts';
import { createApi } from './calls.ts';

type Paths = Record<string, Record<string, { operationId: OperationId }>>;

/** Speaks another protocol than the document describes. */
const UNDESCRIBED: Partial<Record<OperationId, string>> = { useMcp: 'POST /mcp' };

/** One line an operation, in the order of the role table. */
async function tableOfRoles(): Promise<string[]> {
  const { call } = createApi();
  const { paths } = (await call('GET /openapi.json')).body as { paths: Paths };
  const requests = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`] as const,
      ),
    ),
  );
  return (Object.keys(LEAST_ROLES) as OperationId[]).map((operation) => {
    const marks = roleSchema.options.map((role) => (isAllowed(role, operation) ? 'yes' : '–'));
    return `| \`${requests.get(operation) ?? UNDESCRIBED[operation]}\` | ${marks.join(' | ')} |`;
  });
}

test('docs/roles.md says of every operation which roles may call it', async () => {
  const document = await readFile(new URL('../../docs/roles.md', import.meta.url), 'utf8');
  const written = document.split('\n').filter((line) => /^\| `[A-Z]+ \//.test(line));
  expect(written).toEqual(await tableOfRoles());
});
