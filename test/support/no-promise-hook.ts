import { promiseHooks } from 'node:v8';

const { createHook } = promiseHooks;

/**
 * Where the tests' thread runs workflows, the SDK would look at each promise of that thread, for
 * stack traces of workflows that nobody asks for here: 5 % of its time.
 * Node's own hooks, which carry AsyncLocalStorage, also tell when a promise is run (`before`).
 */
promiseHooks.createHook = (hooks) =>
  hooks.before === undefined ? () => undefined : createHook(hooks);
