import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { sha256 } from "../platform/digest.ts";
import type { Link } from "./chain.ts";

/** A signed statement that a ledger had come this far. */
export interface Checkpoint extends Link {
  readonly kind: "hookline-checkpoint";
  readonly v: 1;
  readonly time: string;
  /** Which key signed it; the key itself must come another way. */
  readonly key: string;
  readonly signature: string;
}

export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
  readonly fingerprint: string;
}

/** A new Ed25519 key pair in PEM. */
export function newKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }),
    publicKey: publicKey.export({ type: "spki", format: "pem" }),
    fingerprint: fingerprintOf(publicKey),
  };
}

/** The name of a key: the beginning of the digest of its public half. */
export const fingerprintOf = (key: KeyObject | string): string =>
  sha256(new Uint8Array(publicOf(key).export({ type: "spki", format: "der" }))).slice(0, 16);

const publicOf = (key: KeyObject | string): KeyObject =>
  ed25519(typeof key === "string" ? createPublicKey(key) : key);

/** A signature of another kind would be checked otherwise, if at all. */
function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new Error(`a key of the kind ${String(key.asymmetricKeyType)}`);
}

export function signCheckpoint({ seq, link }: Link, privateKey: string, time: string): Checkpoint {
  const secret = ed25519(createPrivateKey(privateKey));
  const signature = sign(null, statement(seq, link, time), secret).toString("base64");
  const key = fingerprintOf(createPublicKey(secret));
  return { kind: "hookline-checkpoint", v: 1, seq, link, time, key, signature };
}

/** Was it signed with the private half of this key, word for word? */
export const isSignedBy = ({ seq, link, time, signature }: Checkpoint, publicKey: string): boolean =>
  verify(null, statement(seq, link, time), publicOf(publicKey), Buffer.from(signature, "base64"));

const statement = (seq: number, link: string, time: string): Uint8Array =>
  new TextEncoder().encode(`hookline checkpoint 1\nseq ${seq}\nlink ${link}\ntime ${time}\n`);
