/** SHA-256 in hexadecimal. Bun's hasher costs nothing to load, `node:crypto` three milliseconds. */
export const sha256 = (data: string | Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(data).digest("hex");
