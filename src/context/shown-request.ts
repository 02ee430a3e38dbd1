import type { LanguageModelV3Message } from '@ai-sdk/provider';
import type { ModelRequest, RequestMessage } from '../../schema/model-call.ts';
import type { KeptRequest } from '../contract/asked-request.ts';
import type { StoredMessage } from '../contract/conversation.ts';
import { toPrompt } from '../model/messages.ts';
import { UNSHOWN_MARK } from './asked.ts';
import { viewOf } from './view.ts';

type Part = RequestMessage['parts'][number];

/** A request as it was sent, from the record, for people to read. */
export function shownRequest(kept: KeptRequest): ModelRequest {
  const { system, tools, through, conversation, isMarked, own } = kept;
  const shown = through === null ? [] : viewOf(conversation.messages, conversation.compaction);
  const mark = isMarked ? UNSHOWN_MARK : undefined;
  const [, ...prompt] = toPrompt(system, [...shown, ...own.map(asMessage)], mark);
  const ofConversation = prompt.length - own.length;
  return {
    system,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    messages: prompt.map((message, at) => ({
      role: roleOf(message),
      of: at < ofConversation ? 'conversation' : 'own',
      parts: partsOf(message),
    })),
    compaction: conversation.compaction?.number ?? null,
  };
}

const asMessage = (content: StoredMessage['content']): StoredMessage => ({
  ...{ seq: 0, turn: 0, step: null, voice: 'host' },
  content,
});

const roleOf = ({ role }: LanguageModelV3Message): RequestMessage['role'] =>
  role === 'system' ? 'user' : role;

function partsOf({ content }: LanguageModelV3Message): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): Part[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [{ type: part.type, text: part.text }];
      case 'tool-call':
        return [{ type: 'call', id: part.toolCallId, tool: part.toolName, input: part.input }];
      case 'tool-result': {
        const { output, toolCallId: id, toolName: tool } = part;
        const text = 'value' in output ? String(output.value) : '';
        return [{ type: 'result', id, tool, isError: output.type === 'error-text', text }];
      }
      default:
        return [];
    }
  });
}
