import type { ChatMessage, ScriptedReply, ScriptedUsage } from './script.ts';
import type { Wire } from './scripted-wire.ts';
import { type ResponsesItem, rawInput } from './wire-parts.ts';

/** The format that OpenAI calls Responses; what was said before comes as items, not as messages. */
export const responsesWire: Wire = {
  parse: ({ model, input = [], instructions = '', tools = [], max_output_tokens: most }) => ({
    model,
    messages: [
      ...(instructions === '' ? [] : [plain('system', instructions)]),
      ...input.flatMap(messagesIn),
    ],
    tools: tools.flatMap(({ name = '', tools: inner }) =>
      inner === undefined ? [name] : inner.map((one) => `${name}__${one.name}`),
    ),
    maxTokens: most ?? null,
  }),
  opening: (model) =>
    event('response.created', { response: { id: 'scripted', model } }) +
    event('response.output_item.added', { output_index: 0, item: { ...SAID, content: [] } }),
  textPiece: (_model, piece) =>
    event('response.output_text.delta', { item_id: 'said', output_index: 0, delta: piece }),
  alive: (model) => event('response.in_progress', { response: { id: 'scripted', model } }),
  closing: (model, reply, usage) =>
    [
      ...itemsOf(reply).map((item, at) =>
        event('response.output_item.done', { output_index: at, item }),
      ),
      event('response.completed', { response: whole(model, reply, usage) }),
    ].join(''),
  failure: (error) => event('response.failed', { response: { id: 'scripted', error } }),
  whole: (model, reply, usage) => whole(model, reply, usage),
};

const SAID = { type: 'message', role: 'assistant', id: 'said' };

const event = (type: string, data: Readonly<Record<string, unknown>>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

const whole = (model: string, reply: ScriptedReply, usage: ScriptedUsage | null) => ({
  ...{ id: 'scripted', object: 'response', status: 'completed', model },
  output: itemsOf(reply),
  ...(usage === null ? {} : { usage: usageOf(usage) }),
});

const usageOf = ({ input, output, cached = 0 }: ScriptedUsage) => ({
  ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
  input_tokens_details: { cached_tokens: cached },
  output_tokens_details: { reasoning_tokens: 0 },
});

let callNumber = 0;

function itemsOf({ text = '', calls = [] }: ScriptedReply): ResponsesItem[] {
  return [
    ...(text === '' ? [] : [{ ...SAID, content: [{ type: 'output_text', text }] }]),
    ...calls.map(({ tool, input }) => {
      callNumber += 1;
      const callId = `call_${process.pid}_${callNumber}`;
      return { type: 'function_call', ...named(tool), arguments: rawInput(input), call_id: callId };
    }),
  ];
}

/** A tool of a server is called by its own name, in the namespace of the server. */
function named(tool: string): Pick<ResponsesItem, 'name' | 'namespace'> {
  const [, namespace, name] = /^(mcp__.+?)__(.+)$/.exec(tool) ?? [];
  return namespace === undefined || name === undefined ? { name: tool } : { name, namespace };
}

function messagesIn(item: ResponsesItem): ChatMessage[] {
  switch (item.type) {
    case 'message': {
      const role = item.role === 'developer' ? 'system' : item.role;
      return [plain(role as ChatMessage['role'], textOf(item.content))];
    }
    case 'function_call': {
      const { call_id: id = '', namespace, name = '', arguments: input = '' } = item;
      const tool = namespace === undefined ? name : `${namespace}__${name}`;
      return [{ ...plain('assistant', ''), calls: [{ id, tool, input }] }];
    }
    case 'function_call_output':
      return [{ ...plain('tool', textOf(item.output)), callId: item.call_id ?? '' }];
    default:
      return [];
  }
}

const plain = (role: ChatMessage['role'], text: string): ChatMessage => ({ role, text, calls: [] });

function textOf(content: ResponsesItem['content'] | ResponsesItem['output']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}
