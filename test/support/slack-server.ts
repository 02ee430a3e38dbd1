import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Text {
  readonly type: string;
  readonly text: string;
}

export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly { readonly type: string; readonly text: Text }[];
  readonly mrkdwn?: boolean;
  readonly parse?: string;
  readonly link_names?: boolean;
}

/** Words that Slack sends after a message to it and that it reads as more than words. */
const MARK = /<[^|>]*(?:\|[^>]*)?>/g;

/** Why Slack would refuse the message, or read foreign words as marks; null = neither. */
export function slackProblem(message: SlackMessage): string | null {
  const { text, blocks } = message;
  if (typeof text !== 'string' || text === '' || text.length > 40_000) return 'no_text';
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return 'invalid_blocks';
  if (JSON.stringify(blocks).length > 13_000 + blocks.length * 100) return 'msg_blocks_too_long';
  if (message.mrkdwn !== false || /[<>]/.test(text)) return 'text is not escaped';
  if (message.parse !== 'none' || message.link_names !== false) return 'names are looked for';
  for (const block of blocks) {
    const { text: shown } = block;
    const most = block.type === 'header' ? 150 : 3000;
    if (block.type !== 'header' && block.type !== 'section') return `a block ${block.type}`;
    if (shown.text === '' || shown.text.length > most) return 'invalid_blocks: its text';
    if (/&(?!amp;|lt;|gt;)/.test(shown.text)) return 'a cut or missing escape';
    if (shown.type === 'plain_text' && /[<>]/.test(shown.text)) return 'plain text is not escaped';
    if (shown.type === 'mrkdwn' && !/^<https:\/\/[^|<>]+\|[\w ]+>$/.test(shown.text))
      return 'foreign words stand where marks are read';
    if (block.type === 'header' && shown.type !== 'plain_text') return 'invalid_blocks: header';
  }
  const all = [text, ...blocks.map((block) => block.text.text)].join('\n');
  const pings = (all.match(MARK) ?? []).filter((mark) => /^<[!@#]/.test(mark));
  return pings.length > 0 || /@(?:channel|here|everyone)/i.test(all) ? 'it pings' : null;
}

export interface SlackServer {
  /** The incoming webhook. */
  readonly url: string;
  readonly taken: SlackMessage[];
  readonly refused: string[];
  /** The first message with such a word is answered with 500. */
  readonly failures: string[];
  close(): void;
}

/** A server in Slack's place that takes what Slack documents to take. */
export async function startSlack(): Promise<SlackServer> {
  const path = '/services/T000/B000/a-secret-of-the-channel';
  const taken: SlackMessage[] = [];
  const refused: string[] = [];
  const failures: string[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString();
    const failing = failures.findIndex((word) => body.includes(word));
    if (failing !== -1) {
      failures.splice(failing, 1);
      return response.writeHead(500).end();
    }
    const isJson = request.headers['content-type'] === 'application/json';
    if (request.method !== 'POST' || request.url !== path || !isJson)
      return response.writeHead(404).end('no_service');
    const message = JSON.parse(body) as SlackMessage;
    const problem = slackProblem(message);
    if (problem !== null) refused.push(problem);
    else taken.push(message);
    return response.writeHead(problem === null ? 200 : 400).end(problem ?? 'ok');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    ...{ taken, refused, failures },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
