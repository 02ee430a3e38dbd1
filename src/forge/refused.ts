import { printable } from '../record/foreign-text.ts';

/** Nothing was opened or pushed for it, or the forge refused it; what to do about it. */
export class ForgeRefused extends Error {
  readonly wayOut: string;

  constructor(what: string, wayOut: string) {
    // A forge and a remote's address may say what a terminal would act on.
    super(printable(what));
    this.name = 'ForgeRefused';
    this.wayOut = wayOut;
  }
}
