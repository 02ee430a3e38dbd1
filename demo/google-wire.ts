import type { ChatMessage, ScriptedReply, ScriptedUsage } from './script.ts';
import type { Wire } from './scripted-wire.ts';
import { finishReasonOf, type GoogleContent, type GooglePart, rawInput } from './wire-parts.ts';

const GENERATE = /^\/v1(?:beta)?\/models\/([^/:]+):streamGenerateContent$/;

/** The model that the path names; null = the path is none of this format. */
export const googleModelIn = (path: string | undefined): string | null =>
  GENERATE.exec(path ?? '')?.[1] ?? null;

export const googleWire: Wire = {
  parse: ({ model, contents = [], systemInstruction, generationConfig, tools = [] }) => ({
    model,
    messages: [
      ...(systemInstruction === undefined ? [] : [plain('system', textOf(systemInstruction))]),
      ...contents.flatMap(messagesIn),
    ],
    tools: tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
    maxTokens: generationConfig?.maxOutputTokens ?? null,
  }),
  opening: (model, usage) =>
    piece({ modelVersion: model, usageMetadata: { promptTokenCount: usage?.input ?? 0 } }),
  textPiece: (_model, text) => piece(candidate([{ text }])),
  alive: (model) => piece({ modelVersion: model }),
  closing: (_model, reply, usage) =>
    [
      ...(reply.calls ?? []).map((call) => piece(candidate([functionCall(call)]))),
      piece({ ...ending(reply), ...usageOf(usage) }),
    ].join(''),
  failure: (error) => piece({ error: asGoogleError(error) }),
  whole: () => ({
    error: { code: 400, status: 'INVALID_ARGUMENT', message: 'stream only' },
  }),
};

const piece = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const candidate = (parts: readonly GooglePart[]) => ({
  candidates: [{ index: 0, content: { role: 'model', parts } }],
});

/** This format has no raw text of arguments: what is no JSON can't be sent. */
const functionCall = ({ tool, input }: NonNullable<ScriptedReply['calls']>[number]) => ({
  functionCall: { name: tool, args: JSON.parse(rawInput(input)) as unknown },
});

function ending(reply: ScriptedReply) {
  const finish = finishReasonOf(reply);
  const content = { role: 'model', parts: [{ text: '' }] };
  if (finish === null) return { candidates: [{ index: 0, content }] };
  return { candidates: [{ index: 0, content, finishReason: WORDS[finish] ?? 'STOP' }] };
}

const WORDS: Readonly<Record<string, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

function usageOf(usage: ScriptedUsage | null) {
  if (usage === null) return {};
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cached ?? 0,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
  };
}

/** The script speaks in the words of the others; the status is what the client looks at. */
function asGoogleError(error: unknown) {
  const { type = '', message = '' } = error as { type?: string; message?: string };
  const isRate = type.startsWith('rate_limit');
  return isRate
    ? { code: 429, status: 'RESOURCE_EXHAUSTED', message }
    : { code: 503, status: 'UNAVAILABLE', message };
}

function messagesIn(content: GoogleContent): ChatMessage[] {
  const parts = content.parts ?? [];
  const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  const calls = parts.flatMap(({ functionCall: call }) => call ?? []);
  const text = textOf(content);
  const isSaid = text !== '' || calls.length > 0;
  const role = content.role === 'model' ? 'assistant' : 'user';
  return [
    ...results.map(({ name, response }) => ({
      ...plain('tool', String(response?.content ?? '')),
      callId: name,
    })),
    ...(isSaid ? [{ ...plain(role, text), calls: calls.map(callIn) }] : []),
  ];
}

const callIn = ({ name, args }: NonNullable<GooglePart['functionCall']>) => ({
  id: name,
  tool: name,
  input: JSON.stringify(args ?? {}),
});

const plain = (role: ChatMessage['role'], text: string): ChatMessage => ({ role, text, calls: [] });

const textOf = ({ parts = [] }: GoogleContent): string =>
  parts.flatMap(({ text }) => text ?? []).join('\n');
