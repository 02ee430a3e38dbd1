import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { criteriaOfFile, termsOfFile, termsOfWorkspace } from '../../src/app/repository-file.ts';
import { ConfigError } from '../../src/contract/config.ts';
import { isInScope } from '../../src/proof/scope/scope.ts';
import { gitIn } from '../support/git.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-repository-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
});

const write = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(root, name), content);
const read = (template: { name: string; values: Record<string, string> } | null = null) =>
  termsOfWorkspace(root, template);
const refusal = async (reading: Promise<unknown>): Promise<string> => {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ConfigError) return error.message.replaceAll(root, 'ROOT');
  throw error ?? new Error('it was read');
};

const FILE = `
model: openai/gpt-5.1
mode: agent
budget: {turns: 30, costUsd: "5"}
scope: {change: ["src/**"], keep: [src/generated/**]}
criteria:
  - {kind: command, command: npm test, attempts: 2, check: rerun}
  - {kind: file, path: CHANGES.md, exists: true}
  - {kind: git, clean: true}
  - {kind: diagnostics}
  - {kind: review, rubric: It is simple}
  - {kind: approval, question: Ship it?}
notify: [{url: "https://hooks.example/x", secretEnv: GOALKEEPER_NOTIFY_SECRET}]
workspace: {mode: worktree}
templates:
  fix:
    about: a bug of the tracker
    parameters:
      issue: {about: its number}
      area: {default: core}
    objective: "Fix issue {{issue}}: {{area}}"
    criteria: [{kind: command, command: "npm test -- {{area}}"}]
    budget: {turns: 10}
`;

describe("a repository's file", () => {
  test('CFG-5 asks for whatever is not of one start alone', async () => {
    expect(await read()).toBeNull();
    write('goalkeeper.yaml', FILE);
    const found = await read();
    expect(found?.path).toBe(join(root, 'goalkeeper.yaml'));
    expect(found?.objective).toBeUndefined();
    expect(found?.terms).toMatchObject({
      budget: { turns: 30, costUsd: '5' },
      workspace: { mode: 'worktree' },
    });
    expect(found?.terms.criteria?.map(({ kind }) => kind)).toEqual([
      'command',
      'file',
      'git',
      'diagnostics',
      'review',
      'approval',
    ]);
    expect(found?.terms).not.toHaveProperty('templates');
  });

  test('CFG-8 a template says what the file leaves open, and its parameters are filled in', async () => {
    write('goalkeeper.yaml', FILE);
    const found = await read({ name: 'fix', values: { issue: '12 "or" so' } });
    expect(found?.objective).toBe('Fix issue 12 "or" so: core');
    expect(found?.terms).toMatchObject({
      budget: { turns: 10, costUsd: '5' },
      criteria: [{ command: 'npm test -- core' }],
    });
    const refused = (name: string, values: Record<string, string>) =>
      refusal(read({ name, values }));
    expect(await refused('fix', {})).toMatch(
      /ROOT\/goalkeeper\.yaml: templates\.fix\.objective has no value for issue\. Set it: --set issue=VALUE/,
    );
    expect(await refused('fix', { issue: '1', area: 'x; reboot' })).toMatch(
      /templates\.fix\.criteria\.0\.command takes a plain word for area/,
    );
    expect(await refused('fix', { issue: '1', colour: 'red' })).toMatch(
      /templates\.fix has no parameter colour\. Set one of issue, area/,
    );
    expect(await refused('constructor', {})).toMatch(/constructor is not there\. It has fix\./);
  });

  test.each([
    ['colour: red', /: colour is no field of this file/],
    ['objective: Do it', /: objective is no field/],
    ['replace: true', /: replace is no field/],
    ['workspace: {path: /etc}', /: workspace\.path is no field/],
    ['budget: {turns: 0}', /: budget\.turns is not usable/],
    ['criteria: [{kind: command, comand: npm test}]', /: criteria\.0\.(command|comand) is/],
    ['criteria: [{kind: magic}]', /: criteria\.0\.kind is not usable/],
    ['mode: fast', /: mode is not usable/],
    ['scope: {keep: [a]}', /: scope\.\w+ is not usable/],
    [
      'notify: [{url: "https://x.example", secret: aaaaaaaaaaaaaaaaaaaa}]',
      /notify\.0\.secret is not usable: a committed file holds no secret/,
    ],
    ['templates: {a: {colour: "{{red}}", objective: x}}', /: templates\.a\.colour is no field/],
    ['templates: {a: {budget: {turns: 1}}}', /: templates\.a\.objective is not usable/],
    ['"a\\e[31m\\nway out: none": 1', /: "a\\u001b\[31m\\nway out: none" is no field/],
    ['templates: {"a b": {objective: "{{x}}"}}', /: templates\."a b" is not usable/],
    ['setup: &a [*a]', /can't be read: an alias leads into what holds it/],
    ['model: *nothing', /can't be read: .*nothing/],
    ['model: [', /is no YAML at line 1, column/],
    ['model: !!js/function "openai/x"', /is no YAML at line 1, column 8: Unresolved tag/],
    [Buffer.from('setup: ["caf\xe9"]', 'latin1'), /is not UTF-8\. Save it as UTF-8/],
    ['model: openai/x\nmodel: openai/y', /is no YAML at line 2/],
    ['[]', /it is not usable/],
    ['"{{x}}"', /is n/],
  ])('CFG-5 %s is refused with its place and the way out', async (content, message) => {
    write('goalkeeper.yaml', content);
    const said = await refusal(read());
    expect(said.startsWith('ROOT/goalkeeper.yaml')).toBe(true);
    expect(said).toMatch(message);
    expect(said).not.toContain('aaaaaaaa');
  });

  test('CFG-5 is one, and a regular file of its own', async () => {
    write('goalkeeper.yml', 'mode: plan');
    write('goalkeeper.json', '{}');
    expect(await refusal(read())).toMatch(/json and .*yml are both there\. Keep one/);
    rmSync(join(root, 'goalkeeper.json'));
    symlinkSync('/etc/hostname', join(root, 'goalkeeper.json'));
    expect(await refusal(read())).toMatch(/goalkeeper\.json is a link, no regular file/);
    rmSync(join(root, 'goalkeeper.json'));
    mkdirSync(join(root, 'goalkeeper.json'));
    expect(await refusal(read())).toMatch(/goalkeeper\.json is a link, no regular file/);
    const large = `mode: plan #${' '.repeat(300_000)}`;
    write('large.yaml', large);
    expect(await refusal(termsOfFile(join(root, 'large.yaml'), null))).toMatch(/too large/);
    expect(await refusal(termsOfFile(join(root, 'none.yaml'), null))).toMatch(/is not there/);
  });

  test('CFG-5 is told apart from the one of the last commit', async () => {
    const isCommitted = async () => (await read())?.isCommitted;
    const git = gitIn(root);
    write('goalkeeper.yaml', 'mode: plan # ü');
    expect(await isCommitted()).toBeNull();
    git('init', '-q');
    expect(await isCommitted()).toBe(false);
    git('add', '.');
    git('commit', '-qm', 'Terms');
    expect(await isCommitted()).toBe(true);
    write('goalkeeper.yaml', 'mode: agent');
    expect(await isCommitted()).toBe(false);
    // What git would hide of it is no commit either.
    git('update-index', '--assume-unchanged', 'goalkeeper.yaml');
    expect(await isCommitted()).toBe(false);
  });

  test('CFG-5 an alias that repeats without end is refused', async () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
    for (const [here, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf'].map((two) => [...two])) {
      bomb.push(`${here}: &${here} [${Array(10).fill(`*${before}`).join(',')}]`);
    }
    write('goalkeeper.yaml', bomb.join('\n'));
    expect(await refusal(read())).toMatch(/can't be read: Excessive alias count/);
  });

  test('CFG-5 is the judge’s, wherever it lies, unless a person names it', () => {
    for (const path of ['goalkeeper.yaml', 'goalkeeper.json', 'src/shop/goalkeeper.yml']) {
      expect(isInScope({ change: ['*', '**'], keep: [] }, path)).toBe(false);
      expect(isInScope({ change: ['src/**'], keep: [] }, path)).toBe(false);
      expect(isInScope({ change: [path], keep: [] }, path)).toBe(true);
    }
  });

  test('CFG-6 a list of criteria has a file of its own', async () => {
    write('criteria.yaml', '- {kind: command, command: npm test}\n- {kind: git, clean: true}');
    expect(await criteriaOfFile(join(root, 'criteria.yaml'))).toHaveLength(2);
    write('criteria.yaml', '- {kind: command}');
    expect(await refusal(criteriaOfFile(join(root, 'criteria.yaml')))).toMatch(
      /criteria\.yaml: 0\.command is not usable.*list of criteria/,
    );
  });
});
