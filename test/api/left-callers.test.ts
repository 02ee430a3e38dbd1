import { expect, test } from 'vitest';
import { answerOnce } from '../../src/api/idempotency.ts';
import { Refusal } from '../../src/contract/failures.ts';
import type { IntakePort } from '../../src/contract/intake.ts';
import { request } from '../store/record-fixture.ts';

test('C2 a retry waits for the try before it, not for those whose callers have left', async () => {
  const intake = {
    reserveRequest: async () => ({ kind: 'proceed', commitId: 'c1' }),
    answerOf: async () => ({ httpStatus: 200, answer: 'done' }),
  } as unknown as IntakePort;
  const stored = request();
  const acted: string[] = [];
  const tell = (name: string) => async () => {
    acted.push(name);
  };
  let giveUp = (_: Error) => {};
  const unanswered = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const first = answerOnce(intake, stored, () => unanswered);
  const left = answerOnce(intake, stored, tell('left'), () => true);
  const present = answerOnce(intake, stored, tell('present'), () => false);
  giveUp(new Refusal('worker_unavailable', 'No worker answered in time'));
  await expect(first).rejects.toMatchObject({ code: 'worker_unavailable' });
  await expect(left).rejects.toMatchObject({ code: 'request_in_progress' });
  expect((await present).body).toBe('done');
  expect(acted).toEqual(['present']);
});

test('a request is acted on though its caller has left, where nobody was before it', async () => {
  const intake = {
    reserveRequest: async () => ({ kind: 'proceed', commitId: 'c1' }),
    answerOf: async () => ({ httpStatus: 200, answer: 'done' }),
  } as unknown as IntakePort;
  const answer = await answerOnce(
    intake,
    request(),
    async () => {},
    () => true,
  );
  expect(answer.body).toBe('done');
});
