import type { Call } from '../../api/types.ts';

export type LoadedCall = Call & { readonly text: string | null };
