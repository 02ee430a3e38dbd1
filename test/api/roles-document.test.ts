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

test('the document says what is text, and which bodies may be left out', async () => {
  const { call } = createApi();
  const { paths } = (await call('GET /openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Described>>;
  };
  const output = paths['/v1/goals/{goalId}/ledger/{seq}/output']?.get;
  expect(Object.keys(output?.responses[200]?.content ?? {})).toEqual(['text/plain']);
  const needsBody = (path: string, method: string) => paths[path]?.[method]?.requestBody?.required;
  expect(needsBody('/v1/goals/{goalId}/clear', 'post')).toBe(false);
  expect(needsBody('/v1/goals', 'post')).toBe(true);
  expect(needsBody('/v1/session', 'post')).toBe(true);
});

interface Described {
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Record<number, { readonly content?: object }>;
}
