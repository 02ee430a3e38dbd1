import { SpanKind } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { type EndedSpan, spanningObserver } from '../../src/telemetry/goal-spans.ts';
import {
  goalSpanIdOf,
  readTraceparent,
  traceparentOf,
  turnSpanIdOf,
} from '../../src/telemetry/trace-ids.ts';

const CALLER = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: 1,
};
const HEADER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function watched() {
  const spans: EndedSpan[] = [];
  let clock = 1000;
  const observer = spanningObserver({
    now: () => {
      clock += 10;
      return clock;
    },
    end: (span) => spans.push(span),
    acceptanceOf: async () => ({ at: 500, caller: CALLER }),
  });
  return { spans, observer };
}

const step = {
  goalId: 'g-1',
  turn: 2,
  kind: 'turn',
  step: 1,
  attempt: 1,
  model: 'openai/x',
} as const;
const end = { outcome: 'committed', finishReason: 'stop', usage: null };

test('TRC-1 a step is a span of its turn, with the names of generative AI', () => {
  const { spans, observer } = watched();
  observer.stepBegun?.(step);
  observer.stepEnded?.(step, end);
  expect(spans).toMatchObject([
    {
      name: 'chat openai/x',
      kind: SpanKind.CLIENT,
      parentId: turnSpanIdOf('g-1', 2),
      begunAt: 1010,
      endedAt: 1020,
      hasFailed: false,
      attributes: {
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'x',
        'gen_ai.response.finish_reasons': ['stop'],
      },
    },
  ]);
});

test('TRC-2 what began in another worker has the same id here, and no wrong length', () => {
  const [first, second] = [watched(), watched()];
  first.observer.stepBegun?.(step);
  first.observer.stepEnded?.(step, end);
  second.observer.stepEnded?.(step, { ...end, outcome: 'lost' });
  const [lost] = second.spans;
  expect(lost?.spanId).toBe(first.spans[0]?.spanId);
  expect(lost).toMatchObject({ hasFailed: true, attributes: { 'error.type': 'lost' } });
  expect(lost?.begunAt).toBe(lost?.endedAt);
});

test('TRC-3 a goal that is complete is the first span of its trace, from when it was accepted', async () => {
  const { spans, observer } = watched();
  observer.goalCompleted?.('g-1');
  await expect.poll(() => spans.length).toBe(1);
  expect(spans[0]).toMatchObject({
    spanId: goalSpanIdOf('g-1'),
    parentId: null,
    begunAt: 500,
    caller: CALLER,
  });
  expect(traceparentOf('g-1')).toMatch(new RegExp(`^00-[0-9a-f]{32}-${goalSpanIdOf('g-1')}-01$`));
});

test.each([
  ['the first version', HEADER, CALLER],
  ['a later version with more parts', `01${HEADER.slice(2)}-more`, CALLER],
  ['the first version with more parts', `${HEADER}-more`, null],
  ['a version that is never one', `ff${HEADER.slice(2)}`, null],
  ['a trace of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, null],
  ['a span of zeros', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, null],
  ['capitals', HEADER.toUpperCase(), null],
  ['two headers', [HEADER, HEADER], null],
  ['none', undefined, null],
])('TRC-5 of traceparent, %s is read as W3C Trace Context says', (_, header, context) => {
  expect(readTraceparent(header)).toEqual(context);
});
