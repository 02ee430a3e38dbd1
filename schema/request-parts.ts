import type { ModelCall, ModelRequest, RequestMessage } from './model-call.ts';
import { messageText, OWN_WORDS } from './request-words.ts';

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

/** The parts of a request in the order in which a provider reads them, but for tools. */
export function requestParts(call: ModelCall, request: ModelRequest): readonly RequestPart[] {
  const of = (kind: RequestMessage['of']) => request.messages.filter((one) => one.of === kind);
  const sizes: readonly (readonly [PartName, string, number])[] = [
    ['system', 'System', request.system.length],
    ['tools', `Tools, ${request.tools.length}`, JSON.stringify(request.tools).length],
    ['messages', `Messages, ${of('conversation').length}`, sum(of('conversation').map(sizeOf))],
    ['own', OWN_WORDS[call.kind], sum(of('own').map(sizeOf))],
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

const HOST = /^<host[^>]*>\n?/;

/** Its first line with letters, without the tag of the host. */
export function messageLine(message: RequestMessage): string {
  const text = messageText(message).slice(0, 2000).replace(HOST, '');
  return text.split('\n').find((line) => line.trim() !== '') ?? '(no words)';
}
