import type { ChatMessage, ChatRequest, ScriptedReply, ScriptedUsage } from './script.ts';
import { finishReasonOf, type GoogleBody, type ResponsesBody, rawInput } from './wire-parts.ts';

/** The pieces of an answer in order; the server decides how they travel. */
export interface Wire {
  parse(body: WireBody): Pick<ChatRequest, 'model' | 'messages' | 'tools' | 'maxTokens'>;
  opening(model: string, usage: ScriptedUsage | null): string;
  textPiece(model: string, piece: string): string;
  /** A piece that says no more than that the stream is alive. */
  alive(model: string): string;
  /** Everything behind the text. */
  closing(model: string, reply: ScriptedReply, usage: ScriptedUsage | null): string;
  /** An error that comes in the stream, `{message, type?, code?}`. */
  failure(error: unknown): string;
  whole(model: string, reply: ScriptedReply, usage: ScriptedUsage | null): unknown;
}

interface WirePart {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string | WirePart[];
  image_url?: { url: string };
  source?: { media_type: string; data: string };
}

interface WireMessage {
  role: string;
  content?: string | WirePart[] | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface WireBody extends GoogleBody, ResponsesBody {
  model: string;
  stream?: boolean;
  messages: WireMessage[];
  tools?: {
    name?: string;
    function?: { name: string };
    functionDeclarations?: { name: string }[];
    /** Those of a namespace. */
    tools?: { name: string }[];
  }[];
  max_tokens?: number;
  max_completion_tokens?: number;
  system?: string | WirePart[];
}

let callNumber = 0;
const nextCallId = () => `call_${process.pid}_${++callNumber}`;

export const openaiWire: Wire = {
  parse: (body) => ({
    model: body.model,
    messages: body.messages.map((message) => ({
      role: (message.role === 'developer' ? 'system' : message.role) as ChatMessage['role'],
      text: textOf(message.content),
      ...imagesOf(message.content),
      calls: (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        tool: call.function.name,
        input: call.function.arguments,
      })),
      ...(message.tool_call_id === undefined ? {} : { callId: message.tool_call_id }),
    })),
    tools: (body.tools ?? []).map((tool) => tool.function?.name ?? ''),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
  }),
  opening: (model) => chunk(model, [{ index: 0, delta: { role: 'assistant' } }]),
  textPiece: (model, piece) => chunk(model, [{ index: 0, delta: { content: piece } }]),
  alive: (model) => chunk(model, [{ index: 0, delta: {} }]),
  closing: (model, reply, usage) => {
    const calls = openaiCalls(reply).map((call, index) => ({ index, ...call }));
    const finish = finishReasonOf(reply);
    return [
      calls.length > 0 ? chunk(model, [{ index: 0, delta: { tool_calls: calls } }]) : '',
      finish === null ? '' : chunk(model, [{ index: 0, delta: {}, finish_reason: finish }]),
      usage === null ? '' : chunk(model, [], openaiUsage(usage)),
      'data: [DONE]\n\n',
    ].join('');
  },
  failure: (error) => `data: ${JSON.stringify({ error })}\n\n`,
  whole: (model, reply, usage) => ({
    id: 'scripted',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? '',
          ...(reply.calls?.length ? { tool_calls: openaiCalls(reply) } : {}),
        },
        finish_reason: finishReasonOf(reply),
      },
    ],
    ...(usage === null ? {} : { usage: openaiUsage(usage) }),
  }),
};

export const anthropicWire: Wire = {
  parse: (body) => ({
    model: body.model,
    messages: [
      ...(body.system === undefined ? [] : [plain('system', textOf(body.system))]),
      ...body.messages.flatMap(fromAnthropic),
    ],
    tools: (body.tools ?? []).map((tool) => tool.name ?? ''),
    maxTokens: body.max_tokens ?? null,
  }),
  opening: (model, usage) =>
    event('message_start', {
      message: {
        // Clients take messages of the same id for parts of one.
        id: `msg_${nextCallId()}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: anthropicInput(usage),
      },
    }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  textPiece: (_model, piece) =>
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
  alive: () => event('ping', {}),
  closing: (_model, reply, usage) =>
    [
      event('content_block_stop', { index: 0 }),
      ...(reply.calls ?? []).flatMap((call, position) => {
        const index = position + 1;
        const block = { type: 'tool_use', id: nextCallId(), name: call.tool, input: {} };
        const delta = { type: 'input_json_delta', partial_json: rawInput(call.input) };
        return [
          event('content_block_start', { index, content_block: block }),
          event('content_block_delta', { index, delta }),
          event('content_block_stop', { index }),
        ];
      }),
      event('message_delta', {
        delta: { stop_reason: anthropicStop(reply), stop_sequence: null },
        usage: { output_tokens: usage?.output ?? 0 },
      }),
      event('message_stop', {}),
    ].join(''),
  failure: (error) => event('error', { error }),
  whole: () => ({
    type: 'error',
    error: { type: 'invalid_request_error', message: 'stream only' },
  }),
};

function chunk(model: string, choices: unknown[], usage?: unknown): string {
  const base = { id: 'scripted', object: 'chat.completion.chunk', created: 0, model, choices };
  return `data: ${JSON.stringify(usage === undefined ? base : { ...base, usage })}\n\n`;
}

function event(type: string, data: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function openaiCalls(reply: ScriptedReply) {
  return (reply.calls ?? []).map((call) => ({
    id: nextCallId(),
    type: 'function',
    function: { name: call.tool, arguments: rawInput(call.input) },
  }));
}

function openaiUsage(usage: ScriptedUsage) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
  };
}

/** Anthropic counts cached tokens beside the input, not in it. */
function anthropicInput(usage: ScriptedUsage | null) {
  const cached = usage?.cached ?? 0;
  return {
    input_tokens: (usage?.input ?? 0) - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: 0,
  };
}

function anthropicStop(reply: ScriptedReply): string | null {
  const finish = finishReasonOf(reply);
  if (finish === null) return null;
  const words: Record<string, string> = {
    stop: 'end_turn',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    content_filter: 'refusal',
  };
  return words[finish] ?? 'end_turn';
}

function fromAnthropic(message: WireMessage): ChatMessage[] {
  const parts = typeof message.content === 'string' ? [] : (message.content ?? []);
  const results = parts.filter((part) => part.type === 'tool_result');
  const calls = parts.filter((part) => part.type === 'tool_use');
  const text = textOf(message.content);
  return [
    ...results.map((part) => ({
      ...plain('tool', textOf(part.content)),
      callId: part.tool_use_id ?? '',
    })),
    ...(text !== '' || calls.length > 0
      ? [
          {
            ...plain(message.role as ChatMessage['role'], text),
            ...imagesOf(message.content),
            calls: calls.map((part) => ({
              id: part.id ?? '',
              tool: part.name ?? '',
              input: JSON.stringify(part.input),
            })),
          },
        ]
      : []),
  ];
}

function plain(role: ChatMessage['role'], text: string): ChatMessage {
  return { role, text, calls: [] };
}

function imagesOf(content: WireMessage['content']): Pick<ChatMessage, 'images'> {
  const parts = Array.isArray(content) ? content : [];
  const images = parts.flatMap(({ image_url: url, source }) => {
    if (source !== undefined) return [{ mediaType: source.media_type, base64: source.data }];
    const [, mediaType, base64] = /^data:([^;]+);base64,(.*)$/s.exec(url?.url ?? '') ?? [];
    return mediaType === undefined || base64 === undefined ? [] : [{ mediaType, base64 }];
  });
  return images.length === 0 ? {} : { images };
}

function textOf(content: string | WirePart[] | null | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .filter((part) => part.type === 'text')
    .map((part) => part.text ?? '')
    .join('\n');
}
