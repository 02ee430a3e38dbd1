import type { ModelCall, RequestMessage } from './model-call.ts';

/** What the host made for one request alone, by what the call is for. */
export const OWN_WORDS: Readonly<Record<ModelCall['kind'], string>> = {
  turn: 'The goal as it stood',
  review: 'What is to be judged',
  compaction: 'The conversation to sum up',
};

/** All that a message says, as text. */
export const messageText = ({ parts }: Pick<RequestMessage, 'parts'>): string =>
  parts.map(partText).join('\n');

const partText = (part: RequestMessage['parts'][number]): string =>
  part.type === 'call' ? `${part.tool} ${JSON.stringify(part.input)}` : part.text;

/** Whose words it has: a role of the wire, or the tool whose result it is. */
export function speakerOf({ role, parts: [first] }: RequestMessage): string {
  return first?.type === 'result' ? first.tool : role;
}
