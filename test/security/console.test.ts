import { existsSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import { signInBrowser } from '../../scripts/screens/sign-in.ts';
import { openBrowser } from '../browser/browser.ts';
import { builtConsole } from '../browser/built-console.ts';
import { compiled } from '../support/compiled.ts';
import { CHROMIUM_PATH } from '../support/needs.ts';
import { type Mode, playClass } from './attempts.ts';
import { type Callers, openCallers, plainGoal } from './callers.ts';
import { rawHttp } from './raw-http.ts';
import { openService, type Service, TOKENS } from './service.ts';

const MODE: Mode = { user: 'ordinary', sandbox: true };
const HOSTILE =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><a href="javascript:window.hacked=1">x</a>';

let service: Service;
let callers: Callers;
let own: Record<string, string>;
let cookie: string;
beforeAll(async () => {
  await builtConsole();
  // Compiled sources look for it beside themselves.
  const beside = compiled('console');
  if (!existsSync(beside))
    symlinkSync(fileURLToPath(new URL('../../dist/console', import.meta.url)), beside);
  service = await openService(MODE);
  callers = await openCallers(service);
  ({ own, cookie } = await signIn({ token: TOKENS.operator }));
}, 300_000);
afterAll(() => service.close());

async function signIn(body: object, headers: Record<string, string> = {}) {
  const answer = await service.call('POST /v1/session', {
    as: null,
    body,
    headers: { origin: service.url, ...headers },
  });
  const set = answer.headers.get('set-cookie') ?? '';
  const [pair = ''] = set.split(';');
  const secret = (answer.body as { consoleSecret?: string }).consoleSecret ?? '';
  return {
    status: answer.status,
    set,
    cookie: pair,
    own: { cookie: pair, origin: service.url, 'x-goalkeeper-console': secret },
  };
}

const post = (headers: Record<string, string>, raw = JSON.stringify(plainGoal({ name: 'shop' }))) =>
  service.call('POST /v1/goals', { as: null, raw, headers }).then(({ status }) => status);
const get = (path: string, headers: Record<string, string> = {}) =>
  service.call(`GET ${path}`, { as: null, headers });
const PAGES = ['/goals', '/signin', '/new', '/ops', '/settings/tokens', '/goals/x', '/docs'];

playClass('console', MODE, {
  'CON-1': async () => {
    expect(await post({ cookie })).toBe(403);
    expect(await post({ cookie, origin: service.url })).toBe(403);
    return 2;
  },
  'CON-2': async () => {
    expect(await post({ ...own, origin: 'null' })).toBe(403);
    return 1;
  },
  'CON-3': async () => {
    const port = new URL(service.url).port;
    const origins = [
      'https://evil.example',
      `http://localhost.evil.example:${port}`,
      `http://127.0.0.1:1`,
      `${service.url}.evil.example`,
      `${service.url}@evil.example`,
      'file://',
      `https://127.0.0.1:${port}0`,
    ];
    for (const origin of origins)
      expect([origin, await post({ ...own, origin })]).toEqual([origin, 403]);
    return origins.length;
  },
  'CON-4': async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      expect([400, 401, 403, 415]).toContain(await post({ cookie, 'content-type': type }));
    }
    return 3;
  },
  'CON-5': async () => {
    for (const path of [
      '/v1/goals',
      '/v1/session',
      `/v1/goals/${callers.goalId}/ledger`,
      '/v1/tokens',
    ])
      expect([path, (await get(path, { cookie })).status]).toEqual([path, 401]);
    expect((await get('/v1/goals', own)).status).toBe(200);
    return 4;
  },
  'CON-6': async () => {
    for (const path of ['/v1/events', `/v1/goals/${callers.goalId}/events`])
      expect((await get(path, { cookie })).status).toBe(401);
    return 2;
  },
  'CON-7': async () => {
    const other = await signIn({ token: TOKENS.admin });
    const { cookie: _, ...withoutCookie } = own;
    expect((await get('/v1/goals', withoutCookie)).status).toBe(401);
    expect(
      (
        await get('/v1/goals', {
          ...own,
          'x-goalkeeper-console': other.own['x-goalkeeper-console'] ?? '',
        })
      ).status,
    ).toBe(401);
    for (const secret of ['', '1', 'null', 'x'.repeat(43)])
      expect((await get('/v1/goals', { ...own, 'x-goalkeeper-console': secret })).status).toBe(401);
    return 6;
  },
  'CON-8': async () => {
    const name = cookie.split('=')[0];
    const fixed = await signIn(
      { token: TOKENS.viewer },
      { cookie: `${name}=chosen-by-somebody-else` },
    );
    expect(fixed.cookie).not.toContain('chosen-by-somebody-else');
    expect(
      (await get('/v1/goals', { ...fixed.own, cookie: `${name}=chosen-by-somebody-else` })).status,
    ).toBe(401);
    return 1;
  },
  'CON-9': async () => {
    const { set } = await signIn({ token: TOKENS.viewer });
    expect(set).toMatch(/HttpOnly/i);
    expect(set).toMatch(/SameSite=Strict/i);
    expect(set).toMatch(/Path=\//i);
    expect(set).not.toMatch(/Domain=/i);
    return 4;
  },
  'CON-10': async () => {
    const made = await service.call('POST /v1/tokens', {
      as: null,
      headers: own,
      body: { name: 'by-session', role: 'agent' },
    });
    const code = await service.call('POST /v1/session/codes', { as: null, headers: own, body: {} });
    expect([made.status, code.status]).toEqual([403, 403]);
    return 2;
  },
  'CON-11': async () => {
    const { code } = (await service.call('POST /v1/session/codes', { body: {} })).body;
    const both = await Promise.all([signIn({ code }), signIn({ code }), signIn({ code })]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    return 1;
  },
  'CON-13': async () => {
    const mine = await signIn({ token: TOKENS.viewer });
    expect((await get('/v1/goals', mine.own)).status).toBe(200);
    expect((await service.call('DELETE /v1/session', { as: null, headers: mine.own })).status).toBe(
      204,
    );
    expect((await get('/v1/goals', mine.own)).status).toBe(401);
    return 1;
  },
  'CON-14': async () => {
    for (const path of PAGES) {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect([
        path,
        /frame-ancestors '(none|self)'/.test(policy) ||
          /DENY|SAMEORIGIN/i.test(headers.get('x-frame-options') ?? ''),
      ]).toEqual([path, true]);
    }
    return PAGES.length;
  },
  'CON-15': async () => {
    for (const path of PAGES) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? '';
      const scripts =
        /script-src ([^;]*)/.exec(policy)?.[1] ??
        /default-src ([^;]*)/.exec(policy)?.[1] ??
        'none given';
      expect([
        path,
        scripts,
        /unsafe-inline|unsafe-eval|\*|https?:|none given/.test(scripts),
      ]).toEqual([path, scripts, false]);
      expect([
        path,
        /(object|default)-src 'none'/.test(policy),
        /base-uri '(self|none)'/.test(policy),
      ]).toEqual([path, true, true]);
    }
    return PAGES.length;
  },
  'CON-16': async () => {
    const calls = [reply.call('run_command', { command: `echo '${HOSTILE}'` })];
    const { goalId } = await service.play(calls);
    const { items } = (await service.call(`GET /v1/goals/${goalId}/ledger?limit=100`)).body;
    for (const { seq } of items) {
      const { headers } = await service.call(`GET /v1/goals/${goalId}/ledger/${seq}/output`);
      expect(headers.get('content-type') ?? 'text/plain').not.toMatch(/html|svg|xml/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    return items.length;
  },
  'CON-17': async () => {
    if (!existsSync(CHROMIUM_PATH)) return 'no chromium';
    const calls = [
      reply.call('run_command', { command: `echo '${HOSTILE}'` }, HOSTILE),
      reply.call('write_file', { path: '<img src=x onerror=hacked=1>.txt', content: HOSTILE }),
      reply.call('todo_write', { todos: [{ id: 'T1', content: HOSTILE, status: 'in_progress' }] }),
      reply.call('ask_user', { question: HOSTILE, options: [HOSTILE, 'b'] }),
    ];
    const { goalId } = await service.play(calls, {
      criteria: [{ kind: 'command', command: `test -f '${HOSTILE}'` }],
    });
    await service.call('POST /v1/goals', {
      body: plainGoal({ name: 'till' }, { objective: HOSTILE }),
    });
    const browser = await openBrowser();
    try {
      const context = await browser.newContext();
      await signInBrowser(context, service.url, TOKENS.operator);
      const page = await context.newPage();
      const paths = [
        '/goals',
        `/goals/${goalId}`,
        `/goals/${goalId}/gate`,
        `/goals/${goalId}/ledger`,
        `/goals/${goalId}/history`,
        `/goals/${goalId}?turn=1`,
        '/ops',
        `/goals?q=${encodeURIComponent(HOSTILE)}`,
      ];
      for (const path of paths) {
        await page.goto(service.url + path);
        await page.waitForTimeout(1500);
        expect([path, await page.evaluate('window.hacked ?? null')]).toEqual([path, null]);
        expect(
          await page
            .locator('img[src="x"], a[href^="javascript:"], script:not([src]):text("hacked")')
            .count(),
        ).toBe(0);
      }
      return paths.length;
    } finally {
      await browser.close();
    }
  },
  'CON-18': async () => {
    for (const path of [
      '//evil.example',
      '/%5cevil.example',
      '/\\evil.example',
      '/signin?next=https://evil.example',
      '/signin?returnTo=//evil.example',
      '/.//evil.example',
      '/%2f%2fevil.example',
      '/goals/..//evil.example/',
    ]) {
      const text = await rawHttp(
        service.url,
        `GET ${path} HTTP/1.1\r\nhost: ${new URL(service.url).host}\r\nconnection: close\r\n\r\n`,
      );
      const location = /^location: (.*)$/im.exec(text)?.[1] ?? '';
      expect([path, location.replace(/\r$/, '')]).toEqual([
        path,
        expect.not.stringMatching(/evil/),
      ]);
    }
    return 8;
  },
  'CON-19': async () => {
    for (const path of PAGES) {
      const { headers } = await get(path);
      expect([
        path,
        headers.get('referrer-policy'),
        headers.get('cross-origin-opener-policy'),
        headers.get('cross-origin-resource-policy'),
      ]).toEqual([
        path,
        expect.stringMatching(/no-referrer|same-origin/),
        'same-origin',
        'same-origin',
      ]);
    }
    return PAGES.length * 3;
  },
  'CON-20': async () => {
    const page = (await get('/goals')).text;
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(assets.length).toBeGreaterThan(0);
    for (const path of [
      ...assets.map((asset) => `${asset}.map`),
      '/.env',
      '/.git/HEAD',
      '/assets/.htaccess',
      '/package.json',
    ]) {
      const { headers, text } = await get(path);
      expect([
        path,
        /"mappings"|ref: refs|"dependencies"/.test(text),
        headers.get('content-type') ?? '',
      ]).toEqual([path, false, expect.not.stringMatching(/octet-stream/)]);
    }
    return assets.length + 4;
  },
  'CON-21': async () => {
    for (const path of [
      `/goals?token=${TOKENS.admin}`,
      `/v1/session?token=${TOKENS.admin}`,
      `/signin?token=${TOKENS.admin}`,
    ]) {
      const { headers, text } = await get(path);
      expect([headers.get('set-cookie'), text.includes(TOKENS.admin)]).toEqual([null, false]);
    }
    return 3;
  },
  'CON-22': async () => {
    for (const path of ['/v1/goals', '/v1/session', '/v1/goals?callback=x', '/v1/goals?jsonp=x']) {
      const { status, headers } = await get(path, { cookie });
      expect([status, headers.get('x-content-type-options')]).toEqual([401, 'nosniff']);
      expect(headers.get('content-type')).toMatch(/json/);
    }
    return 4;
  },
  // Last: it uses up what this address may try.
  'CON-12': async () => {
    const seen: number[] = [];
    for (let n = 0; n < 25; n += 1)
      seen.push((await signIn({ code: `guess-${n}-${'x'.repeat(36)}` })).status);
    expect(seen).not.toContain(200);
    expect(seen.at(-1)).toBe(429);
    return 1;
  },
});
