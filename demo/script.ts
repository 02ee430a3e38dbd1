/** One message of the request, the same for both wire formats. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: string }[];
  /** Images in the message, in their order; absent = none. */
  readonly images?: readonly { readonly mediaType: string; readonly base64: string }[];
  /** For `tool`: the call that it answers. */
  readonly callId?: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly string[];
  readonly maxTokens: number | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** How often this very conversation was asked before: 0 for the first time. */
  readonly seenBefore: number;
}

export interface ScriptedUsage {
  readonly input: number;
  readonly cached?: number;
  readonly output: number;
}

export interface ScriptedCall {
  readonly tool: string;
  /** A string is sent as it is, also when it is not JSON. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** In the words of OpenAI's format; null = none is sent. Default: `stop` or `tool_calls`. */
  readonly finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter' | null;
  /** null = none is reported. Default: counted from the lengths. */
  readonly usage?: ScriptedUsage | null;
  /** Before the first byte. */
  readonly delayMs?: number;
  /** Between the pieces of the text. */
  readonly pieceDelayMs?: number;
  /** After the text: signs of life that carry nothing of an answer. */
  readonly keepAlive?: { readonly everyMs: number; readonly times: number };
  /** Never answers, or goes silent after the text. */
  readonly hang?: 'before' | 'after_text';
  /** After the text, in the stream: an error in the provider's words, or a line that is no JSON. */
  readonly streamError?: unknown;
  readonly garbage?: string;
  /** An HTTP error instead of an answer; 200 with another content type is a gateway's page. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errorBody?: unknown;
  /** Ends behind so many characters of the text: the socket breaks, or the body just ends. */
  readonly cutAfter?: { readonly characters: number; readonly how: 'socket' | 'end' };
}

export type Script = (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>;

export const reply = {
  text: (text: string): ScriptedReply => ({ text }),
  call: (tool: string, input: ScriptedCall['input'], text = ''): ScriptedReply => ({
    text,
    calls: [{ tool, input }],
  }),
  calls: (calls: readonly ScriptedCall[], text = ''): ScriptedReply => ({ text, calls }),
  error: (
    status: number,
    errorBody: unknown = { error: { message: `scripted ${status}` } },
    headers: Record<string, string> = {},
  ): ScriptedReply => ({ status, errorBody, headers }),
  empty: (): ScriptedReply => ({ text: '' }),
  malformedCall: (tool: string, input = '{"path": '): ScriptedReply => ({
    calls: [{ tool, input }],
  }),
} as const;

/**
 * The next reply of the list. The position is read from the conversation alone, so a retried
 * request gets the same reply; after the last one it stays there.
 */
export function sequence(replies: readonly ScriptedReply[]): Script {
  return (request) => {
    const position = Math.min(assistantMessages(request), replies.length - 1);
    return replies[position] ?? reply.empty();
  };
}

/** `faults` for the first times that a conversation is asked, then what `script` says. */
export function flaky(faults: readonly ScriptedReply[], script: Script): Script {
  return (request) => faults[request.seenBefore] ?? script(request);
}

export function assistantMessages(request: ChatRequest): number {
  return request.messages.filter((message) => message.role === 'assistant').length;
}

/** The id in the goal block, so that one script can serve many goals. */
export function goalIdOf(request: ChatRequest): string | null {
  const text = request.messages.findLast((message) => message.text.includes('<goal id="'))?.text;
  return text?.match(/<goal id="([^"]*)"/)?.[1] ?? null;
}

export function objectiveOf(request: ChatRequest): string {
  const text = request.messages.findLast((message) => message.text.includes('<objective>'))?.text;
  return text?.match(/<objective>\n?([\s\S]*?)\n?<\/objective>/)?.[1] ?? '';
}
