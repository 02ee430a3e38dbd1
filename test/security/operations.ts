import { readFileSync } from 'node:fs';
import type { Service } from './service.ts';

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With the parameters in braces. */
  readonly path: string;
  readonly isOpen: boolean;
  /** Whether it speaks without end once it answers. */
  readonly isStream: boolean;
}

interface Described {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** All that the OpenAPI document names. */
export async function operationsOf(service: Service): Promise<Operation[]> {
  const { body } = await service.call('GET /openapi.json', { as: null });
  const paths = Object.entries(body.paths as Record<string, Record<string, Described>>);
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => ({
      ...{ id: operationId, method: method.toUpperCase(), path },
      isOpen: OPEN.some((open) => open === `${method.toUpperCase()} ${path}`),
      isStream: 'text/event-stream' in (responses['200']?.content ?? {}),
    })),
  );
}

/** What docs/roles.md and docs/identities.md say needs no token. */
const OPEN = [
  'GET /healthz',
  'GET /readyz',
  'POST /v1/session',
  'DELETE /v1/session',
  'GET /v1/session/methods',
  'GET /v1/oidc/login',
  'GET /v1/oidc/callback',
  'POST /v1/oidc/logout',
  // A delivery's signature says whose it is.
  'POST /v1/hooks/{triggerId}',
];

/** The path with these in the place of its parameters; an id of nothing where none is given. */
export const fill = (path: string, given: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? NOTHING[name] ?? '1');

const NOTHING: Readonly<Record<string, string>> = {
  goalId: 'g-0000000000000000',
  threadId: 'nobody-s-thread',
  name: 'nobody',
};

/** By `METHOD /path`, the roles that docs/roles.md lets in. */
export function documentedRoles(): ReadonlyMap<string, ReadonlySet<string>> {
  const text = readFileSync(new URL('../../docs/roles.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z]+ \/\S+)` \| (.+) \|$/gm)];
  const roles = ['viewer', 'agent', 'operator', 'admin'];
  return new Map(
    rows.map(([, request = '', marks = '']) => {
      const given = marks.split(' | ');
      return [request, new Set(roles.filter((_, index) => given[index] === 'yes'))] as const;
    }),
  );
}
