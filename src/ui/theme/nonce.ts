const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** The nonce by which the page's policy allows style tags; the service makes one per page. */
export const styleNonce = (): string => nonce;

// The scroll lock of dialogs makes a style tag of its own and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });
