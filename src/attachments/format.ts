export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size, or what is wrong with the content. */
export type ReadFormat = Size | { readonly why: string };
