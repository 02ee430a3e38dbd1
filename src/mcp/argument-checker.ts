import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { z } from 'zod';

const LIMIT_MS = 1000;
/** To start, also on a machine with much else to do. */
const START_MS = 30_000;
const MOST_MEGABYTES = 128;

/**
 * Plain JavaScript, so that the thread needs no loader. Whether a pattern runs stands in shared
 * memory, because nobody can ask a thread that doesn't come back.
 */
const CHECK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { z } = require(workerData.zod);
  const inPattern = new Int32Array(workerData.state);
  const Plain = RegExp;
  globalThis.RegExp = class extends Plain {
    exec(text) {
      Atomics.store(inPattern, 0, 1);
      const found = super.exec(text);
      Atomics.store(inPattern, 0, 0);
      return found;
    }
  };
  const schemas = new Map();
  function schemaOf(text) {
    if (!schemas.has(text)) {
      if (schemas.size > 500) schemas.clear();
      schemas.set(text, made(text));
    }
    return schemas.get(text);
  }
  function made(text) {
    try { return z.fromJSONSchema(JSON.parse(text)); } catch { return null; }
  }
  parentPort.on('message', ({ schema, input }) => {
    const known = schemaOf(schema);
    if (known === null) return parentPort.postMessage({ ok: true, args: input });
    try {
      const { success, data, error } = known.safeParse(input);
      parentPort.postMessage(success ? { ok: true, args: data } : { ok: false, issues:
        JSON.parse(JSON.stringify(error.issues.slice(0, 20))) });
    } catch (error) {
      parentPort.postMessage({ ok: false, overrun: 'nesting' });
    }
  });
  parentPort.postMessage('ready');`;

export type Checked =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] }
  /** The check was given up at this keyword. */
  | { readonly ok: false; readonly overrun: string };

/** Checks arguments by schemas that others wrote. */
export interface ArgumentChecker {
  /** Ends within its limit, whatever the schema. A schema that can't be read lets all pass. */
  check(schema: object, input: unknown): Promise<Checked>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** Not 0 while a pattern runs. */
  readonly inPattern: Int32Array;
  readonly ready: Promise<void>;
}

/**
 * One thread for all schemas, made at the first check and after each that was given up: a pattern
 * may run for ever, and references may double the work at each level of the input.
 */
export function createArgumentChecker(limitMs = LIMIT_MS): ArgumentChecker {
  let thread: Thread | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const checked = async (schema: object, input: unknown): Promise<Checked> => {
    thread ??= startThread();
    const { worker, inPattern, ready } = thread;
    const end = async (): Promise<void> => {
      thread = null;
      await worker.terminate();
    };
    try {
      await ready;
      worker.postMessage({ schema: JSON.stringify(schema), input });
      const answer = await answerOf<Checked>(worker, limitMs);
      if (answer !== null) return answer;
    } catch {
      // It ran out of memory.
    }
    const keyword = Atomics.load(inPattern, 0) === 1 ? 'pattern' : branching(schema);
    await end();
    return { ok: false, overrun: keyword };
  };
  return {
    check(schema, input) {
      const mine = turn.then(() => checked(schema, input));
      turn = mine;
      return mine;
    },
    async close() {
      await turn;
      await thread?.worker.terminate();
      thread = null;
    },
  };
}

function startThread(): Thread {
  const state = new SharedArrayBuffer(4);
  const zod = createRequire(import.meta.url).resolve('zod');
  const worker = new Worker(CHECK, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { state, zod },
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  // It keeps no process alive by itself.
  worker.unref();
  const ready = answerOf(worker, START_MS).then(() => {});
  ready.catch(() => {});
  return { worker, inPattern: new Int32Array(state), ready };
}

/** Null where none came in time. */
function answerOf<Answer>(worker: Worker, limitMs: number): Promise<Answer | null> {
  return new Promise<Answer | null>((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve(null)), limitMs);
    const onMessage = (answer: Answer) => settle(() => resolve(answer));
    const onError = (error: Error) => settle(() => reject(error));
    const settle = (act: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError);
      act();
    };
    worker.on('message', onMessage).on('error', onError);
  });
}

const BRANCHING = ['$ref', 'anyOf', 'oneOf', 'allOf', 'patternProperties', 'uniqueItems'];

/** Those of its keywords that can multiply the work. */
function branching(schema: object): string {
  const text = JSON.stringify(schema);
  const found = BRANCHING.filter((keyword) => text.includes(`"${keyword}":`));
  return found.join(', ') || 'nesting';
}
