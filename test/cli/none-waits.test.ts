import { expect, test } from 'vitest';
import type { SentMessage } from '../../schema/sent-message.ts';
import { noneWaitsText } from '../../src/cli/commands/mutate.ts';

const message: SentMessage = {
  ...{ messageId: 'm-1', text: 'Look.', voice: 'person', sentBy: 'ada', delivery: 'steer' },
  ...{ sentAt: '2026-11-30T02:00:00.000Z', state: 'read', turn: 4, files: [] },
  ...{ takenBackBy: null, takenBackAt: null },
};
const takenBack: SentMessage = {
  ...{ ...message, state: 'taken_back', turn: null, takenBackBy: 'bea' },
  takenBackAt: '2026-11-30T02:00:01.000Z',
};

test('TERM-93 where no message waits, take-back says what came of the newest', () => {
  expect(noneWaitsText([])).toBe('none was sent');
  expect(noneWaitsText([message, takenBack])).toBe('turn 4 read the newest');
  expect(noneWaitsText([takenBack, message])).toBe('the newest was taken back by bea');
});
