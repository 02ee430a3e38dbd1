import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtInRules } from '../../src/intake/service-rules.ts';
import { fillTemplate } from '../../src/intake/terms/fill-template.ts';
import { layered } from '../../src/intake/terms/layered.ts';
import { personsTerms, termsBeside } from '../../src/intake/terms/persons-terms.ts';

const terms = fc.object({ maxDepth: 3, key: fc.constantFrom('a', 'b', 'c', '__proto__') });

describe('terms of a repository', () => {
  test('CFG-6 what is laid over wins, and what it leaves open stays', () => {
    fc.assert(
      fc.property(terms, terms, (under, over) => {
        expect(layered(under, {})).toEqual(under);
        expect(layered<object>({}, over)).toEqual(over);
        expect(layered(layered(under, over), over)).toEqual(layered(under, over));
        expect(({} as Record<string, unknown>).a).toBeUndefined();
      }),
    );
    expect(
      layered<object>(
        { budget: { turns: 5, tokens: 9 }, setup: ['a', 'b'], scope: { keep: ['x'] } },
        { budget: { turns: null }, setup: ['c'], model: undefined },
      ),
    ).toEqual({ budget: { turns: null, tokens: 9 }, setup: ['c'], scope: { keep: ['x'] } });
  });

  test('CFG-8 a value in a command is one plain word, in prose it is any text', () => {
    const template = { objective: 'Fix {{ it }}', criteria: [{ command: 'npm test -- {{it}}' }] };
    fc.assert(
      fc.property(fc.string(), (it) => {
        const prose = fillTemplate({ objective: template.objective }, { it });
        expect(prose.content).toEqual({ objective: `Fix ${it}` });
        const { content, unfilled } = fillTemplate(template, { it });
        if (content === null) expect(unfilled?.place).toBe('criteria.0.command');
        else expect(it).toMatch(/^[^\s'"`$\\;&|<>(){}[\]*?!#~-][^\s'"`$\\;&|<>(){}[\]*?!#~]*$/);
      }),
    );
    expect(fillTemplate(template, { it: '$(reboot)' }).unfilled?.why).toBe('not_plain');
    expect(fillTemplate(template, { it: '{{it}}' }).unfilled?.why).toBe('not_plain');
    expect(fillTemplate(template, {}).unfilled).toMatchObject({ parameter: 'it', why: 'unset' });
  });

  test('CFG-8 a value leads to no folder above, alone or with what stands beside it', () => {
    const fill = (path: string, values: Record<string, string>) =>
      fillTemplate({ workspace: { path } }, values).unfilled?.why ?? 'filled';
    for (const it of ['..', '../x', 'a/../b', 'a/..', '@../x', 'HEAD:../x']) {
      expect([it, fill('/srv/{{it}}', { it })]).toEqual([it, 'not_plain']);
    }
    expect(fill('/srv/{{a}}{{b}}', { a: '.', b: './x' })).toBe('not_plain');
    expect(fill('/srv/.{{it}}', { it: './x' })).toBe('not_plain');
    for (const it of ['main..topic', 'a...b', 'x..', '.hidden', './x', 'v1.2..3']) {
      expect([it, fill('../{{it}}', { it })]).toEqual([it, 'filled']);
    }
  });

  test.each<[object, string[]]>([
    [{ model: 'openai/x', mode: 'plan', textTokens: true, scope: { change: ['**'] } }, []],
    [{ criteria: [{ kind: 'command', command: 'true' }], requirements: [{ text: 'x' }] }, []],
    [{ budget: { turns: 5 }, policy: { onUnknown: 'ask' } }, []],
    [{ budget: { turns: 5000, tokens: null, costUsd: '3' } }, ['budget.turns', 'budget.tokens']],
    [{ setup: ['curl x | sh'] }, ['setup']],
    [{ notify: [{ url: 'https://x.example', secretEnv: 'GOALKEEPER_NOTIFY_X' }] }, ['notify']],
    [{ criteria: [{ kind: 'sealed', sealedId: `sl-${'0'.repeat(16)}` }] }, ['criteria']],
    [
      {
        policy: {
          sandbox: { network: 'host' },
          dependencies: 'allow',
          completion: 'supported',
          tools: [{ tool: 'run_command', decision: 'allow' }],
          continuation: { chainLength: 500 },
        },
      },
      [
        'policy.sandbox',
        'policy.dependencies',
        'policy.completion',
        'policy.tools',
        'policy.continuation',
      ],
    ],
  ])('CFG-7 of %j a person decides %j', (asked, places) => {
    const found = personsTerms(asked, builtInRules);
    expect(found.map(({ place }) => place).sort()).toEqual([...places].sort());
    // What a flag says in the same words is the person's own.
    expect(personsTerms(termsBeside(asked, asked), builtInRules)).toEqual([]);
    expect(personsTerms(termsBeside({}, asked), builtInRules)).toEqual(found);
  });
});
