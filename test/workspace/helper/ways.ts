import { hasNamespaces } from '../../../src/sandbox/namespace.ts';

/** How a helper can be started, by what decides so. */
export const WAYS = { numbered: hasNamespaces, session: async () => false };

export type Way = keyof typeof WAYS;

/** Where nobody can have process numbers of its own, all is tried as a session only. */
export const ways: readonly Way[] = (await hasNamespaces()) ? ['numbered', 'session'] : ['session'];
