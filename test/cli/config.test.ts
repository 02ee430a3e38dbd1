import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { start } from './command-line.ts';

interface Told {
  readonly file: string | null;
  readonly settings: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly origin: string;
  }[];
}

const SIGNS = 'what-signs-the-deliveries';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'goalkeeper-config-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  path = join(home, 'goalkeeper.config.yaml');
});

const config = (args: readonly string[], environment: Record<string, string> = {}) =>
  start(['config', ...args], { GOALKEEPER_HOME: home, ...environment }).done;

describe('the settings of a service, told by the command line', () => {
  test('CFG-11 each stands with where it comes from, what follows from the file too, and no secret', async () => {
    writeFileSync(
      path,
      [
        'model: openai/gpt-5.1',
        'fallbackModel: anthropic/claude-sonnet-4-5',
        'budget: {default: {turns: 30}, maximum: {tokens: 9000}}',
        'policy: {bounds: {chainLength: {max: 12}}}',
        'tools: {delegate: false, wait_for: true}',
        'mcp: {crm: {url: "https://crm.example", headers: {authorization: "Bearer in-a-header"}}}',
        'openaiBaseUrl: "https://user:in-an-address@gateway.example"',
      ].join('\n'),
    );
    const ran = await config(['show', '--json'], {
      GOALKEEPER_MODEL: 'openai/of-the-variable',
      OPENAI_API_KEY: 'the-key-of-an-account',
      GOALKEEPER_NOTIFY: JSON.stringify([
        { url: 'https://hooks.example/x?key=in-a-query', secret: SIGNS },
      ]),
    });
    const told: Told = JSON.parse(ran.out);
    expect(told.file).toBe(path);
    const said = Object.fromEntries(
      told.settings.map((one) => [one.name, [one.value, one.origin]]),
    );
    expect(said).toMatchObject({
      model: ['openai/of-the-variable', 'environment'],
      fallbackModel: ['anthropic/claude-sonnet-4-5', 'file'],
      port: [7420, 'default'],
      home: [home, 'environment'],
      openaiApiKey: ['(secret)', 'environment'],
      'budget.default.turns': [30, 'file'],
      'budget.maximum.tokens': [9000, 'file'],
      'budget.default.tokens': [9000, 'file'],
      'budget.default.activeSeconds': [28_800, 'default'],
      'policy.bounds.chainLength.max': [12, 'file'],
      'policy.default.continuation.chainLength': [10, 'default'],
      'tools.delegate': [false, 'file'],
      'tools.wait_for': [true, 'file'],
      'tools.continue_work': [true, 'default'],
    });
    expect(said.notify?.[0]).toEqual([
      { url: 'https://hooks.example/x?(secret)', secret: '(secret)' },
    ]);
    expect(said.mcp?.[0]).toEqual({ crm: { url: 'https://crm.example', headers: '(secret)' } });
    for (const secret of [
      'the-key-of-an-account',
      SIGNS,
      'in-a-header',
      'in-an-address',
      'in-a-query',
    ])
      expect(ran.out).not.toContain(secret);
    const lines = await config(['show'], { GOALKEEPER_MODEL: 'openai/of-the-variable' });
    expect(lines.out.split('\n')).toEqual(
      expect.arrayContaining([
        `File: ${path}`,
        'model = openai/of-the-variable  (GOALKEEPER_MODEL)',
        'budget.default.turns = 30  (file)',
        'port = 7420  (default)',
      ]),
    );
  });

  test('CFG-11 a file is checked before a service reads it: fine, or wrong at a place with a way out', async () => {
    const other = join(home, 'other.yaml');
    writeFileSync(other, 'policy: {bounds: {chainLenght: {max: 3}}}');
    const none = await config(['check']);
    expect(none.out).toContain(`There is no file. Write ${path}`);
    writeFileSync(path, 'port: 7425');
    expect(await config(['check'])).toMatchObject({ exitCode: 0, out: `${path} is fine.\n` });
    const wrong = await config(['check', other]);
    expect([wrong.exitCode, wrong.out]).toEqual([3, '']);
    expect(wrong.err).toContain(`${other}: policy.bounds.chainLenght is no setting of a file`);
    expect(wrong.err).toContain('goalkeeper config check');
    expect(wrong.err).not.toContain('    at ');
    const gone = await config(['check', join(home, 'none.yaml')]);
    expect([gone.exitCode, gone.err]).toEqual([3, expect.stringContaining('(ENOENT)')]);
  });
});
