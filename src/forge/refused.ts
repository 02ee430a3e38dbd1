/** Nothing was opened or pushed for it, or the forge refused it; what to do about it. */
export class ForgeRefused extends Error {
  readonly wayOut: string;

  constructor(what: string, wayOut: string) {
    super(what);
    this.name = 'ForgeRefused';
    this.wayOut = wayOut;
  }
}
