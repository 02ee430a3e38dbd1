import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** One line of attempts.md. */
export interface Attempt {
  readonly id: string;
  readonly class: string;
  readonly who: string;
  readonly wants: string;
  readonly how: string;
  readonly holds: string;
  /** Named in docs/security.md, "What is out". */
  readonly isKnownOut: boolean;
}

/** As whom the service runs, and whether its commands have a sandbox. */
export interface Mode {
  readonly user: 'root' | 'ordinary';
  readonly sandbox: boolean;
}

/** `documented`: out, and docs/security.md says so. */
export type Outcome = 'held' | 'out' | 'documented' | 'skipped';

export interface Told {
  readonly class: string;
  readonly id: string;
  readonly mode: string;
  readonly outcome: Outcome;
  /** How many things were tried under this id. */
  readonly times: number;
}

/** Where outcomes go, for the table at the end. */
export const TOLD = 'GOALKEEPER_TEST_ATTEMPTS';

export const nameOf = ({ user, sandbox }: Mode): string =>
  `${user}, ${sandbox ? 'sandbox' : 'no sandbox'}`;

export function readAttempts(): Attempt[] {
  const lines = readFileSync(new URL('./attempts.md', import.meta.url), 'utf8').split('\n');
  let name = '';
  return lines.flatMap((line) => {
    name = /^## (\w+):/.exec(line)?.[1] ?? name;
    const [, id = '', star, rest = ''] = /^\| ([A-Z]{3}-\d+)(\*?) \| (.*) \|$/.exec(line) ?? [];
    const [who, wants, how, holds] = rest.split(' | ');
    if (!who || !wants || !how || !holds) return [];
    return [{ id, class: name, who, wants, how, holds, isKnownOut: star === '*' }];
  });
}

/**
 * Throws where the attempt got through. What it returns is how many things it tried (1 unless
 * told), or why this machine can't try it.
 */
export type Play = () => Promise<number | string>;

/** One test for each attempt of the class; each has to be played or to be named as left to others. */
export function playClass(name: string, mode: Mode, plays: Readonly<Record<string, Play>>): void {
  const attempts = readAttempts().filter((attempt) => attempt.class === name);
  describe(`${name} (${nameOf(mode)})`, () => {
    for (const attempt of attempts) {
      test(`${attempt.id} ${attempt.who} wants ${attempt.wants}: ${attempt.how}`, async () => {
        const play = plays[attempt.id];
        if (play === undefined) throw new Error('nobody plays it');
        await tell(attempt, mode, play);
      });
    }
    test('no play lacks its line in attempts.md', () => {
      const known = attempts.map(({ id }) => id);
      expect(Object.keys(plays).filter((id) => !known.includes(id))).toEqual([]);
    });
  });
}

/** A service of root's gives commands another user, who has no sandbox but may do less. */
function isHeld(holds: string, { user, sandbox }: Mode): boolean {
  if (sandbox || !/in the sandbox/.test(holds)) return true;
  return user === 'root' && /in the sandbox, or with another user/.test(holds);
}

async function tell(attempt: Attempt, mode: Mode, play: Play): Promise<void> {
  const isPromised = !attempt.isKnownOut && isHeld(attempt.holds, mode);
  const write = (outcome: Outcome, times = 1) => {
    const told: Told = {
      ...{ class: attempt.class, id: attempt.id, mode: nameOf(mode) },
      ...{ outcome, times },
    };
    const file = process.env[TOLD];
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(told)}\n`);
  };
  try {
    const played = await play();
    if (typeof played === 'string') write('skipped');
    else write('held', played);
  } catch (error) {
    write(isPromised ? 'out' : 'documented');
    if (isPromised) throw error;
    return;
  }
  if (attempt.isKnownOut) throw new Error('it holds: take it out of "What is out"');
}
