import type { TurnPorts } from '../../src/turn/ports-of-turn.ts';

/** Told the name of every point that is passed: `<port>.<method>:before` and `:after`. */
export type Visit = (point: string) => void;

type Method = (...input: unknown[]) => unknown;

/**
 * Puts itself between the slice and everything that it acts through. Every method of a port is
 * wrapped by what the port has, so that a new one cannot be forgotten.
 */
export function withFaultPoints(ports: TurnPorts, visit: Visit): TurnPorts {
  const { journal, record, model, startEffects, endHelper } = ports;
  return {
    ...ports,
    journal: wrapAll('journal', journal, visit),
    record: wrapAll('record', record, visit),
    model: { ...model, call: wrap('model.call', model.call as Method, visit) as typeof model.call },
    endHelper: wrap('workspace.endHelper', endHelper as Method, visit) as typeof endHelper,
    startEffects(onSpawn) {
      const effects = startEffects(onSpawn);
      const of = (name: 'runCommand' | 'writeFile' | 'close') =>
        wrap(`workspace.${name}`, (effects[name] as Method).bind(effects), visit) as never;
      return { runCommand: of('runCommand'), writeFile: of('writeFile'), close: of('close') };
    },
  };
}

function wrapAll<Port extends object>(name: string, port: Port, visit: Visit): Port {
  const entries = Object.entries(port).map(([method, own]) => [
    method,
    wrap(`${name}.${method}`, own as Method, visit),
  ]);
  return Object.fromEntries(entries) as Port;
}

function wrap(name: string, method: Method, visit: Visit): Method {
  return async (...input) => {
    visit(`${name}:before`);
    const result = await method(...input);
    visit(`${name}:after`);
    return result;
  };
}

const JOURNAL = [
  'lastAttempt',
  'raiseToken',
  'recordHelper',
  'leaseWorkspace',
  'openTurn',
  'takeSteering',
  'addActiveTime',
  'brief',
  'turn',
  'conversation',
  'receipts',
  'todos',
  'unread',
  'beginStep',
  'loseStep',
  'failStep',
  'commitStep',
  'startCall',
  'settleCall',
] as const;

const RECORD = [
  'openExecution',
  'commitMutation',
  'commitWait',
  'recordTurn',
  'recordBaseline',
] as const;

const WORKSPACE = ['runCommand', 'writeFile', 'close', 'endHelper'] as const;

/** Every method of every port; a test compares it with what the ports have. */
export const METHODS: readonly string[] = [
  ...JOURNAL.map((method) => `journal.${method}`),
  ...RECORD.map((method) => `record.${method}`),
  ...WORKSPACE.map((method) => `workspace.${method}`),
  'model.call',
];

export const FAULT_POINTS: readonly string[] = METHODS.flatMap((method) => [
  `${method}:before`,
  `${method}:after`,
]);

/** Points that a goal without such trouble never passes, and why. */
export const UNREACHED: Readonly<Record<string, string>> = {
  'journal.takeSteering': 'only when a person steers the running turn',
  'journal.loseStep': 'only after a model call died; the random kills pass it',
  'journal.failStep': 'only after a failed or interrupted model call',
  'journal.todos': 'the slice keeps the list in memory; others read it through the API',
  'record.commitWait': 'only when a goal waits for a provider, a worker or its workspace',
  'workspace.endHelper': 'only where an attempt before had a helper',
};
