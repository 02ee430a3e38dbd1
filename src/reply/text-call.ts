import type { RequestedCall } from '../contract/conversation.ts';
import type { ModelAnswer } from '../contract/model.ts';
import { callFor, readTextToken } from './text-tokens.ts';

/** The placeholder for a provider's id of the call: the model wrote no call, but a token. */
const TEXT_CALL = 'text-token';

type Answer = Extract<ModelAnswer, { kind: 'answer' }>;
type Spoken = Pick<Answer, 'text' | 'calls'> & { readonly token?: string };

/** Ends of an answer behind which nothing was cut off. */
const WHOLE: readonly Answer['finishReason'][] = ['stop', 'other', 'absent'];

/** The answer as people see it, and the call that its last token stands for. */
export function readTextCall(answer: Answer): Spoken {
  const isWhole = answer.calls.length === 0 && WHOLE.includes(answer.finishReason);
  const { visible, token, taken } = readTextToken(answer.text);
  if (!isWhole || token === null) return answer;
  const call = { providerId: TEXT_CALL, ...callFor(token, visible) };
  return { text: visible, calls: [call], token: taken };
}

export const isTextCall = ({ providerId }: Pick<RequestedCall, 'providerId'>): boolean =>
  providerId === TEXT_CALL;

/** The model has said its last word of the turn, by a token or without one. */
export const hasEnded = (calls: readonly RequestedCall[]): boolean => calls.every(isTextCall);
