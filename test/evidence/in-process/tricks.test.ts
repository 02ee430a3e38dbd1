import { describe, expect } from 'vitest';
import { type Need, testWith } from '../../support/needs.ts';
import { judgeWork } from './judge-work.ts';
import { OPEN, tricks } from './tricks.ts';

const NOTHING: Need = { what: 'nothing', isThere: true };

describe('code that bends what judges it', () => {
  for (const { name, what, project, work, need = NOTHING } of tricks) {
    const isOpen = OPEN.includes(name);
    testWith(need)(`${isOpen ? 'still passes' : 'is refused'}: ${name}, ${what}`, async () => {
      const { exits0, state, reason } = await judgeWork(project, work);
      expect({ exits0, state }, reason).toEqual({ exits0: true, state: isOpen ? 'met' : 'unmet' });
    });
  }
});
