import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMasker } from '../../src/secrets/masker.ts';
import { failingWithoutSecrets } from '../../src/temporal/activity-guard.ts';
// @ts-expect-error The SDK loads it with `require`, so it is no TypeScript.
import { failureConverter } from '../../src/temporal/failure-converter.cjs';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';

const SECRET = `ghp_${'Q7'.repeat(18)}`;
/** Of Temporal, for what an activity failed with last. */
const TAKEN = 4096;
/** What the codec, types and marks add to each failure. */
const AROUND = 350;

interface Sent {
  readonly encodedAttributes: { readonly data: Uint8Array };
  readonly applicationFailureInfo?: { readonly type?: string };
  readonly cause?: Sent;
}

const sent = (error: unknown): Sent =>
  failureConverter.errorToFailure(error, defaultPayloadConverter);
const received = (failure: Sent): ApplicationFailure =>
  failureConverter.failureToError(failure, defaultPayloadConverter);
const bytesOf = ({ encodedAttributes, applicationFailureInfo, cause }: Sent): number =>
  AROUND +
  encodedAttributes.data.length +
  Buffer.byteLength(applicationFailureInfo?.type ?? '') +
  (cause === undefined ? 0 : bytesOf(cause));

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(
    {},
    {
      wrapPorts: (ports) => ({
        ...ports,
        journal: {
          ...ports.journal,
          openTurn: () =>
            Promise.reject(new Error(`The disk of ${'x '.repeat(40_000)} is full of ${SECRET}`)),
        },
      }),
    },
  );
});
afterAll(() => goals.world.close());

test('STUCK-4 a failure that is too long for Temporal is told at the goal by its first and last words, with how much went, and without secrets', async () => {
  const goalId = await goals.start('waits');
  const { activity } = await goals.world.until(
    goalId,
    ({ activity }) => activity.on === 'execution',
  );
  expect(activity.reason).toMatch(
    /^runTurn failed \d+ times: The disk of x .* \[… \d+ characters left out …\] .* is full of \S+; mend/,
  );
  expect(activity.reason).not.toContain('exceeds size limit');
  expect(activity.reason).not.toContain('Q7');
});

test('STUCK-5 whatever fails, with whatever causes, keeps its type and its first and last words in what Temporal takes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc
      .tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 1, max: 3000 }))
      .map(([unit, times]) => unit.repeat(times).slice(0, 12_000)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }), (chain) => {
      const error = chain.reduceRight<Error | undefined>(
        (cause, [message, type]) =>
          ApplicationFailure.create({ message, type, ...(cause && { cause }) }),
        undefined,
      );
      const failure = sent(error);
      expect(bytesOf(failure)).toBeLessThanOrEqual(TAKEN);
      const back = received(failure);
      expect(back.type).toBe(chain[0]?.[1].slice(0, 60));
      const message = chain[0]?.[0] ?? '';
      const isWhole = back.message === message;
      expect(isWhole || message.length > 90).toBe(true);
      const [first, last] = back.message.split(/ \[… \d+ characters left out …\] /);
      expect(message.startsWith(first ?? '-') && message.endsWith(last ?? '')).toBe(true);
      // What was received and is passed on stays as it was.
      expect(received(sent(back)).message).toBe(back.message);
    }),
    // More characters than the other one, and fewer bytes.
    {
      numRuns: 40,
      examples: [
        [
          [
            ['\0'.repeat(240), ''],
            ['𐀀'.repeat(117), ''],
          ],
        ],
      ],
    },
  );
  const long = `${'first '.repeat(50)}${'-'.repeat(3_000_000)}${' last'.repeat(50)}`;
  const { message, stack } = received(sent(new Error(long)));
  expect(message).toMatch(/^first first .* \[… 2\d{6} characters left out …\] .* last last$/s);
  expect(stack).toMatch(/^Error: first .*\n {4}at /s);
});

test('STUCK-5 the details of a refusal keep their code, and are cut only where they are beyond all reading', () => {
  const refusal = (data: object) => {
    const details = [{ code: 'goal_conflict', detail: 'No.', data }];
    return received(sent(ApplicationFailure.create({ message: 'No.', type: 'Refusal', details })));
  };
  const paths = Array.from({ length: 100 }, (_, at) => `src/some/folder/${at}`);
  expect(refusal({ paths }).details).toEqual([
    { code: 'goal_conflict', detail: 'No.', data: { paths } },
  ]);
  const all = Array.from({ length: 100_000 }, (_, at) => `src/some/folder/${at}`);
  const [short] = refusal({ all, text: 'y'.repeat(3_000_000) }).details ?? [];
  expect(short).toMatchObject({ code: 'goal_conflict', detail: 'No.' });
  expect(JSON.stringify(short).length).toBeLessThan(33_000);
});

test('STUCK-6 secrets go out of a failure and its causes before they are cut, a circle of causes too', async () => {
  const inner = new Error(`inside ${SECRET}`);
  const outer = ApplicationFailure.create({
    ...{ message: `outside ${SECRET}`, type: 'Refusal', nonRetryable: true, cause: inner },
    details: [{ detail: SECRET }],
  });
  inner.cause = outer;
  const guard = failingWithoutSecrets(createMasker({}))();
  const failing = guard.inbound?.execute?.({ args: [], headers: {} }, () => Promise.reject(outer));
  const error = await failing?.catch((thrown: unknown) => thrown);
  expect(error).toBe(outer);
  const failure = sent(error);
  expect(JSON.stringify(received(failure).details)).not.toContain('Q7');
  const whole = [received(failure), received(failure).cause as Error];
  expect(whole.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^outside (?!ghp_)/),
    expect.stringMatching(/^inside (?!ghp_)/),
  ]);
  expect(whole.map(({ stack }) => stack).join()).not.toContain('Q7');
});
