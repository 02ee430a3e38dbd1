import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { joined, ofRules } from '../../src/app/of-rules.ts';
import { type StandingConfig, standingConfig } from '../../src/app/standing-rules.ts';

let home: string;
let standing: StandingConfig;
let said: string[];
const write = (content: string) => writeFileSync(join(home, 'goalkeeper.config.yaml'), content);
const say = (level: string) => (about: object, text: string) =>
  void said.push(`${level}: ${text} ${JSON.stringify(about)}`);
const reread = () => standing.reread({ info: say('info'), warn: say('warn'), error: say('error') });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'goalkeeper-standing-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  said = [];
  write('model: openai/a\nbudget: {maximum: {turns: 50}}\n');
  standing = standingConfig({ GOALKEEPER_HOME: home, GOALKEEPER_LOG: 'warn' });
});

describe("the operator's file, read again", () => {
  test('CFG-9 changes the rules of goals, and names what changes with a restart alone', () => {
    const offered = ofRules(standing.rules, ({ withheld }) => [...withheld]);
    const tools = joined(() => NONE, offered);
    const before = tools();
    write('model: openai/b\nlog: debug\nbudget: {maximum: {turns: 20}}\ntools: {delegate: false}');
    expect(standing.rules().budgetMaximum.turns).toBe(50);
    reread();
    expect(standing.rules().budgetMaximum.turns).toBe(20);
    expect(tools()).toEqual(['delegate']);
    expect(before).toEqual([]);
    expect(standing.config.model).toBe('openai/a');
    expect(said).toEqual([
      expect.stringMatching(/^info: the rules of goals are those of the file now .*config\.yaml/),
      // A variable wins over the file, so the level of the log is what it was.
      'warn: these settings change with a restart alone {"settings":["model"]}',
    ]);
  });

  test('CFG-9 without a change leaves all as it was', () => {
    const [rules, list] = [
      standing.rules(),
      joined(
        () => NONE,
        ofRules(standing.rules, () => NONE),
      ),
    ];
    const before = list();
    write('# the same\nbudget: {maximum: {turns: 50}}\nmodel: openai/a');
    reread();
    expect(standing.rules()).toBe(rules);
    expect(list()).toBe(before);
    expect(said).toEqual([expect.stringMatching(/^info: no rule of goals changed/)]);
  });

  test.each([
    ['budget: {maximum: {turns: -1}}', /budget\.maximum\.turns is not usable/],
    ['budget: {default: {turns: 9}, maximum: {turns: 8}}', /at most 8/],
    ['port: many\nbudget: {maximum: {turns: 1}}', /port is not usable/],
    ['prices: none.json\nbudget: {maximum: {turns: 1}}', /prices is not usable/],
    [': [', /is no YAML/],
    [null, /is gone\. An empty file takes all rules away/],
  ])('CFG-9 that is wrong (%j) changes nothing and is told', (content, why) => {
    if (content === null) rmSync(join(home, 'goalkeeper.config.yaml'));
    else write(content);
    reread();
    expect(standing.rules().budgetMaximum.turns).toBe(50);
    expect(said).toEqual([expect.stringMatching(why)]);
    expect(said[0]).toMatch(/^error: the settings stay as they are/);
    write('');
    reread();
    expect(standing.rules().budgetMaximum.turns).toBeNull();
  });
});

const NONE: readonly string[] = [];
