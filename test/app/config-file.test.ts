import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type PolicyInput, policyInputSchema } from '../../schema/policy.ts';
import { serviceRulesSchema } from '../../schema/service-rules.ts';
import { loadConfig, loadConfigWithOrigins } from '../../src/app/config.ts';
import { settingName } from '../../src/app/config-file.ts';
import { boundsIssue, builtInRules, policyFor } from '../../src/intake/service-rules.ts';
import { refusalOf } from './refusal.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'goalkeeper-config-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
});

const write = (name: string, content: string): string => {
  writeFileSync(join(home, name), content);
  return join(home, name);
};
const load = (environment: Record<string, string> = {}) =>
  loadConfig({ GOALKEEPER_HOME: home, ...environment });
const refusal = (environment: Record<string, string> = {}) => refusalOf(() => load(environment));

describe("an operator's file", () => {
  test('CFG-1 says what no variable says, in YAML as in JSON, under the same names', () => {
    write(
      'goalkeeper.config.yaml',
      [
        'model: openai/gpt-5.1',
        'port: 7425',
        'modelSilenceSeconds: 60',
        'allowedAddresses: [10.0.0.0/8, 127.0.0.1]',
        'toolPolicy: [{tool: run_command, command: curl, decision: deny}]',
        'commandLimits: {memoryMb: 512}',
        'notify: [{url: "https://hooks.example/x", secretEnv: GOALKEEPER_NOTIFY_SECRET}]',
        'mcp: {docs: {command: npx, args: [docs-server]}}',
        'fallbackModel: anthropic/claude-sonnet-4-5',
        'retention: {deliveries: 90}',
      ].join('\n'),
    );
    const config = load({ GOALKEEPER_PORT: '7426', GOALKEEPER_MODEL: '' });
    expect([config.model, config.port]).toEqual(['openai/gpt-5.1', 7426]);
    expect(config.models.patience?.idleTimeoutMs).toBe(60_000);
    expect(config.sandbox.limits.memoryMb).toBe(512);
    expect(config.service.allowedAddresses).toEqual(['10.0.0.0/8', '127.0.0.1']);
    expect(config.service.toolRules).toMatchObject([{ command: 'curl', decision: 'deny' }]);
    expect(JSON.stringify(config.service)).toContain('https://hooks.example/x');
    expect(config.service.mcpServers).toMatchObject({ docs: { args: ['docs-server'] } });
    expect(config.fallbackModel).toBe('anthropic/claude-sonnet-4-5');
    expect(config.rules.retention).toEqual({ deliveries: 90, events: null, goals: null });
    const { settings } = loadConfigWithOrigins({ GOALKEEPER_HOME: home, GOALKEEPER_LOG: 'warn' });
    const origins = settings.map(({ name, origin }) => `${name} ${origin}`);
    expect(origins).toContain('model file');
    expect(origins).toContain('log environment');
    expect(origins).toContain('sandbox default');
  });

  test('CFG-1 may lie where a variable says', () => {
    const path = write('other.json', '{"model": "openai/gpt-5.1"}');
    expect(load({ GOALKEEPER_CONFIG: path }).model).toBe('openai/gpt-5.1');
    expect(refusal({ GOALKEEPER_CONFIG: join(home, 'none.json') }).message).toMatch(
      /none\.json can't be read \(ENOENT\)\. Name a file/,
    );
  });

  test('CFG-1 is refused where it is not UTF-8, no file or too large, and nothing waits', () => {
    const path = write('goalkeeper.config.yaml', '');
    writeFileSync(path, Buffer.from('phrases: {intent: ["caf\xe9"]}', 'latin1'));
    expect(refusal().message).toMatch(/goalkeeper\.config\.yaml is not UTF-8\./);
    writeFileSync(path, '#'.repeat(1024 * 1024 + 1));
    expect(refusal().message).toMatch(/is no file of at most 1048576 bytes\./);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(refusal().message).toMatch(/is no file of at most/);
  });

  test.each([
    ['colour: red', /: colour is no setting of a file\. .*settings\.md/],
    ['GOALKEEPER_MODEL: openai/x', /: GOALKEEPER_MODEL is no setting of a file\. Write model\./],
    [
      'ledgerKey: a-secret-of-some-length',
      /ledgerKey is no setting of a file\. Secrets and the home/,
    ],
    ['home: /tmp', /home is no setting of a file/],
    ['port: many', /: port is not usable\. Give a port/],
    ['port: [1', /is no YAML at line 1, column 9/],
    ['port: 1\nport: 2', /is no YAML at line 2, column 1: Map keys must be unique\./],
    ['model: !!js/function "a/b"', /is no YAML at line 1, column 8: Unresolved tag: .*function/],
    ['budget: !limits {default: {turns: 5}}', /line 1, column 9: Unresolved tag: !limits/],
    [
      'budget: {default: {turns: 9}, maximum: {turns: 8}}',
      /: budget\.turns may be at most 8\. Let/,
    ],
    ['budget: &a {default: *a}', /can't be read: an alias leads into what holds it/],
    ['[]', /it is not usable/],
    ['mcp: {docs: 7}', /: mcp is not usable/],
    ['budget: {maximum: {tokens: -1}}', /: budget\.maximum\.tokens is not usable/],
    ['policy: {bounds: {chainLenght: {max: 3}}}', /: policy\.bounds\.chainLenght is no setting/],
    ['policy: {default: {proof: none}}', /: policy\.default\.proof is not usable/],
    ['tools: {write_file: false}', /: tools\.write_file is no setting/],
    [
      'policy: {default: {continuation: {chainLength: 30}}, bounds: {chainLength: {max: 20}}}',
      /: policy\.default\.continuation\.chainLength is not usable: .* at most 20/,
    ],
    [
      'policy: {bounds: {approvalTimeoutSeconds: {max: 600}}}',
      /: policy\.default\.approvalTimeoutSeconds is not usable: .* at most 600/,
    ],
    [
      'policy: {default: {felt: {share: 0.2}}, bounds: {felt: {min: 0.5}}}',
      /: policy\.default\.felt\.share is not usable: .* at least 0\.5/,
    ],
    [
      'policy: {bounds: {continueAt: {max: 80}}}\nthresholds: {"openai/*": {continueAt: 90}}',
      /: thresholds\.openai\/\*\.continueAt is not usable: .* at most 80/,
    ],
    ['fallbackModel: gpt', /: fallbackModel is not usable\. Give it as provider\/model/],
    [
      'budget: {default: {tokens: 9}, maximum: {tokens: 8}}',
      /: budget\.default\.tokens is not usable: .* at most 8/,
    ],
  ])('CFG-2 %s is refused with its place and the way out', (content, message) => {
    const path = write('goalkeeper.config.yaml', content);
    const error = refusal();
    expect(error.message.startsWith(path)).toBe(true);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('a-secret-of-some-length');
  });

  test.each([
    ['goals: {complete: 90}', /: retention\.goals\.archive is not usable/],
    [
      'goals: {archive: /a}',
      /: retention\.goals\.complete is not usable: give complete, cleared or/,
    ],
    ['goals: {cleared: 0, archive: /a}', /: retention\.goals\.cleared is not usable/],
    ['goals: {complete: 9, archive: a}', /: retention\.goals\.archive is not usable: give an abs/],
    ['goals: {limited: 9, archive: /a}', /: retention\.goals\.limited is no setting/],
  ])('KEEP-13 retention: {%s} is refused with its place', (content, message) => {
    write('goalkeeper.config.yaml', `retention: {${content}}`);
    expect(refusal().message).toMatch(message);
  });

  test('KEEP-13 whole goals go where the file says how long each kind is kept, and where to', () => {
    write('goalkeeper.config.yaml', 'retention: {goals: {cleared: 30, archive: /srv/archive}}');
    expect(load().rules.retention.goals).toEqual({
      ...{ complete: null, cleared: 30, archive: '/srv/archive' },
    });
  });

  test('CFG-2 two of them in a home are refused, and an empty one says nothing', () => {
    write('goalkeeper.config.yaml', '# nothing yet\n');
    expect(load().rules).toEqual(builtInRules);
    write('goalkeeper.config.json', '{}');
    expect(refusal().message).toMatch(/json and .*yaml are both there\. Keep one/);
  });

  test('CFG-3 rules of goals: defaults, bounds, maxima that lower what the service comes with', () => {
    write(
      'goalkeeper.config.json',
      JSON.stringify({
        budget: { default: { turns: 30 }, maximum: { tokens: 1_000_000, costUsd: '5' } },
        policy: {
          default: { onUnknown: 'ask', continuation: { toolErrors: 4 } },
          bounds: {
            chainLength: { max: 20 },
            chainTokens: { max: 600_000 },
            pollMinSeconds: { min: 2 },
          },
        },
        thresholds: { 'openai/*': { continueAt: 70 }, '*': { warnAt: 30 } },
        phrases: { intent: ['on it'], completion: ['shipped!'] },
        tools: { delegate: false, continue_work: true },
      }),
    );
    const { rules } = load();
    expect(rules.budget).toMatchObject({ turns: 30, tokens: 1_000_000, costUsd: '5' });
    expect(rules.withheld).toEqual(['delegate']);
    expect(rules.policy).toMatchObject({
      onUnknown: 'ask',
      continuation: { toolErrors: 4, chainLength: 10 },
    });
    expect(policyFor(rules, 'openai/gpt-5.1').continuation).toMatchObject({
      continueAt: 70,
      warnAt: 40,
    });
    expect(policyFor(rules, 'google/x').continuation).toMatchObject({ continueAt: 60, warnAt: 30 });
    const issueOf = (continuation: object) =>
      boundsIssue({ continuation }, rules.bounds)?.data.field ?? null;
    expect([
      issueOf({ chainLength: 20, chainTokens: 600_000, pollMinSeconds: 2 }),
      issueOf({ chainLength: 21 }),
      issueOf({ chainTokens: 0 }),
      issueOf({ pollMinSeconds: 1 }),
    ]).toEqual([
      null,
      'policy.continuation.chainLength',
      'policy.continuation.chainTokens',
      'policy.continuation.pollMinSeconds',
    ]);
  });

  test('CFG-3 every number of a policy has bounds, and what stands for no end is beyond any', () => {
    const numbers = JSON.stringify(z.toJSONSchema(policyInputSchema, { io: 'input' })).match(
      /"\w+":\{(?:"anyOf":\[\{)?"type":"(?:integer|number)"/g,
    );
    const named = (numbers ?? []).map((one) => /\w+/.exec(one)?.[0] ?? '');
    const bounded = Object.keys(
      serviceRulesSchema.shape.policy.unwrap().shape.bounds.unwrap().shape,
    ).map((name) => (name === 'felt' ? 'share' : name));
    expect(bounded.toSorted()).toEqual(named.toSorted());
    const bounds = {
      approvalTimeoutSeconds: { max: 600 },
      questionTimeoutSeconds: { min: 60 },
      felt: { min: 0.5 },
    };
    const fieldOf = (asked: PolicyInput) => boundsIssue(asked, bounds)?.data.field ?? null;
    expect([
      fieldOf({ approvalTimeoutSeconds: 600, questionTimeoutSeconds: null, felt: { share: 1 } }),
      fieldOf({ approvalTimeoutSeconds: null }),
      fieldOf({ questionTimeoutSeconds: 59 }),
      fieldOf({ felt: { share: 0.4 } }),
    ]).toEqual([
      null,
      'policy.approvalTimeoutSeconds',
      'policy.questionTimeoutSeconds',
      'policy.felt.share',
    ]);
  });

  test('CFG-10 paths in it are from its own folder; JSON and what a variable says are no such paths', () => {
    mkdirSync(join(home, 'etc'));
    const path = write('etc/goalkeeper.yaml', 'prices: prices.json\ntoolPolicy: "../rules.json"\n');
    write(
      'etc/prices.json',
      '{"models": {"compatible/x": {"inputPerMTok": "1", "outputPerMTok": "2"}}}',
    );
    write('rules.json', '[{"tool": "run_command", "command": "curl", "decision": "deny"}]');
    const config = load({ GOALKEEPER_CONFIG: path });
    expect(config.models.pricesFile).toBe(join(home, 'etc', 'prices.json'));
    expect(config.service.toolRules).toMatchObject([{ command: 'curl' }]);
    write('etc/goalkeeper.yaml', 'toolPolicy: "[]"\nprices: nothing.json');
    expect(refusal({ GOALKEEPER_CONFIG: path }).message).toMatch(/prices is not usable/);
    expect(
      load({ GOALKEEPER_CONFIG: path, GOALKEEPER_PRICES: join(home, 'etc/prices.json') }).service
        .toolRules,
    ).toEqual([]);
  });

  test('CFG-10 bounds the embedded database’s log', () => {
    write('goalkeeper.config.yaml', 'maxWalMb: 256');
    expect([load().maxWalMb, loadConfig({ GOALKEEPER_HOME: join(home, 'x') }).maxWalMb]).toEqual([
      256,
      null,
    ]);
    write('goalkeeper.config.yaml', 'maxWalMb: 32');
    expect(refusal().message).toMatch(/maxWalMb is not usable\. Give whole megabytes from 64/);
  });

  test('CFG-1 names a setting as its variable does', () => {
    expect(
      ['GOALKEEPER_MODEL_OUTPUT_SECONDS', 'TEMPORAL_ADDRESS', 'OPENAI_COMPATIBLE_BASE_URL'].map(
        settingName,
      ),
    ).toEqual(['modelOutputSeconds', 'temporalAddress', 'openaiCompatibleBaseUrl']);
  });
});
