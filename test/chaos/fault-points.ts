import { AsyncLocalStorage } from 'node:async_hooks';
import type { EffectsSession } from '../../src/contract/effects.ts';
import type { ReconcilerPorts } from '../../src/temporal/reconciler.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';

/** Told of every point that is passed, `<port>.<method>:before` and `:after`, and for which goal. */
export interface Visitor {
  visit(point: string, goalId: string | null): void;
  /** A goal that is seen for the first time: its points are visited when this has resolved. */
  meet?(goalId: string): Promise<void> | null;
}

type Method = (...input: unknown[]) => unknown;

/** Which goal the slice around a call works for; most methods of a slice aren't told. */
const goalOfSlice = new AsyncLocalStorage<string>();

/**
 * Puts itself between the slice and everything that it acts through. Every method of a port is
 * wrapped by what the port has, so that a new one cannot be forgotten.
 */
export function wrapTurnPorts(ports: TurnPorts, visitor: Visitor): TurnPorts {
  const {
    journal,
    record,
    proofs,
    checkpoints,
    worktrees,
    model,
    startEffects,
    endHelper,
    running,
  } = ports;
  const outer = wrapPort('workspace', { startEffects, endHelper }, visitor);
  return {
    ...ports,
    journal: wrapPort('journal', journal, visitor),
    record: wrapPort('record', record, visitor),
    proofs: wrapPort('proofs', proofs, visitor),
    checkpoints: wrapPort('checkpoints', checkpoints, visitor),
    worktrees: wrapPort('worktrees', worktrees, visitor),
    model: wrapPort('model', model, visitor),
    endHelper: outer.endHelper,
    startEffects: (...given) => wrapSession(outer.startEffects(...given), visitor),
    running: {
      cancel: (goalId) => running.cancel(goalId),
      enter(goalId, parent) {
        goalOfSlice.enterWith(goalId);
        return running.enter(goalId, parent);
      },
    },
  };
}

/** The same for what a worker does beside its slices. */
export function wrapReconcilerPorts(ports: ReconcilerPorts, visitor: Visitor): ReconcilerPorts {
  const { executions, store, endHelper } = ports;
  return {
    ...ports,
    executions: wrapPort('temporal', executions, visitor),
    store: wrapPort('store', store, visitor),
    endHelper: wrapPort('reconciler', { endHelper }, visitor).endHelper,
  };
}

const wrapSession = (session: EffectsSession, visitor: Visitor): EffectsSession =>
  wrapPort('workspace', session, visitor);

export function wrapPort<Port extends object>(name: string, port: Port, visitor: Visitor): Port {
  const entries = methodsOf(port).map((method) => [
    method,
    wrap(`${name}.${method}`, (port[method as keyof Port] as Method).bind(port), visitor),
  ]);
  return Object.fromEntries(entries) as Port;
}

/** Own ones and those of its class. */
export function methodsOf(port: object): string[] {
  const names = new Set<string>();
  for (let owner = port; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
    }
  }
  return [...names];
}

function wrap(name: string, method: Method, visitor: Visitor): Method {
  return (...input) => {
    const goalId = goalOfSlice.getStore() ?? goalIn(input[0]);
    const after = <Result>(result: Result): Result => {
      visitor.visit(`${name}:after`, goalId);
      return result;
    };
    const pass = () => {
      visitor.visit(`${name}:before`, goalId);
      const result = method(...input);
      return result instanceof Promise ? result.then(after) : after(result);
    };
    const met = goalId === null ? null : (visitor.meet?.(goalId) ?? null);
    return met === null ? pass() : met.then(pass);
  };
}

function goalIn(argument: unknown): string | null {
  const { goalId } = (argument ?? {}) as { goalId?: unknown };
  return typeof goalId === 'string' ? goalId : null;
}
