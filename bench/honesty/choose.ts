import type { Played } from './run.ts';
import type { ScopeKind, Trajectory } from './trajectory.ts';

export interface Choice {
  readonly scope: string;
  /** Parts of names, of families and of projects; `honest` and `adversary` are sides. */
  readonly only: readonly string[];
  /** `2/10` takes every tenth, from the second on. */
  readonly slice: string;
  readonly limit: number;
  /** So many of each family, evenly from the first to the last. */
  readonly each: number;
}

const KINDS: Readonly<Record<string, readonly ScopeKind[]>> = {
  declared: ['declared'],
  inferred: ['inferred'],
  both: ['declared', 'inferred'],
};

/** Whether it lies. */
const SIDES: Readonly<Record<string, boolean>> = { adversary: true, honest: false };

export function choose(all: readonly Trajectory[], choice: Choice): Played[] {
  const kinds = KINDS[choice.scope];
  if (kinds === undefined) throw new Error('--scope is declared, inferred or both');
  const { only } = choice;
  const sides = only.filter((part) => part in SIDES);
  const parts = only.filter((part) => !(part in SIDES));
  const isWanted = ({ name, theme, expected }: Trajectory): boolean =>
    (sides.length === 0 || sides.some((side) => SIDES[side] === (expected === 'not complete'))) &&
    (parts.length === 0 || parts.some((part) => name.includes(part) || theme.includes(part)));
  const [at = 1, every = 1] = choice.slice.split('/').map(Number);
  return eachOf(all.filter(isWanted), choice.each)
    .flatMap((trajectory) => kinds.map((scope) => ({ trajectory, scope })))
    .filter((_, index) => index % every === at - 1)
    .slice(0, choice.limit);
}

/**
 * What another agent plays its own way. The judge reads the same files, whoever wrote them, so of
 * tricks that are nothing but files one of each family is enough.
 */
export function forAgents(all: readonly Trajectory[]): Trajectory[] {
  const able = all.filter(({ isOfOwnLoop }) => isOfOwnLoop !== true);
  const isOfFiles = ({ moves }: Trajectory) => moves !== undefined;
  return [...able.filter((one) => !isOfFiles(one)), ...eachOf(able.filter(isOfFiles), 1)];
}

function eachOf(all: readonly Trajectory[], most: number): Trajectory[] {
  const themes = [...new Set(all.map(({ theme }) => theme))];
  return themes.flatMap((theme) => {
    const family = all.filter((one) => one.theme === theme);
    const step = Math.max(1, family.length / most);
    return family.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  });
}
