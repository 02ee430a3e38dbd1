import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/failures.ts';
import type { Application } from '../application.ts';

/** The console's pages; every other unknown path is answered with a problem in JSON. */
const PAGES = [
  ...['/', '/goals', '/goals/*', '/inbox', '/new', '/ops', '/signin', '/settings', '/settings/*'],
  ...['/schedules', '/schedules/*', '/triggers', '/triggers/*'],
];
/** The placeholder in index.html for the nonce of each request. */
const NONCE = '@@nonce@@';
const THEME = '@@theme@@';

/** Before it stands the code that the address shows first. */
const END_OF_HEAD = '</head>';

const notBuilt = `<!doctype html><html lang="en"><title>Goalkeeper</title>
<p>The console is not part of this installation. Run <code>npm run build</code>, then restart.</p>`;

/** The web console: pages rendered with a fresh nonce, assets that never change. */
export function addConsole(application: Application, folder: string | null): void {
  if (folder !== null) {
    application.register(async (files) => {
      // Folders and odd names of files are no error of the service.
      files.setErrorHandler((_error, request) => {
        throw new Refusal('not_found', `There is no file ${request.url}.`);
      });
      files.register(fastifyStatic, {
        root: join(folder, 'assets'),
        prefix: '/assets/',
        index: false,
        immutable: true,
        maxAge: '365d',
        preCompressed: true,
        decorateReply: false,
      });
    });
  }
  const page = folder === null ? null : readFile(join(folder, 'index.html'), 'utf8');
  page?.catch(() => undefined);
  const first = folder === null ? null : readFirstFiles(join(folder, 'first-files.json'));
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    const links = linksTo((await first)?.(pathOf(request)) ?? []);
    const html = ((await page) ?? notBuilt).replace(END_OF_HEAD, () => links + END_OF_HEAD);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy(nonce))
      .serializer(String)
      .send(html.replaceAll(NONCE, nonce).replaceAll(THEME, themeOf(request)));
  };
  for (const url of PAGES)
    application.get(url, { config: { isOpen: true }, schema: { hide: true } }, send);
}

type FirstFiles = (path: string) => readonly string[];

/** What pages load by themselves, only later, is all that is lost without it. */
async function readFirstFiles(file: string): Promise<FirstFiles | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const listed = Object.entries(JSON.parse(text) as Record<string, readonly string[]>);
  const known = listed.map(([pattern, files]) => {
    const parts = pattern.split('/').map((part) => (part === '*' ? '[^/]+' : part));
    return { at: new RegExp(`^${parts.join('/')}/?$`), files };
  });
  return (path) => known.find(({ at }) => at.test(path))?.files ?? [];
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

const linksTo = (files: readonly string[]): string =>
  files
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}" nonce="${NONCE}">`)
    .join('');

/** Scripts and styles come from this origin only; inline ones need the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The theme is known before any script runs, so that a dark page never flashes white. */
function themeOf(request: FastifyRequest): string {
  const { goalkeeper_theme: theme } = request.server.parseCookie(request.headers.cookie ?? '');
  return theme === 'dark' || theme === 'light' ? theme : 'auto';
}
