import { type ChannelCredentials, experimental } from '@grpc/grpc-js';
import { type TemporalTls, TemporalTlsError } from '../contract/temporal-tls.ts';
import { isSame, readTlsFiles, type TlsFiles } from './tls-files.ts';

type Provider = experimental.CertificateProvider;
type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

const LOOK_EVERY_MS = 2000;

/** Credentials that follow the files: a new connection is made with what they hold then. */
export function watchedCredentials(tls: TemporalTls): ChannelCredentials {
  const provider = createProvider(tls);
  return experimental.createCertificateProviderChannelCredentials(
    provider,
    tls.client === null ? null : provider,
  );
}

function createProvider(tls: TemporalTls): Provider {
  const forCa = new Set<CaListener>();
  const forIdentity = new Set<IdentityListener>();
  let held: TlsFiles | null = null;
  let timer: NodeJS.Timeout | null = null;
  const tellCa = (listener: CaListener) => listener(held && { caCertificate: held.ca });
  const tellIdentity = (listener: IdentityListener) =>
    listener(held?.client ? { certificate: held.client.cert, privateKey: held.client.key } : null);
  const look = () => {
    const found = readIfUsable(tls);
    if (found === null || (held !== null && isSame(found, held))) return;
    held = found;
    forCa.forEach(tellCa);
    forIdentity.forEach(tellIdentity);
  };
  const watch = () => {
    if (timer !== null) return;
    look();
    timer = setInterval(look, LOOK_EVERY_MS).unref();
  };
  const rest = () => {
    if (forCa.size + forIdentity.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    addCaCertificateListener(listener) {
      watch();
      forCa.add(listener);
      process.nextTick(tellCa, listener);
    },
    removeCaCertificateListener(listener) {
      forCa.delete(listener);
      rest();
    },
    addIdentityCertificateListener(listener) {
      watch();
      forIdentity.add(listener);
      process.nextTick(tellIdentity, listener);
    },
    removeIdentityCertificateListener(listener) {
      forIdentity.delete(listener);
      rest();
    },
  };
}

/** Files that are half written, or expired, leave what is held. */
function readIfUsable(tls: TemporalTls): TlsFiles | null {
  try {
    return readTlsFiles(tls);
  } catch (error) {
    if (error instanceof TemporalTlsError) return null;
    throw error;
  }
}
