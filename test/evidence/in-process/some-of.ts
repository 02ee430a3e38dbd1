/** Each play takes seconds: so many are played always, all of them with GOALKEEPER_TRICKS=all. */
export const someOf = <One>(all: readonly One[], always: number): readonly One[] =>
  process.env.GOALKEEPER_TRICKS === 'all' ? all : all.slice(0, always);
