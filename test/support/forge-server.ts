import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { gitIn } from './git.ts';

export type ForgeKind = 'github' | 'gitlab' | 'gitea';

const TOKEN = 'forge-token-0123456789';

/** What each kind of forge is told by, and how its token comes. */
const KINDS = {
  github: {
    ...{ host: 'GH_HOST', token: 'GITHUB_TOKEN', api: '/api/v3/repos/team/shop', pulls: 'pulls' },
    shown: (headers: IncomingMessage['headers']) => headers.authorization === `Bearer ${TOKEN}`,
  },
  gitlab: {
    ...{ host: 'GITLAB_HOST', token: 'GITLAB_TOKEN', pulls: 'merge_requests' },
    api: '/api/v4/projects/team%2Fshop',
    shown: (headers: IncomingMessage['headers']) => headers.authorization === `Bearer ${TOKEN}`,
  },
  gitea: {
    ...{ host: 'GITEA_HOST', token: 'GITEA_TOKEN', api: '/api/v1/repos/team/shop', pulls: 'pulls' },
    shown: (headers: IncomingMessage['headers']) => headers.authorization === `token ${TOKEN}`,
  },
};

export interface StoredPull {
  readonly number: number;
  title: string;
  text: string;
  readonly branch: string;
  readonly into: string;
  readonly isDraft: boolean;
}

/**
 * A forge with one repository, `team/shop`: its API by the wire of its kind, and git itself over HTTP
 * (`git http-backend`), for who shows the token.
 */
export interface ForgeServer {
  readonly url: string;
  /** Of the repository. */
  readonly remote: string;
  /** The bare repository. */
  readonly folder: string;
  /** Runs git there. */
  readonly git: ReturnType<typeof gitIn>;
  readonly pulls: StoredPull[];
  /** Requests, by method and path. */
  readonly asked: string[];
  /** Variables that name the forge and its token. */
  readonly environment: Record<string, string>;
  /** Where requests of git are sent to instead. */
  redirect: string | null;
  close(): Promise<void>;
}

export async function openForgeServer(kind: ForgeKind): Promise<ForgeServer> {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-forge-'));
  const bare = join(root, 'team/shop.git');
  mkdirSync(bare, { recursive: true });
  const git = gitIn(bare);
  git('init', '-q', '--bare', '-b', 'main', '.');
  git('config', 'http.receivepack', 'true');
  const { host, token, api, pulls: named, shown } = KINDS[kind];
  const pulls: StoredPull[] = [];
  const asked: string[] = [];
  const isBasic = ({ authorization = '' }: IncomingMessage['headers']) =>
    Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .endsWith(`:${TOKEN}`);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: address = '' } = request;
    asked.push(`${method} ${address}`);
    const url = new URL(address, 'http://forge');
    if (url.pathname.startsWith('/team/shop.git/')) {
      if (forge.redirect !== null) {
        response.writeHead(302, { location: `${forge.redirect}${address}` }).end();
        return;
      }
      if (isBasic(request.headers)) return await backend(root, request, response, url);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end();
      return;
    }
    const send = (status: number, body: object) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    if (!url.pathname.startsWith(api)) return send(404, { message: 'Not Found' });
    const rest = url.pathname.slice(api.length);
    const isOpen = rest === '/issues/7';
    if (!isOpen && !shown(request.headers)) return send(401, { message: 'Bad credentials' });
    if (isOpen) return send(200, wordsOfIssue(kind, origin));
    if (rest === '') return send(200, { default_branch: 'main' });
    const body = method === 'GET' ? {} : ((await json(request)) as Record<string, unknown>);
    const [, number] = new RegExp(`^/${named}(?:/(\\d+))?$`).exec(rest) ?? [];
    if (rest !== `/${named}` && number === undefined) return send(404, { message: 'Not Found' });
    if (method === 'GET') return send(200, pulls.map((pull) => told(kind, origin, pull)) as object);
    const text = String(body.body ?? body.description ?? '');
    if (number !== undefined) {
      const found = pulls.find((pull) => pull.number === Number(number));
      if (found === undefined) return send(404, { message: 'Not Found' });
      if (typeof body.title === 'string') found.title = body.title;
      found.text = text;
      return send(200, told(kind, origin, found));
    }
    const pull: StoredPull = {
      ...{ number: pulls.length + 1, title: String(body.title), text },
      branch: String(body.head ?? body.source_branch),
      into: String(body.base ?? body.target_branch),
      isDraft: body.draft === true || /^(?:WIP|Draft): /.test(String(body.title)),
    };
    pulls.push(pull);
    return send(201, told(kind, origin, pull));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const forge: ForgeServer = {
    redirect: null,
    ...{ url: origin, remote: `${origin}/team/shop.git`, folder: bare, git, pulls, asked },
    environment: { [host]: `127.0.0.1:${port}`, [token]: TOKEN },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return forge;
}

const told = (kind: ForgeKind, origin: string, { number, branch, into }: StoredPull) =>
  kind === 'gitlab'
    ? { iid: number, web_url: `${origin}/team/shop/-/merge_requests/${number}` }
    : {
        ...{ number, html_url: `${origin}/team/shop/pulls/${number}` },
        ...{ head: { ref: branch }, base: { ref: into } },
      };

const wordsOfIssue = (kind: ForgeKind, origin: string) => ({
  title: 'Answers are missing',
  [kind === 'gitlab' ? 'description' : 'body']: 'Write `answer.txt`.',
  [kind === 'gitlab' ? 'web_url' : 'html_url']: `${origin}/team/shop/issues/7`,
});

/** Git's own server side, as CGI. */
async function backend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', GIT_CONFIG_NOSYSTEM: '1' },
      ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
      ...{ PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1) },
      ...{ REQUEST_METHOD: request.method, CONTENT_TYPE: request.headers['content-type'] ?? '' },
      ...{ HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '', REMOTE_USER: 't' },
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  const out = await buffer(child.stdout);
  const end = out.indexOf('\r\n\r\n');
  const heads = out.subarray(0, end).toString().split('\r\n');
  const headers = heads.map((line) => line.split(/:\s*/, 2) as [string, string]);
  const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200';
  response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers));
  response.end(out.subarray(end + 4));
}
