import type { ModelCall, ModelRequest, RequestMessage } from '../api/types.ts';

export type PartName = 'system' | 'own' | 'messages' | 'tools';

/** A part of a request, and about how much of it that is. */
export interface RequestPart {
  readonly name: PartName;
  readonly words: string;
  /** Of the request, 0 to 1, counted by characters. */
  readonly share: number;
  /** The same share of the tokens that the provider counted. */
  readonly tokens: number;
}

const OWN: Readonly<Record<ModelCall['kind'], string>> = {
  turn: 'The goal as it stood',
  review: 'What is to be judged',
  compaction: 'The conversation to sum up',
};

/** The parts of a request in the order in which a provider reads them, but for tools. */
export function requestParts(call: ModelCall, request: ModelRequest): readonly RequestPart[] {
  const of = (kind: RequestMessage['of']) => request.messages.filter((one) => one.of === kind);
  const sizes: readonly (readonly [PartName, string, number])[] = [
    ['system', 'System', request.system.length],
    ['tools', `Tools, ${request.tools.length}`, JSON.stringify(request.tools).length],
    ['messages', `Messages, ${of('conversation').length}`, sum(of('conversation').map(sizeOf))],
    ['own', OWN[call.kind], sum(of('own').map(sizeOf))],
  ];
  const whole = Math.max(1, sum(sizes.map(([, , size]) => size)));
  const input = call.inputTokens > 0 ? call.inputTokens : call.estimatedInput;
  return sizes.map(([name, words, size]) => ({
    name,
    words,
    share: size / whole,
    tokens: Math.round((size / whole) * input),
  }));
}

const sum = (all: readonly number[]): number => all.reduce((before, one) => before + one, 0);

export const sizeOf = (message: RequestMessage): number => messageText(message).length;

/** All that a message says, as text. */
export const messageText = ({ parts }: RequestMessage): string => parts.map(partText).join('\n');

const partText = (part: RequestMessage['parts'][number]): string =>
  part.type === 'call' ? `${part.tool} ${JSON.stringify(part.input)}` : part.text;

/** Whose words it has: a role of the wire, or the tool whose result it is. */
export function speakerOf({ role, parts }: RequestMessage): string {
  const [first] = parts;
  return first?.type === 'result' ? first.tool : role;
}

const HOST = /^<host[^>]*>\n?/;

/** Its first line with letters, without the tag of the host. */
export function messageLine(message: RequestMessage): string {
  const text = messageText(message).slice(0, 2000).replace(HOST, '');
  return text.split('\n').find((line) => line.trim() !== '') ?? '(no words)';
}
