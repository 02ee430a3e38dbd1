import { poolOf } from '../process/machine.ts';

/** Whose workspaces lie where this command runs. */
export const ownPool = (): string => poolOf({ pool: process.env.GOALKEEPER_POOL || null });
