const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** What the page's policy lets style tags through by; made by the service for this page alone. */
export const styleNonce = (): string => nonce;

// The scroll lock of dialogs makes a style tag of its own and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });
