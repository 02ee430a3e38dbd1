import type { z } from 'zod';
import type { askedModelCallSchema, ModelCall } from '../../../schema/model-call.ts';
import { missingAnswer, secondsOf } from '../../../schema/model-call-words.ts';
import { requestParts } from '../../../schema/request-parts.ts';
import { messageText, OWN_WORDS, speakerOf } from '../../../schema/request-words.ts';
import type { Look } from '../screen/look.ts';
import { compact, dollars, lasting } from '../screen/units.ts';
import { printable } from '../terminal.ts';

export type AskedCall = z.infer<typeof askedModelCallSchema>;

/** A part of what a model was asked or answered. */
export interface Section {
  readonly title: string;
  readonly text: string;
}

/** @param tools whether tools are named alone, or told with all that the model reads of them */
export function sectionsOf(asked: AskedCall, tools: 'named' | 'whole'): Section[] {
  return [...requestSections(asked, tools), ...answerSections(asked)].map(({ title, text }) => ({
    title: printable(title),
    text: printable(text),
  }));
}

function requestSections({ call, request }: AskedCall, tools: 'named' | 'whole'): Section[] {
  if (request === null) return [];
  const toolsText =
    tools === 'named'
      ? request.tools.map(({ name }) => name).join(', ')
      : request.tools
          .map(
            ({ name, description, parameters }) =>
              `${name}: ${description}\n${JSON.stringify(parameters)}`,
          )
          .join('\n');
  return [
    { title: 'system', text: request.system },
    { title: 'tools', text: toolsText },
    ...request.messages.map((message) => ({
      title: message.of === 'own' ? OWN_WORDS[call.kind] : speakerOf(message),
      text: messageText(message),
    })),
  ];
}

function answerSections({ call, answer }: AskedCall): Section[] {
  if (answer === null) return [{ title: 'no answer', text: missingAnswer(call) }];
  return [
    { title: 'answer', text: answer.text },
    ...answer.calls.map(({ callId, tool, input }) => ({ title: `${tool} ${callId}`, text: input })),
  ];
}

export const NOT_KEPT =
  "(its request isn't kept: it is sealed, an agent asked its own model, or an earlier version asked)";

/** A request and its answer as they are: no width breaks or cuts them. */
export const sectionsText = (asked: AskedCall, tools: 'named' | 'whole'): string =>
  [
    ...(asked.request === null ? [NOT_KEPT] : []),
    ...sectionsOf(asked, tools).map(({ title, text }) => `== ${title}\n${text}`),
  ].join('\n\n');

/** What the call took, in a line. */
export function factsOf(call: ModelCall): string {
  const { state, inputTokens, cachedInputTokens, outputTokens, costUsd } = call;
  if (state === 'sent') return 'is being answered';
  const seconds = secondsOf(call);
  const took = seconds === null ? [] : [lasting(seconds)];
  if (inputTokens + outputTokens === 0) return ['not charged', ...took].join(', ');
  const cached = Math.round((100 * cachedInputTokens) / Math.max(1, inputTokens));
  return [
    `${compact(inputTokens)} in, ${cached} % cached`,
    `${compact(outputTokens)} out`,
    ...took,
    dollars(Number(costUsd)),
  ].join(', ');
}

/** Which parts the request has, and about how much of it each is. */
export function partsLine({ call, request }: AskedCall, { paint }: Look): string[] {
  if (request === null) return [];
  const parts = requestParts(call, request).map(
    ({ words, share }) => `${words} ${Math.round(100 * share)} %`,
  );
  return [paint.dim(`of it  ${parts.join('   ')}`)];
}
